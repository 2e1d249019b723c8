package machine

import (
	"fmt"
	"io/fs"
)

// Regular returns an error if the file at path, to which info belongs, is a pipe, a device or a folder. Call it before
// the file is opened: opening a pipe may wait forever, and reading a device may never end.
func Regular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	what := "a device"
	switch info.Mode().Type() {
	case fs.ModeDir:
		what = "a folder"
	case fs.ModeNamedPipe:
		what = "a pipe"
	}
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is %s; accepted: a file", what)}
}
