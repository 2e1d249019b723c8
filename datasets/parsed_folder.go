package datasets

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Parsed is a cache of parsed data in binary form. Reading it takes at most a tenth of the time of parsing the text or
// images again. Source.Load writes and reads it.
//
// Each file in the folder belongs to one loader with its code and settings. It holds the data and, for each file that
// the loader read, the SHA-256 of that file as stored on disk. The cached data are used if these checksums are still
// the same: the loader's files are hashed, but neither decompressed nor parsed. The cached data equal the loader's
// data, to the bit. A cache file that is damaged or does not match is ignored and replaced. So the folder may be
// removed at any time, and results do not depend on it. Write failures are ignored: nothing is then kept. A Treebank is
// never kept.
type Parsed struct {
	Folder string // "": nothing is kept
	Limit  int64  // largest size in bytes; if the data exceed it, the least recently used are removed
	Least  int64  // data are kept if they come from at least this number of decompressed bytes; less is parsed fast
}

// Defaults of Parsed in SourceFromEnv.
const (
	parsedLimit = 1_000_000_000
	parsedLeast = 1_000_000
)

// Suffixes of the files in the folder Parsed: complete files, and files that are being written.
const (
	parsedSuffix = ".parsed"
	partSuffix   = ".part"
)

// deserted is the age from which an incomplete file is taken to be left over from a process that was interrupted.
const deserted = time.Hour

// kept is a file of the folder.
type kept struct {
	path  string
	bytes int64
	used  time.Time
	part  bool
}

// files lists the files of the folder, the least recently used first. It omits files with other suffixes.
func (p Parsed) files() ([]kept, error) {
	if p.Folder == "" {
		return nil, nil
	}
	list, err := os.ReadDir(p.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []kept
	for _, e := range list {
		suffix := filepath.Ext(e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || suffix != parsedSuffix && suffix != partSuffix {
			continue // another process may have removed it
		}
		out = append(out, kept{filepath.Join(p.Folder, e.Name()), info.Size(), info.ModTime(), suffix == partSuffix})
	}
	slices.SortStableFunc(out, func(a, b kept) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	return out, err
}

// makeRoom removes the least recently used files until the rest is within the limit. It also removes incomplete files
// of interrupted processes. It never removes the file at the path newest.
func (p Parsed) makeRoom(newest string) {
	list, err := p.files()
	if err != nil {
		return
	}
	total := int64(0)
	for _, f := range list {
		if !f.part {
			total += f.bytes
		}
	}
	for _, f := range list {
		switch {
		case f.part && time.Since(f.used) > deserted:
			os.Remove(f.path)
		case !f.part && total > p.Limit && f.path != newest && os.Remove(f.path) == nil:
			total -= f.bytes
		}
	}
}

// Size returns the number of data sets in the folder, and the total size of all its files.
func (p Parsed) Size() (sets int, bytes int64, err error) {
	list, err := p.files()
	for _, f := range list {
		if bytes += f.bytes; !f.part {
			sets++
		}
	}
	return sets, bytes, err
}

// Clear removes the files of the folder.
func (p Parsed) Clear() error {
	list, err := p.files()
	for _, f := range list {
		if e := os.Remove(f.path); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
