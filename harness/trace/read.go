package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrDamaged is wrapped by the error of Read if the bytes of a file have changed since they were written.
var ErrDamaged = errors.New("damaged")

// ErrFormat is wrapped by the error of Read if the program does not know the layout of a file.
var ErrFormat = errors.New("not a layout that this program reads")

// Read reads one file. A file without an end line is a run that did not end. If a crash cut off the last line, Read
// skips this line and adds a warning. Any other damage is an error with file and line. A digest that does not match the
// bytes before it is an error too.
func Read(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// ReadDir reads all *.jsonl files in and below dir, sorted by their position in the plan, then by path. It skips names
// that begin with a dot. If some files cannot be read, it returns the others, and an error that names each unreadable
// file. If dir does not exist, the error is fs.ErrNotExist.
func ReadDir(dir string) ([]*File, error) {
	var files []*File
	var bad []error
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if path != dir && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		case filepath.Ext(path) != ".jsonl" || strings.HasPrefix(entry.Name(), "."):
			return nil
		}
		file, err := Read(path)
		if err != nil {
			bad = append(bad, err)
			return nil
		}
		files = append(files, file)
		return nil
	})
	slices.SortStableFunc(files, func(a, b *File) int {
		return cmp.Or(cmp.Compare(a.Manifest.Order, b.Manifest.Order), cmp.Compare(a.Path, b.Path))
	})
	return files, errors.Join(append(bad, err)...)
}

// Parse decodes the text of a trace as Read does. Errors and warnings name the file path.
func Parse(path string, text []byte) (*File, error) {
	f := &File{Path: path}
	seen := false // whether the manifest has been read
	has, holds := sealed(text)
	if err := knownFormat(text); err != nil {
		return nil, fmt.Errorf("%s:1: %w", path, err)
	}
	for number := 1; len(text) > 0; number++ {
		row, rest, whole := bytes.Cut(text, []byte("\n"))
		text = rest
		var l line
		if err := decode(row, &l); err != nil {
			if !whole && seen && f.End == nil {
				f.Warnings = append(f.Warnings,
					fmt.Sprintf("%s:%d: the last line is incomplete and was skipped: the run did not end", path, number))
				break
			}
			return nil, damage(path, number, err)
		}
		if err := f.add(l, &seen); err != nil {
			return nil, damage(path, number, err)
		}
	}
	switch {
	case has && !holds:
		return nil, fmt.Errorf("%s: %w: its digest does not match its bytes", path, ErrDamaged)
	case seen && f.End != nil && !has && f.Manifest.Format == Format:
		return nil, fmt.Errorf("%s: %w: its end line has no digest", path, ErrDamaged)
	}
	if !seen {
		return nil, damage(path, 1, errors.New("the file is empty: a trace begins with a manifest line"))
	}
	return f, nil
}

// damage returns an error that wraps ErrDamaged. Its text has the file, the line and the reason.
func damage(path string, number int, why error) error {
	return &damaged{fmt.Errorf("%s:%d: %w", path, number, why)}
}

type damaged struct{ error }

func (d *damaged) Is(target error) bool { return target == ErrDamaged }
func (d *damaged) Unwrap() error        { return d.error }

func (f *File) add(l line, seen *bool) error {
	switch {
	case f.End != nil:
		return errors.New("a line after the end line")
	case !*seen:
		if l.Manifest == nil {
			return errors.New("the first line is not a manifest")
		}
		f.Manifest = *l.Manifest
		*seen = true
	case l.Manifest != nil:
		return errors.New("a second manifest")
	case l.End != nil:
		if l.End.Rows != len(f.Rows) {
			return fmt.Errorf("the end line counts %d rows, but the file has %d", l.End.Rows, len(f.Rows))
		}
		f.End = l.End
	default:
		f.Rows = append(f.Rows, Row{Values: l.Row, Warnings: l.Warnings})
	}
	return nil
}

// knownFormat returns an error if the first line is a manifest of an unknown layout. It ignores unknown JSON keys,
// since a later layout may have more keys.
func knownFormat(text []byte) error {
	var first struct {
		Manifest *struct{ Format string } `json:"manifest"`
	}
	row, _, _ := bytes.Cut(text, []byte("\n"))
	if json.Unmarshal(row, &first) != nil || first.Manifest == nil {
		return nil // not a manifest; Parse returns an error for this
	}
	if format := first.Manifest.Format; format != Format && format != formatFirst {
		return fmt.Errorf("format %q: %w; this program reads %q and %q", format, ErrFormat, formatFirst, Format)
	}
	return nil
}

// decode reads one line. It accepts only known keys, one JSON object, and exactly one of manifest, row and end.
func decode(text []byte, l *line) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("an empty line")
		}
		return fmt.Errorf("not a line of a trace: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more text after the JSON object")
	}
	kinds := 0
	for _, is := range []bool{l.Manifest != nil, len(l.Row) > 0, l.End != nil} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		return errors.New(`a line must have exactly one of "manifest", "row" (with columns) and "end"`)
	}
	if l.Warnings != nil && l.Row == nil {
		return errors.New(`"warnings" belong to a "row" only`)
	}
	return nil
}
