package external

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// readDense reads w from a file with one number per line, in the order of w. After the last number, only blank lines
// may follow.
func readDense(w []float64, in io.Reader) error {
	lines := newLineReader(in)
	for j := range w {
		if !lines.next() {
			return lines.short(fmt.Sprintf("%d of %d weights", j, len(w)))
		}
		v, err := lines.number(strings.TrimSpace(lines.text))
		if err != nil {
			return err
		}
		w[j] = v
	}
	return lines.end(fmt.Sprintf("%d weights", len(w)))
}

// lineReader reads a text line by line, and counts the lines for error messages.
type lineReader struct {
	scanner *bufio.Scanner
	text    string
	at      int // line number of text, from 1
}

func newLineReader(in io.Reader) *lineReader {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<24) // lines may be long: a row has a weight for each class
	return &lineReader{scanner: s}
}

// next reads the next line into text. It reports whether there is one.
func (l *lineReader) next() bool {
	if !l.scanner.Scan() {
		return false
	}
	l.text = l.scanner.Text()
	l.at++
	return true
}

// fault returns a formatted error that begins with the number of the present line.
func (l *lineReader) fault(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", l.at, fmt.Sprintf(format, args...))
}

// number parses a finite number.
func (l *lineReader) number(field string) (float64, error) {
	v, err := strconv.ParseFloat(field, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, l.fault("%q: want a finite number", field)
	}
	return v, nil
}

// short returns the error for a file that ends, or cannot be read further, after the given part, such as "a header".
func (l *lineReader) short(part string) error {
	if err := l.scanner.Err(); err != nil {
		return fmt.Errorf("after line %d: %w", l.at, err)
	}
	return fmt.Errorf("the file ends at line %d, after %s", l.at, part)
}

// end returns an error if a line that is not blank follows the given part.
func (l *lineReader) end(part string) error {
	for l.next() {
		if strings.TrimSpace(l.text) != "" {
			return l.fault("%q follows the %s", l.text, part)
		}
	}
	return l.scanner.Err()
}

// exact returns the shortest decimal text that parses to exactly v.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// writeFile creates a file, and calls write to fill it.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err := write(buffered); err != nil {
		return err
	}
	return errors.Join(buffered.Flush(), f.Close())
}

// header reads the header of a model file of Joachims' SVM programs, and ends at the line with the vector of weights.
// The header is a line with the version and then lines "value # name". values maps the names to the values.
func (l *lineReader) header() (values map[string]string, err error) {
	values = map[string]string{}
	for l.next() {
		value, name, named := strings.Cut(l.text, "# ")
		switch {
		case named:
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		case len(values) > 0: // the first line, without "# ", is the version
			return values, nil
		}
	}
	return nil, l.short("a header without a vector of weights")
}

// vector parses the line "factor index:value ... #", and calls set with each index and factor·value. set reports
// whether the index is valid; want describes the valid indices for error messages. The line must be the last one.
func (l *lineReader) vector(want string, set func(index int, v float64) bool) error {
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(l.text), "#"))
	if len(fields) == 0 {
		return l.fault("want one vector of weights")
	}
	factor, err := l.number(fields[0])
	if err != nil {
		return err
	}
	for _, field := range fields[1:] {
		key, value, _ := strings.Cut(field, ":")
		if key == "qid" {
			continue
		}
		index, err := strconv.Atoi(key)
		if err != nil {
			return l.fault("%q: want %s", field, want)
		}
		v, err := l.number(value)
		if err != nil {
			return err
		}
		if !set(index, factor*v) {
			return l.fault("%q: want %s", field, want)
		}
	}
	return l.end("vector of weights")
}

// appendFeature appends " index:value" to a line, with the exact value. The index is feature + 1, because indices begin
// at 1.
func appendFeature(line []byte, feature int, value float64) []byte {
	line = strconv.AppendInt(append(line, ' '), int64(feature)+1, 10)
	return strconv.AppendFloat(append(line, ':'), value, 'g', -1, 64)
}
