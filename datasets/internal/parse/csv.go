package parse

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gaplab/gaplab/datasets"
)

// csvFile reads a table in CSV (RFC 4180), whose first line has the names of the columns. It removes white space around
// fields, and skips empty lines.
type csvFile struct {
	path   string
	in     *csv.Reader
	from   string   // name of the encoding from which the text was decoded; "": UTF-8
	names  []string // names of the columns
	record []string // fields of the current row
}

// openCSV reads the line with the names of the columns. Errors name the file by path.
func openCSV(path string, r io.Reader, comma rune) (*csvFile, error) {
	d, _ := r.(decoded)
	text := bufio.NewReaderSize(r, 1<<16)
	if mark, _ := text.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = text.Discard(3) // cannot fail, since Peek has read these bytes
	}
	f := &csvFile{path: path, in: csv.NewReader(text), from: d.from}
	f.in.Comma, f.in.FieldsPerRecord, f.in.ReuseRecord = comma, -1, true
	f.in.TrimLeadingSpace = comma != '\t' // otherwise it would remove empty fields between tabs
	err := f.read()
	if errors.Is(err, io.EOF) {
		return nil, f.faultAt(1, 1, "no text: want a line with the names of the columns, and then the rows")
	}
	if err != nil {
		return nil, err
	}
	f.names = slices.Clone(f.record)
	return f, f.checkNames()
}

// checkNames returns an error unless the first line has unique names.
func (f *csvFile) checkNames() error {
	for j, name := range f.names {
		if err := f.checkText(j); err != nil {
			return err
		}
		_, number := parseDecimal([]byte(name))
		_, whole := parseIndex([]byte(name))
		switch {
		case name == "":
			return f.fault(j, "column %d has no name: want the names of all columns in the first line (pandas omits its "+
				"column of row numbers with to_csv(index=False))", j+1)
		case number && !whole:
			return f.fault(j, "the number %s is in the place of a name: want the names of the columns in the first line", name)
		case slices.Contains(f.names[:j], name):
			return f.fault(j, "two columns have the name %q: want unique names of the columns in the first line", name)
		}
	}
	return nil
}

// next reads the next row. It returns io.EOF after the last row.
func (f *csvFile) next() error {
	if err := f.read(); err != nil {
		return err
	}
	if n := len(f.record); n != len(f.names) {
		return f.fault(min(n, len(f.names))-1, "%d fields: want %d, one for each name in the first line", n, len(f.names))
	}
	return nil
}

// read reads one line of fields.
func (f *csvFile) read() (err error) {
	f.record, err = f.in.Read()
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return f.faultAt(syntax.Line, syntax.Column, syntax.Err.Error())
	}
	for j, text := range f.record {
		f.record[j] = strings.TrimSpace(text)
	}
	return err
}

// checkText returns an error if field j of the current row has bytes that are not text.
func (f *csvFile) checkText(j int) error {
	text := f.record[j]
	switch {
	case f.from != "" && strings.Contains(text, "\ufffd"):
		return f.fault(j, "%q has bytes that are not a character in the encoding %s: is the file in another encoding?", text,
			f.from)
	case !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0:
		return f.fault(j, "%q is not text: want a file in UTF-8, or its encoding under the key encoding, such as ISO-8859-1",
			text)
	}
	return nil
}

// value returns field j of the current row. It returns an error if the value is missing.
func (f *csvFile) value(j int) (string, error) {
	text := f.record[j]
	if isMissing(text) {
		return "", f.fault(j, "column %q has the missing value %q: want a value in each row; remove the row, or write a "+
			"value, such as the mean of the column or the name of a category of its own", f.names[j], text)
	}
	return text, nil
}

// isMissing reports whether a field states that its value is missing.
func isMissing(text string) bool {
	switch text {
	case "", "?", "NA", "N/A", "NaN", "nan", "null", "NULL":
		return true
	}
	return false
}

// line returns the line at which the current row begins.
func (f *csvFile) line() int {
	line, _ := f.in.FieldPos(0)
	return line
}

// fault returns an error with the position of field j of the current row. Long texts in args are shortened.
func (f *csvFile) fault(j int, format string, args ...any) error {
	for i, a := range args {
		if s, ok := a.(string); ok && len(s) > 60 {
			args[i] = strings.ToValidUTF8(s[:60], "") + "..."
		}
	}
	line, column := f.in.FieldPos(j)
	return f.faultAt(line, column, fmt.Sprintf(format, args...))
}

func (f *csvFile) faultAt(line, column int, what string) error {
	return &datasets.SyntaxError{Path: f.path, Line: line, Column: max(1, column), Msg: what}
}
