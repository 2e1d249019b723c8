package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gaplab/gaplab/datasets/internal/store"
)

// File is one file of a data set. Bytes and SHA256 are of the decompressed content, so that a copy in another
// wrapping (.gz, .bz2, .Z or none) is recognised as the same file.
//
// With Member, the URLs are those of zip archives, each ending in the archive's file name. The file is then the
// contents of the archive's members whose names match the pattern Member, one after the other in the order of their
// names.
type File struct {
	Name   string   `json:"name"`             // slash-separated path below GAPLAB_DATA or the cache
	URLs   []string `json:"urls"`             // tried in this order
	Member string   `json:"member,omitempty"` // pattern of path.Match for names in the archive, or ""
	Bytes  int64    `json:"bytes"`            // of the content
	SHA256 string   `json:"sha256"`           // of the content, in hexadecimal digits
}

// stem is the name without the suffix of its wrapping. That suffix is not trusted: the first bytes of the content
// decide.
func (f File) stem() string {
	name := f.Name
	for _, s := range store.Suffixes() {
		name = strings.TrimSuffix(name, s)
	}
	return name
}

// names lists the names that a copy may have: the catalogue's first, then those of other wrappings.
func (f File) names() []string {
	names := []string{f.Name}
	for _, s := range store.Suffixes() {
		if n := f.stem() + s; n != f.Name {
			names = append(names, n)
		}
	}
	return names
}

// archives lists the names of the archives that the file is a member of, in its folder, as its URLs name them.
func (f File) archives() []string {
	if f.Member == "" {
		return nil
	}
	names := make([]string, len(f.URLs))
	for i, url := range f.URLs {
		names[i] = path.Join(path.Dir(f.Name), path.Base(url))
	}
	return names
}

// origin names the place that a copy of the file comes from, in errors: a path or URL, and the members of an archive.
func (f File) origin(place string) string {
	if f.Member == "" {
		return place
	}
	return place + ": " + f.Member
}

// in finds a copy of the file below dir. With bare, the folders of its name may be missing.
func (f File) in(dir string, bare bool) (string, bool) { return firstIn(dir, f.names(), bare) }

// archiveIn finds an archive of the file below dir, as in finds a copy.
func (f File) archiveIn(dir string, bare bool) (string, bool) {
	return firstIn(dir, f.archives(), bare)
}

// firstIn finds the first of the names that exists below dir. A file that cannot be examined counts as found: opening
// it then says why.
func firstIn(dir string, names []string, bare bool) (string, bool) {
	if dir == "" {
		return "", false
	}
	for _, name := range names {
		at := []string{filepath.Join(dir, filepath.FromSlash(name))}
		if bare {
			at = append(at, filepath.Join(dir, path.Base(name)))
		}
		for _, p := range at {
			info, err := os.Stat(p)
			if err == nil && info.IsDir() || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
				continue
			}
			return p, true
		}
	}
	return "", false
}

// check reads the file at p and compares its decompressed content with the catalogue.
func (f File) check(ctx context.Context, p string) error {
	return f.read(ctx, p, func(io.Reader) error { return nil })
}

// read decompresses the file at p, passes it to parse, and compares the whole content with the catalogue. Wrong
// content outranks an error of parse, which would only be its consequence.
func (f File) read(ctx context.Context, p string, parse func(io.Reader) error) error {
	sum, parseErr, err := readHashed(ctx, p, parse)
	if err != nil {
		return err
	}
	if sum != f.SHA256 {
		return &ContentError{Path: p, Got: sum, Want: f.SHA256}
	}
	return parseErr
}

// readHashed decompresses the file at p by its content's first bytes, passes it to parse, and returns the hex SHA-256
// of the whole decompressed content, read to its end regardless of parse. err is an error of the file itself.
func readHashed(ctx context.Context, p string, parse func(io.Reader) error) (sum string, parseErr, err error) {
	file, err := os.Open(p)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	plain, err := store.Decompress(store.NewReader(ctx, file))
	if err != nil {
		return "", nil, readError(ctx, p, err)
	}
	hash := sha256.New()
	content := &stickyReader{r: io.TeeReader(plain, hash)}
	parseErr = parse(content)
	if content.err == nil {
		_, _ = io.Copy(io.Discard, content) // content.err keeps the error
	}
	if content.err != io.EOF {
		return "", nil, readError(ctx, p, content.err)
	}
	return hex.EncodeToString(hash.Sum(nil)), parseErr, nil
}

// readError distinguishes damaged content from a cancelled read and an error of the file system.
func readError(ctx context.Context, p string, err error) error {
	var system *fs.PathError
	if ctx.Err() != nil || errors.As(err, &system) {
		return fmt.Errorf("%s: %w", p, err)
	}
	return &ContentError{Path: p, Err: err}
}

// renamed makes an error of content name the place that the content came from, instead of a temporary file.
func renamed(err error, origin string) error {
	var content *ContentError
	if errors.As(err, &content) {
		content.Path = origin
	}
	return err
}

// stickyReader remembers the error that ended its reader.
type stickyReader struct {
	r   io.Reader
	err error
}

func (r *stickyReader) Read(b []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.r.Read(b)
	r.err = err
	return n, err
}
