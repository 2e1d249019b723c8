// Package replace writes files at once: a reader sees the old content or the whole new content, never a part.
package replace

import (
	"io"
	"os"
)

// Write replaces the file at a path, or creates it, with what the function write writes. If write returns an error, the
// old file stays.
func Write(path string, perm os.FileMode, write func(io.Writer) error) error {
	f, err := create(path, perm)
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}
