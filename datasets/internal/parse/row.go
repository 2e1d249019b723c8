package parse

import (
	"bytes"
	"io"
	"math"
	"strconv"
)

// rowScanner reads rows of LIBSVM (SVM-light) text:
//
//	label index:value index:value ...   # comment
//
// A label is any token without a colon. Indices are whole numbers from 1 (or 0, with zeroBased), strictly increasing
// within a row. Values are finite decimals; zeros are not stored. Blank lines and comment lines are skipped.
type rowScanner struct {
	Lines
	zeroBased  bool // if true, indices count from 0, otherwise from 1
	unlabelled bool // if true, a row may lack a label; label is then empty
	grouped    bool // if true, qid:NUMBER may follow the label

	// label, qid, at, index and value are those of the current row. The slices are valid until the next row is read.
	label []byte
	qid   []byte    // text after qid:, nil if there is none
	at    int       // byte at which the label begins
	index []int32   // features, counted from 0
	value []float64 // values of the features
	dim   int       // number of features so far: the largest index plus 1, even if the value there is 0
}

func newRowScanner(path string, r io.Reader, zeroBased bool) *rowScanner {
	return &rowScanner{Lines: NewLines(path, r), zeroBased: zeroBased}
}

// next reads the next row. It returns io.EOF after the last row.
func (s *rowScanner) next() error {
	for {
		if kind, err := s.step(); err != nil || kind == rowLine {
			return err
		}
	}
}

// Kinds of lines in a file of rows.
const (
	blankLine = iota
	commentLine
	rowLine
)

// step reads the next line, and parses the line if it is a row. It returns io.EOF after the last line.
func (s *rowScanner) step() (kind int, err error) {
	line, err := s.ReadLine()
	if err != nil {
		return 0, err
	}
	switch at := SkipSpace(line, 0); {
	case at == len(line):
		return blankLine, nil
	case line[at] == '#':
		return commentLine, nil
	default:
		return rowLine, s.parse(line, at)
	}
}

// parse reads the row that begins at byte at of line.
func (s *rowScanner) parse(line []byte, at int) error {
	end := skipToken(line, at)
	s.label, s.at = line[at:end], at
	switch colon := bytes.IndexByte(s.label, ':') >= 0; {
	case colon && s.unlabelled:
		s.label, end = nil, at
	case colon:
		return s.Fault(at, "%q is in the place of the label: want LABEL INDEX:VALUE ...", s.label)
	}
	if err := s.checkText(s.label, at); err != nil {
		return err
	}
	if isList(s.label) {
		return s.Fault(at, "label %q is a list of numbers: want one label; rows with several labels are not supported",
			s.label)
	}
	s.index, s.value, s.qid = s.index[:0], s.value[:0], nil
	first, last := s.first(), int64(-1)
	for {
		at = SkipSpace(line, end)
		if at == len(line) || line[at] == '#' {
			return nil
		}
		if written, value, stop := plainFeature(line, at); stop > 0 && written >= first && written-first > last {
			last, end = written-first, stop
			s.add(last, value)
			continue
		}
		end = skipToken(line, at)
		if cut := bytes.IndexByte(line[at:end], '#'); cut >= 0 {
			line, end = line[:at+cut], at+cut
		}
		if text, ok := bytes.CutPrefix(line[at:end], []byte("qid:")); ok && s.grouped && last < 0 && s.qid == nil {
			s.qid = text
			continue
		}
		index, value, err := s.feature(line, at, end, last)
		if err != nil {
			return err
		}
		last = index
		s.add(index, value)
	}
}

// add adds a feature to the current row.
func (s *rowScanner) add(index int64, value float64) {
	s.dim = max(s.dim, int(index)+1)
	if value != 0 {
		s.index = append(s.index, int32(index))
		s.value = append(s.value, value)
	}
}

// first returns the number that the file gives to the first feature.
func (s *rowScanner) first() int64 {
	if s.zeroBased {
		return 0
	}
	return 1
}

// isList reports whether a label is a comma-separated list of numbers, as in files whose rows have several labels.
func isList(label []byte) bool {
	if bytes.IndexByte(label, ',') < 0 {
		return false
	}
	for number := range bytes.SplitSeq(label, []byte{','}) {
		if _, ok := parseDecimal(number); !ok {
			return false
		}
	}
	return true
}

// feature reads INDEX:VALUE in line[at:end]. The argument last is the previous index in the row, −1 for the first. The
// returned index counts from 0.
func (s *rowScanner) feature(line []byte, at, end int, last int64) (int64, float64, error) {
	token := line[at:end]
	colon := bytes.IndexByte(token, ':')
	if colon < 0 {
		return 0, 0, s.Fault(at, "%q has no colon: want INDEX:VALUE", token)
	}
	first := s.first()
	written, ok := parseIndex(token[:colon])
	if !ok {
		return 0, 0, s.Fault(at, "index %q is not a whole number from %d to %d", token[:colon], first, math.MaxInt32)
	}
	if written < first {
		return 0, 0, s.Fault(at, "index 0: LIBSVM counts features from 1; if this file counts from 0, set zero_based: true")
	}
	index := written - first
	if index == last {
		return 0, 0, s.Fault(at, "index %d occurs twice in the row", written)
	}
	if index < last {
		return 0, 0, s.Fault(at, "index %d after %d: want increasing indices", written, last+first)
	}
	at += colon + 1
	value, ok := parseDecimal(token[colon+1:])
	if !ok {
		return 0, 0, s.Fault(at, "value %q is not a finite decimal number", token[colon+1:])
	}
	return index, value, nil
}

// plainFeature reads INDEX:VALUE at byte at of line and returns the end of the token. It reads the usual notation only,
// in one pass: an index of at most nine digits, and a value that plainDecimal reads. For other tokens, end is 0.
func plainFeature(line []byte, at int) (index int64, value float64, end int) {
	start := at
	for at < len(line) && line[at]-'0' <= 9 {
		index = 10*index + int64(line[at]-'0')
		at++
	}
	if n := at - start; n == 0 || n > 9 || at == len(line) || line[at] != ':' {
		return 0, 0, 0
	}
	value, end = plainDecimal(line, at+1)
	if end < len(line) && !IsSpace(line[end]) {
		return 0, 0, 0
	}
	return index, value, end
}

// plainDecimal reads a decimal number without an exponent at byte at of line, and returns the first byte after it. If
// the number has more than 15 digits, or there is none, end is 0. The number m/10ᵏ has the bits that strconv gives,
// because m < 10¹⁵ and 10ᵏ are exact, and the division rounds correctly.
func plainDecimal(line []byte, at int) (value float64, end int) {
	negative := at < len(line) && line[at] == '-'
	if negative {
		at++
	}
	m, digits, power := int64(0), 0, 1.0
	for ; at < len(line) && line[at]-'0' <= 9 && digits <= 15; at++ {
		m = 10*m + int64(line[at]-'0')
		digits++
	}
	if at < len(line) && line[at] == '.' {
		for at++; at < len(line) && line[at]-'0' <= 9 && digits <= 15; at++ {
			m = 10*m + int64(line[at]-'0')
			power *= 10
			digits++
		}
	}
	if digits == 0 || digits > 15 {
		return 0, 0
	}
	value = float64(m) / power
	if negative {
		value = -value
	}
	return value, at
}

// parseIndex reads a whole number from 0 to MaxInt32.
func parseIndex(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 10 {
		return 0, false
	}
	n := int64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, n <= math.MaxInt32
}

// parseDecimal reads a finite decimal number. Unlike strconv, it refuses hexadecimal numbers, NaN and Inf.
func parseDecimal(b []byte) (float64, bool) {
	if v, end := plainDecimal(b, 0); end > 0 && end == len(b) {
		return v, true
	}
	for _, c := range b {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil
}
