package datasets

import (
	"context"
	"encoding/json"
	"path/filepath"
	"runtime"
	"sync"
)

// Parsed says where data are kept as loaders gave them, in binary form, so that a later process need not read the text
// or images again: that takes a tenth of the time or less. Source.Load keeps them there and takes them from there.
//
// A file of the folder belongs to the code of a loader and its settings, and holds the SHA-256 of each file that the
// loader read, as it stands on the disk. It is used as long as these are the same, which takes reading them but neither
// unpacking nor parsing; the data are then the loader's, to the bit. Any other file, a damaged one too, is passed over
// and replaced. So the folder may be removed at any time, and results do not depend on it. Where it cannot be written,
// nothing is kept, without a word. A Treebank is never kept.
type Parsed struct {
	Folder string // "": nothing is kept
	Limit  int64  // bytes on disk in all; the data that have not been used for longest make room
	Least  int64  // data are kept if so many decompressed bytes were read: fewer take no time worth the room
}

// Defaults of Parsed in SourceFromEnv.
const (
	parsedLimit = 1_000_000_000
	parsedLeast = 1_000_000
)

// Load is l.Load, unless the data are kept from an earlier time. The identity names what they depend on besides the
// exported fields of l and its files: the data set, its revision and its code. Files must be read through the Source.
func (s Source) Load(ctx context.Context, l Loader, identity ...string) (*Set, error) {
	settings, err := json.Marshal(l)
	if s.Parsed.Folder == "" || s.Parsed.Limit <= 0 || err != nil {
		return l.Load(ctx, s)
	}
	key := Checksum(append([]string{runtime.GOARCH, string(settings)}, identity...)...)
	if set := s.earlier(ctx, key); set != nil {
		return set, nil
	}
	s.read = &readFiles{}
	set, err := l.Load(ctx, s)
	if files, bytes := s.read.all(); err == nil && len(files) > 0 && bytes >= s.Parsed.Least {
		s.Parsed.keep(key, files, set)
	}
	return set, err
}

// readFile is a file that a loader has read: one of its own, or one of the user's.
type readFile struct {
	File   File   // the zero value for the user's
	Path   string // the user's, as the loader was given it
	Size   int64  // bytes on the disk
	SHA256 string // of these; empty if they are not known
}

// readFiles are the files that a loader reads.
type readFiles struct {
	mu    sync.Mutex
	files []readFile
	bytes int64 // of the decompressed content
}

// add notes a file. A nil receiver takes no notes.
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

// all are the files, none if one of them is not known, and the bytes in them.
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

// same reports whether the files are those that a loader would read now, byte by byte.
func (s Source) same(ctx context.Context, files []readFile) bool {
	for _, f := range files {
		path := s.own(f.Path)
		if f.Path == "" {
			var ok bool
			if path, _, ok = s.find(f.File); !ok {
				return false
			}
		}
		if !storedAs(ctx, path, f.Size, f.SHA256) {
			return false
		}
	}
	return len(files) > 0
}

// own is the place of a user's file.
func (s Source) own(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.Dir, path)
}
