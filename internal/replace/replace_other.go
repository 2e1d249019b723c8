//go:build !windows

package replace

import (
	"os"

	"github.com/google/renameio/v2"
)

// WriteFile replaces the file at a path, or creates it.
func WriteFile(path string, data []byte, perm os.FileMode) error {
	return renameio.WriteFile(path, data, perm)
}

// create returns a new file that does not have its name yet. CloseAtomicallyReplace gives it the name; Cleanup removes
// it if it has none.
func create(path string, perm os.FileMode) (*renameio.PendingFile, error) {
	return renameio.NewPendingFile(path, renameio.WithPermissions(perm))
}
