package store

import (
	"archive/zip"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Members returns the files of the archive whose names match the pattern (see path.Match), sorted by name.
func Members(archive *zip.Reader, pattern string) ([]*zip.File, error) {
	var members []*zip.File
	for _, m := range archive.File {
		matched, err := path.Match(pattern, m.Name)
		if err != nil {
			return nil, err
		}
		if matched && !strings.HasSuffix(m.Name, "/") { // a name with a slash is a folder
			members = append(members, m)
		}
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("none of the %d members of the archive has a name that matches: it is not the published "+
			"archive", len(archive.File))
	}
	slices.SortFunc(members, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	return members, nil
}

// CopyMembers writes the contents of the members one after another. It returns an error if they have more than size
// bytes together, since a small archive may decompress to more than the disk can hold.
func CopyMembers(ctx context.Context, w io.Writer, members []*zip.File, size int64) error {
	left := size + 1
	for _, m := range members {
		r, err := m.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		n, err := io.Copy(w, io.LimitReader(NewReader(ctx, r), left))
		r.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if left -= n; left == 0 {
			return fmt.Errorf("%s: more than the catalogue's %d bytes: it is not the published archive", m.Name, size)
		}
	}
	return nil
}

// NewReader returns a reader of r that returns an error once ctx is cancelled.
func NewReader(ctx context.Context, r io.Reader) io.Reader { return contextReader{ctx, r} }

// contextReader is a reader whose Read returns the error of the context once the context is cancelled.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}
