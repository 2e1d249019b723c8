//go:build !windows

// Package replace writes files at once: a reader sees the old content or the whole new content, never a part.
package replace

import (
	"os"

	"github.com/google/renameio/v2"
)

// File is a new file that does not have its name yet. CloseAtomicallyReplace gives it the name; Cleanup removes it if
// it has none.
type File = renameio.PendingFile

// WriteFile replaces the file at a path, or creates it.
func WriteFile(path string, data []byte, perm os.FileMode) error {
	return renameio.WriteFile(path, data, perm)
}

// New returns a file that will replace the file at a path, or be the file there.
func New(path string, perm os.FileMode) (*File, error) {
	return renameio.NewPendingFile(path, renameio.WithPermissions(perm))
}
