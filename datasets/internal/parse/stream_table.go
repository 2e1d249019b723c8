package parse

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gaplab/gaplab/datasets"
)

// TableStream reads rows of discrete variables, as comma-separated values (RFC 4180), one at a time. The caller gives
// the names of the variables, or they are in the first line. The class may be missing. TableStream writes one line for
// each row: the predicted class, then the probability and the score if they are given.
type TableStream struct {
	path   string
	in     *csv.Reader
	target string   // name of the class
	names  []string // names of the fields; nil until the first line with the names has been read
	data   datasets.Discrete
}

// NewTableStream returns a stream of rows. The argument names has the names of the variables. If it is nil, the first
// line has the names. The argument target is the name of the variable that is the class.
func NewTableStream(path string, r io.Reader, names []string, target string) *TableStream {
	in := csv.NewReader(r)
	in.FieldsPerRecord, in.ReuseRecord, in.TrimLeadingSpace = -1, true, true
	return &TableStream{path: path, in: in, names: names, target: target}
}

// Next implements datasets.Stream.
func (s *TableStream) Next() (datasets.Data, error) {
	record, err := s.record()
	if err != nil {
		return nil, err
	}
	if s.data.Variables == nil {
		if s.names == nil {
			s.names = slices.Clone(record)
			s.names[0] = strings.TrimPrefix(s.names[0], "\ufeff")
			if record, err = s.record(); err != nil {
				return nil, err
			}
		} else if len(record) == len(s.names)-1 {
			s.names = slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return name == s.target })
		}
		for _, name := range s.names {
			s.data.Variables = append(s.data.Variables, datasets.Variable{Name: name, Values: make([]string, 1)})
		}
		s.data.Class, s.data.Value = slices.Index(s.names, s.target), make([]uint8, len(s.names))
	}
	if n := len(record); n != len(s.names) {
		return nil, s.fault(min(n, len(s.names))-1, fmt.Sprintf("%d values: want %d, from %s to %s", n, len(s.names),
			s.names[0], s.names[len(s.names)-1]))
	}
	for v, text := range record {
		if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			return nil, s.fault(v, fmt.Sprintf("%q is not text: want a file in UTF-8", text))
		}
		s.data.Variables[v].Values[0] = text
	}
	return &s.data, nil
}

// record returns the fields of the next line.
func (s *TableStream) record() ([]string, error) {
	record, err := s.in.Read()
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return nil, &datasets.SyntaxError{Path: s.path, Line: syntax.Line, Column: syntax.Column, Msg: syntax.Err.Error()}
	}
	return record, err
}

// fault returns an error with the position of the given field of the current line.
func (s *TableStream) fault(field int, what string) error {
	line, column := s.in.FieldPos(field)
	return &datasets.SyntaxError{Path: s.path, Line: line, Column: column, Msg: what}
}

// Line implements datasets.Stream.
func (s *TableStream) Line() int {
	line, _ := s.in.FieldPos(0)
	return line
}

// Append implements datasets.Stream.
func (s *TableStream) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	p := predicted.(*datasets.Discrete)
	to = appendHeader(to, s.target, beside)
	return appendBeside(append(to, p.Variables[p.Class].Values[p.Value[p.Class]]...), beside)
}
