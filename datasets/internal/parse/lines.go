// Package parse reads the file formats of data sets: rows in LIBSVM format, sentences in columns, bracketed trees and
// IDX arrays. A reader can read several files, one after another. The errors of a reader contain the file, the line and
// the column.
package parse

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/gaplab/gaplab/datasets"
)

// Lines reads a text line by line, and makes errors with file, line and column. It only needs memory for the longest
// line.
type Lines struct {
	in   *bufio.Reader
	Path string // path of the file, for errors
	Line int    // number of the current line, from 1
	read int64  // bytes of all lines so far
	long []byte // buffer for a line that is longer than the reader's buffer

	longest int    // approximate largest length of a line, in bytes
	chosen  bool   // if true, a setting names the encoding of the text
	from    string // name of the encoding from which the text was decoded; "": UTF-8
}

// NewLines returns a reader of the lines of r. Error messages name the file by path.
func NewLines(path string, r io.Reader) Lines {
	d, chosen := r.(decoded)
	return Lines{in: bufio.NewReaderSize(r, 1<<16), Path: path, longest: longestLine, chosen: chosen, from: d.from}
}

// longestLine is the largest accepted length of a line in bytes. A row of 20 million features is shorter.
const longestLine = 256 << 20

// ReadLine returns the next line without its line end. The line is valid until the next call. After the last line it
// returns io.EOF. A byte order mark at the start of the text is skipped.
func (l *Lines) ReadLine() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			if len(l.long) > l.longest {
				l.Line++
				return nil, l.Fault(len(l.long), "the line is too long: want at most %d bytes", l.longest)
			}
			l.long = append(l.long, part...)
			continue
		}
		l.read += int64(len(l.long) + len(part))
		if err != nil && (err != io.EOF || len(part)+len(l.long) == 0) {
			return nil, err
		}
		l.Line++
		if len(l.long) > 0 {
			l.long = append(l.long, part...)
			part = l.long
		}
		if l.Line == 1 {
			part = bytes.TrimPrefix(part, []byte("\ufeff"))
		}
		if l.from != "" {
			if at := bytes.Index(part, []byte("\ufffd")); at >= 0 {
				return nil, l.Fault(at, "these bytes are not a character in the encoding %s: is the file in another encoding?",
					l.from)
			}
		}
		for len(part) > 0 && (part[len(part)-1] == '\n' || part[len(part)-1] == '\r') {
			part = part[:len(part)-1]
		}
		return part, nil
	}
}

// textSize returns the length of the text of r in bytes; 0 if it is not known.
func textSize(r io.Reader) int64 {
	if d, ok := r.(decoded); ok && d.from == "" {
		r = d.Reader
	}
	if s, ok := r.(interface{ TextSize() int64 }); ok {
		return s.TextSize()
	}
	return 0
}

// ReadText returns the next line as ReadLine does. It returns an error if the line has bytes that are not text.
func (l *Lines) ReadText() ([]byte, error) {
	line, err := l.ReadLine()
	if err == nil {
		err = l.checkText(line, 0)
	}
	if err != nil {
		return nil, err
	}
	return line, nil
}

// checkText returns an error if text has bytes that are not text. text is a section of the current line that begins at
// byte at.
func (l *Lines) checkText(text []byte, at int) error {
	if utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 {
		return nil
	}
	begin := 0
	for {
		r, n := utf8.DecodeRune(text[begin:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			break
		}
		begin += n
	}
	want := "want a file in UTF-8"
	switch {
	case l.from != "":
		want = "is the file in another encoding than " + l.from + "?"
	case l.chosen:
		want += ", or its encoding under the key encoding, such as ISO-8859-1"
	}
	return l.Fault(at+begin, "byte 0x%02x is not text: %s", text[begin], want)
}

// Fault returns a *datasets.SyntaxError for byte at of the current line, counted from 0. Long texts in args are
// shortened.
func (l *Lines) Fault(at int, format string, args ...any) error {
	for i, a := range args {
		if b, ok := a.([]byte); ok && len(b) > 40 {
			args[i] = append(b[:40:40], "..."...)
		}
	}
	return &datasets.SyntaxError{Path: l.Path, Line: l.Line, Column: at + 1, Msg: fmt.Sprintf(format, args...)}
}

// SkipSpace returns the index of the first byte at or after at that is not white space, or the length of the line.
func SkipSpace(line []byte, at int) int {
	for at < len(line) && IsSpace(line[at]) {
		at++
	}
	return at
}

// skipToken returns the index of the first white space at or after at, or the length of the line.
func skipToken(line []byte, at int) int {
	for at < len(line) && !IsSpace(line[at]) {
		at++
	}
	return at
}

// IsSpace reports whether c is ASCII white space.
func IsSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
