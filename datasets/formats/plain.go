package formats

import (
	"io"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// Plain describes how data of a kind stand in texts where a data set has no form of its own for streams: rows as in
// LIBSVM, sequences of rows as in SVM-HMM, discrete variables as comma-separated values with their names in the first
// line.
func Plain(kind string) (datasets.Form, bool) {
	form, ok := map[string]datasets.Form{
		(*datasets.Labelled)(nil).Kind():  rowsForm{},
		(*datasets.Sequences)(nil).Kind(): sequencesForm{},
		(*datasets.Discrete)(nil).Kind():  tableForm{},
	}[kind]
	return form, ok
}

type rowsForm struct{}

// Stream implements datasets.Form.
func (rowsForm) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	return parse.NewRowStream(path, r, false), nil
}

type sequencesForm struct{}

// Stream implements datasets.Form.
func (sequencesForm) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	return parse.NewSequenceStream(path, r), nil
}

type tableForm struct{}

// Stream implements datasets.Form.
func (tableForm) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	return parse.NewTableStream(path, r, nil, target), nil
}
