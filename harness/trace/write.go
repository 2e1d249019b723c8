package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"
)

// Writer appends the rows of one run to its file. It is for one goroutine.
type Writer struct {
	file *os.File
	rows int
}

// Create starts the file of a run, with its folder, and writes the manifest. A file of that name is replaced: a key
// that is run again starts afresh.
func Create(path string, m Manifest) (*Writer, error) {
	m.Format = Format
	text, err := encode(line{Manifest: &m})
	if err != nil {
		return nil, fmt.Errorf("%s: manifest: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: file}
	if err := w.write(text); err != nil {
		file.Close()
		return nil, err
	}
	return w, nil
}

// Append writes one row, in one call to the system: a crash of the program loses no row that Append returned from.
// A value that is not finite is an error; leave such a column out.
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

// Close writes the end line, with the number of rows, and closes the file. It is called once.
func (w *Writer) Close(end End) error {
	end.Rows = w.rows
	text, err := encode(line{End: &end})
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
	_, err := w.file.Write(text)
	return err
}

// Save writes a whole file under path, atomically: for copies that are thinned or kept beside the code. The same
// values give the same bytes.
func (f *File) Save(path string) error {
	var out bytes.Buffer
	m := f.Manifest
	m.Format = Format
	text, err := encode(line{Manifest: &m})
	if err != nil {
		return fmt.Errorf("%s: manifest: %w", path, err)
	}
	out.Write(text)
	for i, r := range f.Rows {
		text, err := encodeRow(r)
		if err != nil {
			return fmt.Errorf("%s: row %d: %w", path, i+1, err)
		}
		out.Write(text)
	}
	if f.End != nil {
		end := *f.End
		end.Rows = len(f.Rows)
		text, err := encode(line{End: &end})
		if err != nil {
			return fmt.Errorf("%s: end: %w", path, err)
		}
		out.Write(text)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return renameio.WriteFile(path, out.Bytes(), 0o666)
}

// line is one line of a file: exactly one of Manifest, Row and End.
type line struct {
	Manifest *Manifest          `json:"manifest,omitempty"`
	Row      map[string]float64 `json:"row,omitempty"`
	Warnings []string           `json:"warnings,omitempty"` // with Row
	End      *End               `json:"end,omitempty"`
}

func encodeRow(r Row) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		if v := r.Values[name]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("column %q is %v: rows hold finite numbers only, leave the column out", name, v)
		}
	}
	if len(r.Values) == 0 {
		return nil, fmt.Errorf("the row has no column")
	}
	return encode(line{Row: r.Values, Warnings: r.Warnings})
}

// encode gives one line of JSON: keys sorted, floats in their shortest form that reads back the same.
func encode(l line) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
