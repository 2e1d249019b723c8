package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/gaplab/gaplab/internal/replace"
)

// Writer appends the rows of one run to its file. It must be used by one goroutine at a time.
type Writer struct {
	file *os.File
	sum  hash.Hash // hash of the bytes written so far
	rows int
}

// NewWriter writes the manifest of a run to an empty file. Writer.Close closes the file.
func NewWriter(file *os.File, m Manifest) (*Writer, error) {
	w := &Writer{file: file, sum: sha256.New()}
	m.Format = Format
	text, err := encode(line{Manifest: &m})
	if err != nil {
		err = fmt.Errorf("%s: manifest: %w", file.Name(), err)
	} else {
		err = w.write(text)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return w, nil
}

// Append writes one row with one system call. Therefore a crash of the program loses no row for which Append has
// returned. All values must be finite: the caller must leave out all other values.
func (w *Writer) Append(r Row) error {
	text, err := encodeRow(r)
	if err != nil {
		return fmt.Errorf("%s: row %d: %w", w.file.Name(), w.rows+1, err)
	}
	if err := w.write(text); err != nil {
		return err
	}
	w.rows++
	return nil
}

// Close writes the end line, with the number of rows and the digest, and closes the file. Call it once.
func (w *Writer) Close(end End) error {
	end.Rows = w.rows
	text, err := encodeEnd(end, w.sum)
	if err == nil {
		err = w.write(text)
	} else {
		err = fmt.Errorf("%s: end: %w", w.file.Name(), err)
	}
	if err == nil {
		err = w.file.Sync()
	}
	if closed := w.file.Close(); err == nil {
		err = closed
	}
	return err
}

func (w *Writer) write(text []byte) error {
	w.sum.Write(text)
	_, err := w.file.Write(text)
	return err
}

// Save writes the trace to path atomically. The same trace always gives the same bytes.
func (f *File) Save(path string) error {
	text, err := f.text()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return replace.WriteFile(path, text, 0o666)
}

// text returns the bytes that a Writer would write for the trace.
func (f *File) text() ([]byte, error) {
	m := f.Manifest
	m.Format = Format
	out, err := encode(line{Manifest: &m})
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	for i, r := range f.Rows {
		text, err := encodeRow(r)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		out = append(out, text...)
	}
	if f.End == nil {
		return out, nil
	}
	end, sum := *f.End, sha256.New()
	end.Rows = len(f.Rows)
	sum.Write(out)
	text, err := encodeEnd(end, sum)
	if err != nil {
		return nil, fmt.Errorf("end: %w", err)
	}
	return append(out, text...), nil
}

// line is one line of a file. Exactly one of Manifest, Row and End is set.
type line struct {
	Manifest *Manifest          `json:"manifest,omitempty"`
	Row      map[string]float64 `json:"row,omitempty"`
	Warnings []string           `json:"warnings,omitempty"` // warnings of the row
	End      *End               `json:"end,omitempty"`
	Digest   string             `json:"digest,omitempty"` // with End: SHA-256 of all bytes of the file before the digest
}

func encodeRow(r Row) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		if v := r.Values[name]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("column %q is %v: rows contain finite numbers only; leave the column out", name, v)
		}
	}
	if len(r.Values) == 0 {
		return nil, fmt.Errorf("the row has no column")
	}
	return encode(line{Row: r.Values, Warnings: r.Warnings})
}

// encode returns one line of JSON. Each float is written as the shortest text that is read back as the same float.
func encode(l line) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

const (
	beforeDigest = `,"digest":"` // text before the digest in an end line; afterDigest is the text after it
	afterDigest  = "\"}\n"
)

// encodeEnd returns the end line of a file. sum must have hashed all bytes before this line.
func encodeEnd(end End, sum hash.Hash) ([]byte, error) {
	text, err := encode(line{End: &end})
	if err != nil {
		return nil, err
	}
	text = append(text[:len(text)-len("}\n")], beforeDigest...)
	sum.Write(text)
	return append(hex.AppendEncode(text, sum.Sum(nil)), afterDigest...), nil
}

// sealed reports whether a text ends with a digest (has), and whether the digest matches the bytes before it (holds).
func sealed(text []byte) (has, holds bool) {
	at := len(text) - len(afterDigest) - 2*sha256.Size
	if at < len(beforeDigest) || !bytes.HasSuffix(text[:at], []byte(beforeDigest)) ||
		!bytes.HasSuffix(text, []byte(afterDigest)) {
		return false, false
	}
	sum := sha256.Sum256(text[:at])
	return true, hex.EncodeToString(sum[:]) == string(text[at:len(text)-len(afterDigest)])
}
