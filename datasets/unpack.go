package datasets

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gaplab/gaplab/datasets/internal/store"
)

// unpack extracts f from the zip archive at p into a temporary file in the folder of base, and checks its content.
// Error messages name the archive by the text origin.
func (f File) unpack(ctx context.Context, p, origin, base string) (temp string, err error) {
	archive, err := zip.OpenReader(p)
	if err != nil {
		return "", f.unpackError(ctx, origin, err)
	}
	defer archive.Close()
	members, err := store.Members(&archive.Reader, f.Member)
	if err != nil {
		return "", f.unpackError(ctx, origin, err)
	}
	temp, err = store.WriteTemp(base, func(w io.Writer) error { return store.CopyMembers(ctx, w, members, f.Bytes) })
	if err != nil {
		return "", f.unpackError(ctx, origin, err)
	}
	if err := f.check(ctx, temp); err != nil {
		os.Remove(temp)
		return "", renamed(err, f.origin(origin))
	}
	return temp, nil
}

// unpackError wraps an error of extracting a file. The result is a ContentError, except if the read was cancelled or
// the disk failed.
func (f File) unpackError(ctx context.Context, origin string, err error) error {
	var system *fs.PathError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", f.origin(origin), err)
	case errors.As(err, &system):
		return store.DiskFailure(err, f.Bytes)
	case errors.Is(err, zip.ErrFormat):
		err = fmt.Errorf("not a zip archive, or cut off: %w", err)
	}
	return &ContentError{Path: f.origin(origin), Err: err}
}
