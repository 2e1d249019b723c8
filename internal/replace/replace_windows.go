package replace

import (
	"io"
	"os"
	"path/filepath"
)

// WriteFile replaces the file at a path, or creates it.
func WriteFile(path string, data []byte, perm os.FileMode) error {
	return Write(path, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// pending is a new file that does not have its name yet. CloseAtomicallyReplace gives it the name; Cleanup removes it
// if it has none. It does what renameio.PendingFile does on other systems.
type pending struct {
	*os.File
	path string
	done bool
}

// create returns a new file that will replace the file at a path. Windows has no permissions of this kind.
func create(path string, _ os.FileMode) (*pending, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return nil, err
	}
	return &pending{File: f, path: path}, nil
}

// CloseAtomicallyReplace closes the file and gives it its name. On Windows, os.Rename replaces an existing file.
func (f *pending) CloseAtomicallyReplace() error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return err
	}
	f.done = true
	return nil
}

// Cleanup closes and removes the file unless it has its name.
func (f *pending) Cleanup() error {
	if f.done {
		return nil
	}
	f.done = true
	_ = f.Close() // it may be closed already
	return os.Remove(f.Name())
}
