package formats

import (
	"io"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// Plain returns the text format in which streams of the given kind of data are read. It is used for data sets whose
// loaders are not a datasets.Streamer. Rows are read as in LIBSVM, sequences of rows as in SVM-HMM, and discrete
// variables as comma-separated values with the names of the variables in the first line. For other kinds of data, ok is
// false.
func Plain(kind string) (form datasets.Form, ok bool) {
	form, ok = map[string]datasets.Form{
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
