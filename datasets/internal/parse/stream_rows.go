package parse

import (
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
)

// RowStream reads rows of LIBSVM format one at a time, with or without labels. For each row it writes one line: the
// predicted class, then the probability and the score if they are given.
type RowStream struct {
	rows *rowScanner
	data datasets.Labelled
}

// NewRowStream returns a stream of rows whose indices count from 1, or from 0 if zeroBased is true.
func NewRowStream(path string, r io.Reader, zeroBased bool) *RowStream {
	rows := newRowScanner(path, r, zeroBased)
	rows.unlabelled = true
	return &RowStream{rows: rows}
}

// Next implements datasets.Stream.
func (s *RowStream) Next() (datasets.Data, error) {
	s.rows.dim = 0
	if err := s.rows.next(); err != nil {
		return nil, err
	}
	s.data = datasets.Labelled{X: datasets.Rows{N: 1, Dim: s.rows.dim, Start: append(s.data.X.Start[:0], 0,
		len(s.rows.index)), Index: s.rows.index, Value: s.rows.value}}
	if s.rows.index == nil { // a row without features: Index must not be nil, which would mean dense rows
		s.data.X.Index = []int32{}
	}
	if len(s.rows.label) > 0 {
		s.data.Y, s.data.Classes = []int{0}, []string{string(s.rows.label)}
	}
	return &s.data, nil
}

// Line implements datasets.Stream.
func (s *RowStream) Line() int { return s.rows.Line }

// Append implements datasets.Stream.
func (s *RowStream) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	p := predicted.(*datasets.Labelled)
	to = append(appendHeader(to, "label", beside), p.Classes[p.Y[0]]...)
	return appendBeside(to, beside)
}

// appendHeader appends a line with the names of the columns that appendBeside writes, if beside asks for it. The
// argument first is the name of the column with the predictions.
func appendHeader(to []byte, first string, beside datasets.Beside) []byte {
	if !beside.Header {
		return to
	}
	to = append(to, first...)
	if beside.Marginals != nil {
		to = append(to, "\tmarginal"...)
	}
	if beside.Score != nil {
		to = append(to, "\tscore"...)
	}
	for _, name := range beside.Columns {
		to = append(append(to, '\t'), name...)
	}
	return append(to, '\n')
}

// appendBeside appends the first probability, the score and the first list of cells, if they are given, and ends the
// line.
func appendBeside(to []byte, beside datasets.Beside) []byte {
	if beside.Marginals != nil {
		to = strconv.AppendFloat(append(to, '\t'), beside.Marginals[0], 'f', 6, 64)
	}
	if beside.Score != nil {
		to = strconv.AppendFloat(append(to, '\t'), *beside.Score, 'g', 10, 64)
	}
	for _, cell := range beside.CellsAt(0) {
		to = append(append(to, '\t'), cell...)
	}
	return append(to, '\n')
}
