package datasets

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Wrappings that are told by the first bytes of a file.
const (
	plainText  = ""
	gzipped    = ".gz"
	bzipped    = ".bz2"
	compressed = ".Z"
)

// wrapping names the wrapping of a content by its first bytes. The error names one that is not read.
func wrapping(head []byte) (string, error) {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzipped, nil
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) >= 10 &&
		bytes.Equal(head[4:10], []byte{0x31, 0x41, 0x59, 0x26, 0x53, 0x59}):
		return bzipped, nil
	case bytes.HasPrefix(head, []byte{0x1f, 0x9d}):
		return compressed, nil
	}
	for _, other := range []struct{ name, magic string }{
		{"xz", "\xfd7zXZ\x00"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"zip", "PK\x03\x04"}, {"7z", "7z\xbc\xaf\x27\x1c"},
	} {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return "", fmt.Errorf("content is in %s form, which is not read: unpack it, or pack it as .gz or .bz2", other.name)
		}
	}
	return plainText, nil
}

// decompress unwraps gzip (several members too), bzip2 and Unix compress by the content's first bytes; other content
// passes as it is.
func decompress(r io.Reader) (io.Reader, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	head, err := br.Peek(10)
	if err != nil && err != io.EOF {
		return nil, err
	}
	kind, err := wrapping(head)
	if err != nil {
		return nil, err
	}
	switch kind {
	case gzipped:
		return gzip.NewReader(br)
	case bzipped:
		return bzip2.NewReader(br), nil
	case compressed:
		return newLZWReader(br)
	default:
		return br, nil
	}
}

// unpack takes the file out of the zip archive at p, into a temporary file beside base, and checks it. Errors call the
// archive by the name origin.
func (f File) unpack(ctx context.Context, p, origin, base string) (temp string, err error) {
	archive, err := zip.OpenReader(p)
	if err != nil {
		return "", f.unpackError(ctx, origin, err)
	}
	defer archive.Close()
	members, err := f.members(&archive.Reader)
	if err != nil {
		return "", f.unpackError(ctx, origin, err)
	}
	temp, err = writeTemp(base, func(w io.Writer) error { return f.copyMembers(ctx, w, members) })
	if err != nil {
		return "", f.unpackError(ctx, origin, err)
	}
	if err := f.check(ctx, temp); err != nil {
		os.Remove(temp)
		return "", renamed(err, f.origin(origin))
	}
	return temp, nil
}

// members are those of the archive whose names match f.Member, in the order of their names. No folder matches: the name
// of one ends in a slash.
func (f File) members(archive *zip.Reader) ([]*zip.File, error) {
	var members []*zip.File
	for _, m := range archive.File {
		matched, err := path.Match(f.Member, m.Name)
		if err != nil {
			return nil, err
		}
		if matched {
			members = append(members, m)
		}
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("none of the %d members of the archive has such a name: not the published archive",
			len(archive.File))
	}
	slices.SortFunc(members, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	return members, nil
}

// copyMembers writes the members one after the other. It stops behind f.Bytes bytes: a small archive can hold more than
// the disk does.
func (f File) copyMembers(ctx context.Context, w io.Writer, members []*zip.File) error {
	left := f.Bytes + 1
	for _, m := range members {
		r, err := m.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		n, err := io.Copy(w, io.LimitReader(contextReader{ctx, r}, left))
		r.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if left -= n; left == 0 {
			return fmt.Errorf("%s: more than the catalogue's %d bytes: not the published archive", m.Name, f.Bytes)
		}
	}
	return nil
}

// unpackError tells an archive that is not the right one from an error of the disk and from a cancelled read.
func (f File) unpackError(ctx context.Context, origin string, err error) error {
	var system *fs.PathError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", f.origin(origin), err)
	case errors.As(err, &system):
		return diskFailure(err, f.Bytes)
	case errors.Is(err, zip.ErrFormat):
		err = fmt.Errorf("not a zip archive, or cut off: %w", err)
	}
	return &ContentError{Path: f.origin(origin), Err: err}
}
