package parse

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/amount"
)

// tableRows makes rows of numbers from a file that has the columns of a training file, possibly in another order.
// Additional columns of the file are not read.
type tableRows struct {
	*csvFile
	table datasets.Table
	field []int // index in the file of each column of the table
	first []int // first feature of each column of the table
	label int   // index in the file of the column with the classes; −1: the file does not have it

	index []int32 // features of the current row
	value []float64
	// unknown is called for each value of a categorical column that the training rows do not have; nil: not called.
	unknown func(column int, text string)
}

// newTableRows reads the names in the first line. If a column of the table is missing, it returns an error.
func newTableRows(path string, r io.Reader, comma rune, table datasets.Table) (*tableRows, error) {
	f, err := openCSV(path, r, comma)
	if err != nil {
		return nil, err
	}
	t := &tableRows{csvFile: f, table: table, label: slices.Index(f.names, table.Label)}
	features := 0
	var absent, want []string
	for i, c := range table.Columns {
		t.field, t.first = append(t.field, slices.Index(f.names, c.Name)), append(t.first, features)
		features += max(1, len(c.Values))
		if want = append(want, c.Name); t.field[i] < 0 {
			absent = append(absent, c.Name)
		}
	}
	if len(absent) > 0 {
		doubt := ""
		if len(f.names) == 1 && len(want) > 1 {
			doubt = "; does the file have another delimiter?"
		}
		return nil, f.faultAt(1, 1, fmt.Sprintf("the first line lacks these columns of the training file: %s; want the "+
			"names %s, in any order%s", some(absent, "columns"), some(want, "columns"), doubt))
	}
	return t, nil
}

// next reads the next row into index and value. A value of a categorical column that the training rows do not have gets
// no feature. It returns io.EOF after the last row.
func (t *tableRows) next() error {
	if err := t.csvFile.next(); err != nil {
		return err
	}
	t.index, t.value = t.index[:0], t.value[:0]
	for i := range t.table.Columns {
		c := &t.table.Columns[i]
		text, err := t.csvFile.value(t.field[i])
		if err != nil {
			return err
		}
		feature, x := t.first[i], 1.0
		if c.Categorical() {
			at, ok := c.Value(text)
			if !ok {
				if err := t.checkText(t.field[i]); err != nil {
					return err
				}
				if t.unknown != nil {
					t.unknown(i, text)
				}
				continue
			}
			feature += at
		} else if number, ok := parseDecimal([]byte(text)); ok {
			x = number
		} else {
			return t.fault(t.field[i], "column %q has the value %q: want a number, since all values in the training file are "+
				"numbers", c.Name, text)
		}
		if x != 0 {
			t.index, t.value = append(t.index, int32(feature)), append(t.value, x)
		}
	}
	return nil
}

// class returns the label of the current row. If the file has no column with the classes, or the value is missing, it
// returns "".
func (t *tableRows) class() (string, error) {
	if t.label < 0 || isMissing(t.record[t.label]) {
		return "", nil
	}
	return t.record[t.label], t.checkText(t.label)
}

// ReadTableValidation reads the validation file of a table in CSV, with the columns and classes of the training file. A
// class that the training file does not have gets the number len(train.Classes). The returned doubts are warnings about
// classes and values that the training file does not have.
func ReadTableValidation(part RowFiles, comma rune, train *datasets.Labelled, table datasets.Table) (
	rows *datasets.Labelled, doubts []string, err error) {
	find := ClassFinder(train.Classes)
	var classes datasets.Unknown
	unknown := make([]*LabelTable, len(table.Columns))
	index, value := pieces[int32]{}, pieces[float64]{}
	rows = &datasets.Labelled{X: datasets.Rows{Dim: train.X.Dim, Start: []int{0}}, Classes: train.Classes}
	read := func(path string, r io.Reader) error {
		t, err := newTableRows(path, r, comma, table)
		if err != nil {
			return err
		}
		if t.label < 0 {
			return t.faultAt(1, 1, fmt.Sprintf("the first line lacks the column of the labels, %q", table.Label))
		}
		t.unknown = func(i int, text string) {
			if unknown[i] == nil {
				unknown[i] = NewLabelTable()
			}
			unknown[i].ID([]byte(text))
		}
		for {
			if err := t.next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			if _, err := t.csvFile.value(t.label); err != nil {
				return err
			}
			label, err := t.class()
			if err != nil {
				return err
			}
			class, ok := find([]byte(label))
			if !ok {
				class = len(train.Classes)
				classes.Add(label)
			}
			index.add(t.index)
			value.add(t.value)
			rows.X.Start, rows.Y = append(rows.X.Start, index.n), append(rows.Y, class)
		}
		if len(rows.Y) == 0 {
			return t.faultAt(1, 1, "no rows: want at least one line after the names of the columns")
		}
		return nil
	}
	if err := part(read); err != nil {
		return nil, nil, err
	}
	rows.X.N = len(rows.Y)
	if rows.X.Index, rows.X.Value = index.join(), value.join(); rows.X.Index == nil {
		rows.X.Index = []int32{}
	}
	for i, values := range unknown {
		if values != nil {
			doubts = append(doubts, fmt.Sprintf("column %q has values that no training row has, and that get no feature: %s",
				table.Columns[i].Name, some(values.Tokens, "values")))
		}
	}
	return rows, append(doubts, classes.Doubts("validation ", "row")...), nil
}

// CSVStream reads the rows of a table in CSV one at a time, with or without the column of the labels. For each row it
// writes one line: the predicted class, then the probability and the score if they are given.
type CSVStream struct {
	open func() (*tableRows, error)
	rows *tableRows // nil before the first call of Next
	data datasets.Labelled
	news []newValues // for each column of the table
	// unknown has the values of the current row that the training rows do not have, by the name of their column.
	unknown map[string]string
}

// newValues counts the rows with a value of a categorical column that the training rows do not have.
type newValues struct {
	rows  int
	first string
}

// NewCSVStream returns a stream of rows that have the columns of the given table.
func NewCSVStream(path string, r io.Reader, comma rune, table datasets.Table) *CSVStream {
	return &CSVStream{open: func() (*tableRows, error) { return newTableRows(path, r, comma, table) }}
}

// Next implements datasets.Stream.
func (s *CSVStream) Next() (datasets.Data, error) {
	if s.rows == nil {
		rows, err := s.open()
		if err != nil {
			return nil, err
		}
		s.rows = rows
		s.rows.index = []int32{} // not nil, which would mean dense rows
		s.news = make([]newValues, len(rows.table.Columns))
		rows.unknown = func(column int, text string) {
			n := &s.news[column]
			if n.rows++; n.rows == 1 {
				n.first = strings.Clone(text)
			}
			if s.unknown == nil {
				s.unknown = map[string]string{}
			}
			s.unknown[rows.table.Columns[column].Name] = strings.Clone(text)
		}
	}
	s.unknown = nil
	if err := s.rows.next(); err != nil {
		return nil, err
	}
	label, err := s.rows.class()
	if err != nil {
		return nil, err
	}
	s.data = datasets.Labelled{X: datasets.Rows{N: 1, Dim: s.rows.table.Features(),
		Start: append(s.data.X.Start[:0], 0, len(s.rows.index)), Index: s.rows.index, Value: s.rows.value}}
	if label != "" {
		s.data.Y, s.data.Classes = []int{0}, []string{strings.Clone(label)}
	}
	return &s.data, nil
}

// Doubts implements datasets.Doubter.
func (s *CSVStream) Doubts() []string {
	var out []string
	for i, n := range s.news {
		if n.rows > 0 {
			out = append(out, fmt.Sprintf("column %q has values that no training row has, and that get no feature: in %s, "+
				"first %q", s.rows.table.Columns[i].Name, amount.Count(n.rows, "row"), n.first))
		}
	}
	return out
}

// Unknown implements datasets.Novel.
func (s *CSVStream) Unknown() map[string]string { return s.unknown }

// Line implements datasets.Stream.
func (s *CSVStream) Line() int { return s.rows.line() }

// Append implements datasets.Stream.
func (s *CSVStream) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	p := predicted.(*datasets.Labelled)
	to = appendHeader(to, s.rows.table.Label, beside)
	return appendBeside(append(to, p.Classes[p.Y[0]]...), beside)
}
