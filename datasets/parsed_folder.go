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

// Parsed is a cache of parsed data in binary form. Reading data from the cache takes at most a tenth of the time of
// parsing the text or images again. Source.Load writes and reads the cache.
//
// Each file in the folder belongs to one loader with its code and settings. The cache file holds the data and, for each
// file that the loader has read, the SHA-256 of that file as stored on disk. The cached data are used if these
// checksums are still right. To check this, gaplab hashes the loader's files, but does not decompress or parse them.
// The cached data equal the loader's data, to the bit. A cache file that is damaged or has a wrong checksum is ignored
// and replaced. So the folder may be removed at any time, and results do not depend on the cache. Write failures are
// ignored; the data are then not stored. A Treebank is never stored.
type Parsed struct {
	Folder string // folder of the cache files; "": no data are stored
	Limit  int64  // largest total size in bytes; the least recently used files beyond it are removed
	Least  int64  // only data from at least this number of decompressed bytes are stored; others are parsed fast
}

// parsedLimit and parsedLeast are the values of Parsed.Limit and Parsed.Least that SourceFromEnv uses by default.
const (
	parsedLimit = 1_000_000_000
	parsedLeast = 1_000_000
)

// Suffixes of the files in the folder Parsed: complete files, and files that are being written.
const (
	parsedSuffix = ".parsed"
	partSuffix   = ".part"
)

// deserted is the age beyond which makeRoom removes an incomplete file, because the process that wrote it was probably
// interrupted.
const deserted = time.Hour

// kept describes a file in the folder of the cache.
type kept struct {
	path  string
	bytes int64
	used  time.Time
	part  bool
}

// files lists the cache's files, the least recently used first. It omits files that have neither of the two suffixes.
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
			continue // not a file of the cache, or removed by another process
		}
		out = append(out, kept{filepath.Join(p.Folder, e.Name()), info.Size(), info.ModTime(), suffix == partSuffix})
	}
	slices.SortStableFunc(out, func(a, b kept) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	return out, err
}

// makeRoom removes the least recently used files until the total size is at most p.Limit. It also removes incomplete
// files of interrupted processes. It never removes the file at the path newest.
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

// Clear removes all files of the cache from the folder.
func (p Parsed) Clear() error {
	list, err := p.files()
	for _, f := range list {
		if e := os.Remove(f.path); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
