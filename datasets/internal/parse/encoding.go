package parse

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/gaplab/gaplab/datasets"
)

// Encoding is a character encoding. The zero value is UTF-8.
type Encoding struct {
	name string
	of   encoding.Encoding // nil: UTF-8
}

// FindEncoding returns the encoding with the given IANA name, such as ISO-8859-1 or UTF-16, or with a name that web
// pages use, such as cp1252. An empty name means UTF-8.
func FindEncoding(name string) (Encoding, error) {
	if name == "" {
		return Encoding{}, nil
	}
	of, err := ianaindex.IANA.Encoding(name)
	if of == nil || err != nil {
		of, err = htmlindex.Get(name)
	}
	if err != nil || of == encoding.Replacement {
		return Encoding{}, fmt.Errorf("unknown encoding %q: want an IANA name such as ISO-8859-1", name)
	}
	if of == unicode.UTF8 {
		return Encoding{}, nil
	}
	return Encoding{name, of}, nil
}

// Name returns the name of the encoding in lower-case letters. The name of UTF-8 is empty.
func (e Encoding) Name() string { return strings.ToLower(e.name) }

// Decode returns a reader that converts r to UTF-8. If Lines reads bytes that are not text from this reader, the error
// advises to set the key encoding.
func (e Encoding) Decode(r io.Reader) io.Reader {
	if e.of != nil {
		r = transform.NewReader(r, e.of.NewDecoder())
	}
	return decoded{r, e.name}
}

// decoded is a text that was converted to UTF-8 from the encoding that a setting names.
type decoded struct {
	io.Reader
	from string // name of the original encoding; "": UTF-8
}

// Encode returns a stream that writes its examples in the encoding. A replacement is written for characters that the
// encoding does not have.
func (e Encoding) Encode(s datasets.Stream) datasets.Stream {
	if e.of == nil {
		return s
	}
	out := &encoded{Stream: s}
	out.to = transform.NewWriter(&out.bytes, encoding.ReplaceUnsupported(e.of.NewEncoder()))
	return out
}

// encoded is a stream that writes in an encoding. The same encoder writes all examples, so only the first example gets
// a byte order mark.
type encoded struct {
	datasets.Stream
	text  []byte
	to    *transform.Writer
	bytes bytes.Buffer
}

// Doubts implements datasets.Doubter.
func (e *encoded) Doubts() []string {
	if d, ok := e.Stream.(datasets.Doubter); ok {
		return d.Doubts()
	}
	return nil
}

// Fields implements datasets.Columnar.
func (e *encoded) Fields() []string {
	if c, ok := e.Stream.(datasets.Columnar); ok {
		return c.Fields()
	}
	return nil
}

// Token implements datasets.Columnar.
func (e *encoded) Token() []string {
	if c, ok := e.Stream.(datasets.Columnar); ok {
		return c.Token()
	}
	return nil
}

// Unknown implements datasets.Novel.
func (e *encoded) Unknown() map[string]string {
	if n, ok := e.Stream.(datasets.Novel); ok {
		return n.Unknown()
	}
	return nil
}

// Append implements datasets.Stream.
func (e *encoded) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	e.text = e.Stream.Append(e.text[:0], predicted, beside)
	e.bytes.Reset()
	if _, err := e.to.Write(e.text); err != nil {
		panic("parse: " + err.Error()) // impossible: writes to a buffer do not fail, and unsupported characters are replaced
	}
	return append(to, e.bytes.Bytes()...)
}
