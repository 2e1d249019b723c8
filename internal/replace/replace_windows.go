// Package replace writes files at once: a reader sees the old content or the whole new content, never a part.
package replace

import (
	"os"
	"path/filepath"
)

// File is a new file that does not have its name yet. CloseAtomicallyReplace gives it the name; Cleanup removes it if
// it has none.
type File struct {
	*os.File
	path string
	done bool
}

// WriteFile replaces the file at a path, or creates it.
func WriteFile(path string, data []byte, perm os.FileMode) error {
	f, err := New(path, perm)
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// New returns a file that will replace the file at a path, or be the file there. Windows has no permissions of this
// kind.
func New(path string, _ os.FileMode) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return nil, err
	}
	return &File{File: f, path: path}, nil
}

// CloseAtomicallyReplace closes the file and gives it its name. On Windows, os.Rename replaces an existing file.
func (f *File) CloseAtomicallyReplace() error {
	if err := f.Sync(); err != nil {
		return err
	}
	f.done = true
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), f.path)
}

// Cleanup closes and removes the file unless CloseAtomicallyReplace has closed it.
func (f *File) Cleanup() error {
	if f.done {
		return nil
	}
	f.done = true
	if err := f.Close(); err != nil {
		return err
	}
	return os.Remove(f.Name())
}
