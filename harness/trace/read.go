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

// Read reads one file. A last line that a crash tore is left out and said in Warnings; any other damage is an error
// with file and line.
func Read(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(path, text)
}

// ReadDir reads all *.jsonl files in and below dir, in the order of their plan, then by path. It returns the files
// that can be read even when others cannot: then the error names each of those. A dir that does not exist is an
// error of kind fs.ErrNotExist.
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

func parse(path string, text []byte) (*File, error) {
	f := &File{Path: path}
	seen := false // the manifest
	for number := 1; len(text) > 0; number++ {
		row, rest, whole := bytes.Cut(text, []byte("\n"))
		text = rest
		var l line
		if err := decode(row, &l); err != nil {
			if !whole && seen && f.End == nil {
				f.Warnings = append(f.Warnings,
					fmt.Sprintf("%s:%d: the last line is torn and was left out: the run did not end", path, number))
				break
			}
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if err := f.add(l, &seen); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	if !seen {
		return nil, fmt.Errorf("%s:1: the file is empty: a trace begins with a manifest line", path)
	}
	return f, nil
}

func (f *File) add(l line, seen *bool) error {
	switch {
	case f.End != nil:
		return errors.New("a line after the end line")
	case !*seen:
		if l.Manifest == nil {
			return errors.New("the first line is no manifest")
		}
		if l.Manifest.Format != Format {
			return fmt.Errorf("format %q: this program reads %q", l.Manifest.Format, Format)
		}
		f.Manifest = *l.Manifest
		*seen = true
	case l.Manifest != nil:
		return errors.New("a second manifest")
	case l.End != nil:
		if l.End.Rows != len(f.Rows) {
			return fmt.Errorf("the end line counts %d rows, the file has %d", l.End.Rows, len(f.Rows))
		}
		f.End = l.End
	default:
		f.Rows = append(f.Rows, Row{Values: l.Row, Warnings: l.Warnings})
	}
	return nil
}

// decode reads one line strictly: known keys, one value, exactly one of manifest, row and end.
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
		return errors.New(`a line holds exactly one of "manifest", "row" (with columns) and "end"`)
	}
	if l.Warnings != nil && l.Row == nil {
		return errors.New(`"warnings" stand beside a "row" only`)
	}
	return nil
}
