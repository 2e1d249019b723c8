package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/gaplab/gaplab/datasets/internal/store"
)

// File is one file of a data set. Bytes and SHA256 describe the decompressed content, so a copy in another compression
// format (.gz, .bz2, .Z or none) counts as the same file.
//
// If Member is set, each URL is the address of a zip archive and ends in the file name of the archive. The content of
// the File is then the concatenation of all members of the archive whose names match the pattern Member, in the order
// of the names.
type File struct {
	Name   string   `json:"name"`             // slash-separated path below GAPLAB_DATA or the cache
	URLs   []string `json:"urls"`             // tried in this order
	Member string   `json:"member,omitempty"` // pattern (see path.Match) of members' names in the archive; "": none
	Bytes  int64    `json:"bytes"`            // length of the decompressed content
	SHA256 string   `json:"sha256"`           // hexadecimal SHA-256 of the decompressed content
}

// stem returns f.Name without the suffix of a compression format. (The format of a copy is recognised by its first
// bytes, not by its suffix.)
func (f File) stem() string {
	name := f.Name
	for _, s := range store.Suffixes() {
		name = strings.TrimSuffix(name, s)
	}
	return name
}

// names lists the names that a copy may have: first the name in the catalogue, then names with other suffixes.
func (f File) names() []string {
	names := []string{f.Name}
	for _, s := range store.Suffixes() {
		if n := f.stem() + s; n != f.Name {
			names = append(names, n)
		}
	}
	return names
}

// archives lists the paths of archives that may hold the file: the folder of the file joined with the last element of
// each URL.
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

// origin returns the source of a copy for error messages: a path or URL and, for an archive, the pattern of its
// members.
func (f File) origin(place string) string {
	if f.Member == "" {
		return place
	}
	return place + ": " + f.Member
}

// in finds a copy of the file in the folder dir, at one of the paths that names lists. If bare is true, it also accepts
// a copy with the base name of such a path.
func (f File) in(dir string, bare bool) (string, bool) { return firstIn(dir, f.names(), bare) }

// archiveIn finds an archive that contains the file, at one of the paths that archives lists, in the folder dir. If
// bare is true, it also accepts an archive with the base name of such a path.
func (f File) archiveIn(dir string, bare bool) (string, bool) {
	return firstIn(dir, f.archives(), bare)
}

// firstIn returns the path of the first file in names that exists in the folder dir. A file whose existence cannot be
// determined counts as found; the error of opening this file later states the reason.
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

// check reads the file at p and compares the SHA-256 of its decompressed content with that in the catalogue.
func (f File) check(ctx context.Context, p string) error {
	return f.read(ctx, p, nil, func(io.Reader) error { return nil })
}

// read decompresses the file at p, passes the content to parse, and compares the SHA-256 of the whole content with that
// in the catalogue. If the content is wrong, read returns a ContentError and not the error of parse, which is only a
// consequence. If notes is not nil, read records the file in notes.
func (f File) read(ctx context.Context, p string, notes *readFiles, parse func(io.Reader) error) error {
	c, parseErr, err := readHashed(ctx, p, f.Bytes, notes != nil, true, parse)
	if err != nil {
		return err
	}
	if c.sum != f.SHA256 {
		return &ContentError{Path: p, Got: c.sum, Want: f.SHA256}
	}
	notes.add(readFile{File: f}, c)
	return parseErr
}

// content describes a file that was read to its end.
type content struct {
	sum    string // hex SHA-256 of the decompressed content
	bytes  int64  // length of the decompressed content
	stored string // hex SHA-256 of the file on disk, as stored; "": not known
	size   int64  // size of the file on disk, in bytes
}

// readHashed decompresses the file at p, in the format that its first bytes indicate, and passes the content to parse.
// It reads the file to its end. After an error of parse, it reads the rest only if whole is true. If stored is true, it
// also hashes the file as stored on disk. bytes is the length of the content; 0 if it is not known. The result err is
// an error of reading or decompressing the file.
func readHashed(ctx context.Context, p string, bytes int64, stored, whole bool, parse func(io.Reader) error) (c content,
	parseErr, err error) {
	file, info, err := openFile(p)
	if err != nil {
		return c, nil, err
	}
	defer file.Close()
	raw := &summed{r: store.NewReader(ctx, file)}
	if stored {
		raw.hash = sha256.New()
	}
	plain, wrapping, err := store.Decompress(raw)
	if err != nil {
		return c, nil, readError(ctx, p, err)
	}
	if wrapping == store.Plain {
		raw.hash = nil // if the file is not compressed, c.sum is also the hash of the stored file
		bytes = info.Size()
	}
	in := &summed{r: newGuard(plain, bytes), hash: sha256.New(), size: bytes}
	parseErr = parse(in)
	if parseErr != nil && !whole && (in.err == nil || in.err == io.EOF) {
		return c, parseErr, nil
	}
	if in.err == nil {
		_, _ = io.Copy(io.Discard, in) // in.err stores the error
	}
	if in.err != io.EOF {
		return c, nil, readError(ctx, p, in.err)
	}
	c = content{sum: in.sum(), bytes: in.bytes}
	if !stored {
		return c, parseErr, nil
	}
	if _, err := io.Copy(io.Discard, raw); err != nil { // reads any bytes after the compressed content
		return c, parseErr, nil
	}
	c.size = raw.bytes
	if c.stored = c.sum; wrapping != store.Plain {
		c.stored = raw.sum()
	}
	return c, parseErr, nil
}

// storedAs reports whether the file at p, as it is on disk, has the given size and hexadecimal SHA-256.
func storedAs(ctx context.Context, p string, size int64, sum string) bool {
	file, info, err := openFile(p)
	if err != nil {
		return false
	}
	defer file.Close()
	if info.Size() != size {
		return false
	}
	in := &summed{r: store.NewReader(ctx, file), hash: sha256.New()}
	_, err = io.Copy(io.Discard, in)
	return err == nil && in.sum() == sum
}

// readError wraps an error of reading the file at p. The result is a ContentError, except if ctx was cancelled, the
// file system failed, or the memory is too small.
func readError(ctx context.Context, p string, err error) error {
	var system *fs.PathError
	if ctx.Err() != nil || errors.As(err, &system) || errors.Is(err, ErrTooLarge) {
		return fmt.Errorf("%s: %w", p, err)
	}
	return &ContentError{Path: p, Err: err}
}

// renamed replaces the path in a ContentError, which is the path of a temporary file, by the origin of the content: a
// path or URL.
func renamed(err error, origin string) error {
	var content *ContentError
	if errors.As(err, &content) {
		content.Path = origin
	}
	return err
}

// summed is a reader that reads from r. It hashes the bytes if hash is not nil, counts them, and stores the first error
// of r.
type summed struct {
	r     io.Reader
	hash  hash.Hash
	size  int64 // number of bytes in all; 0: not known
	bytes int64 // number of bytes so far
	err   error
}

// TextSize returns the length of the text in bytes; 0 if it is not known.
func (s *summed) TextSize() int64 { return s.size }

func (s *summed) Read(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(b)
	if s.err = err; s.hash != nil {
		s.hash.Write(b[:n])
	}
	s.bytes += int64(n)
	return n, err
}

// sum returns the hash of the bytes so far, in hexadecimal digits.
func (s *summed) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// readFile is a file that a loader has read: a file of its entry, or a file of the user.
type readFile struct {
	File   File   // the file of the entry; the zero value for a file of the user
	Path   string // path of the user's file, as in the settings; "" for a file of the entry
	Size   int64  // size on disk, in bytes
	SHA256 string // SHA-256 of the file as stored on disk; "": not known
}

// readFiles records the files that a loader reads.
type readFiles struct {
	mu    sync.Mutex
	files []readFile
	bytes int64 // total length of the decompressed contents
}

// add records the file f with the content c. If r is nil, add records nothing.
func (r *readFiles) add(f readFile, c content) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Size, f.SHA256 = c.size, c.stored
	r.files = append(r.files, f)
	r.bytes += c.bytes
}

// all returns the files and the total length of their decompressed contents. If the checksum of any of these files is
// not known, all returns no files.
func (r *readFiles) all() ([]readFile, int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.files {
		if f.SHA256 == "" {
			return nil, 0
		}
	}
	return r.files, r.bytes
}
