package datasets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// lineReader reads a text line by line, and says where a fault stands. Memory is that of the longest line.
type lineReader struct {
	in   *bufio.Reader
	path string
	line int    // number of the present line, from 1
	long []byte // a line that is longer than the reader's buffer
}

func newLineReader(path string, r io.Reader) lineReader {
	return lineReader{in: bufio.NewReaderSize(r, 1<<16), path: path}
}

// readLine returns the next line without its end, borrowed. A byte order mark is no part of the first line.
func (l *lineReader) readLine() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			l.long = append(l.long, part...)
			continue
		}
		if err != nil && (err != io.EOF || len(part)+len(l.long) == 0) {
			return nil, err
		}
		l.line++
		if len(l.long) > 0 {
			l.long = append(l.long, part...)
			part = l.long
		}
		if l.line == 1 {
			part = bytes.TrimPrefix(part, []byte("\ufeff"))
		}
		return bytes.TrimRight(part, "\r\n"), nil
	}
}

// readText is readLine for formats that are UTF-8 throughout.
func (l *lineReader) readText() ([]byte, error) {
	line, err := l.readLine()
	if err != nil || utf8.Valid(line) && bytes.IndexByte(line, 0) < 0 {
		return line, err
	}
	at := 0
	for {
		r, n := utf8.DecodeRune(line[at:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			return nil, l.fault(at, "byte 0x%02x is not text: want a file in UTF-8", line[at])
		}
		at += n
	}
}

// fault is an error at byte at of the present line.
func (l *lineReader) fault(at int, format string, args ...any) error {
	for i, a := range args {
		if b, ok := a.([]byte); ok && len(b) > 40 {
			args[i] = append(b[:40:40], "..."...)
		}
	}
	return &SyntaxError{Path: l.path, Line: l.line, Column: at + 1, Msg: fmt.Sprintf(format, args...)}
}

// SyntaxError is a fault in a text file: what is wrong there, and what would be right.
type SyntaxError struct {
	Path   string
	Line   int // from 1
	Column int // in bytes, from 1
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Msg)
}

// skipSpace returns the place of the next byte that is no space, from at on.
func skipSpace(line []byte, at int) int {
	for at < len(line) && isSpace(line[at]) {
		at++
	}
	return at
}

// skipToken returns the place of the next space, from at on.
func skipToken(line []byte, at int) int {
	for at < len(line) && !isSpace(line[at]) {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
