package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// WriteTemp creates a temporary file in the folder of base, and calls write to fill it. It returns the path of the
// file.
func WriteTemp(base string, write func(io.Writer) error) (string, error) {
	out, err := os.CreateTemp(filepath.Dir(base), filepath.Base(base)+".*.part")
	if err != nil {
		return "", err
	}
	err = write(out)
	if err = errors.Join(err, out.Chmod(0o644), out.Sync(), out.Close()); err != nil {
		os.Remove(out.Name())
		return "", err
	}
	return out.Name(), nil
}

// DiskError is an error of the local disk. After such an error, trying another URL is useless.
type DiskError struct{ Err error }

func (e *DiskError) Error() string { return e.Err.Error() }
func (e *DiskError) Unwrap() error { return e.Err }

// DiskFailure wraps an error of the disk, and adds advice if the disk is full. If left is positive, the advice states
// that left bytes are needed.
func DiskFailure(err error, left int64) error {
	if errors.Is(err, syscall.ENOSPC) {
		room := "some space"
		if left > 0 {
			room = fmt.Sprintf("%d bytes or more", left)
		}
		return &DiskError{fmt.Errorf(
			"the disk of the cache is full: free %s there, or set XDG_CACHE_HOME to another disk, and fetch again: %w", room,
			err)}
	}
	return &DiskError{Err: err}
}
