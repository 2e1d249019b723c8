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

// Suffixes of the names in the folder Parsed: of what is kept, and of what is being written.
const (
	parsedSuffix = ".parsed"
	partSuffix   = ".part"
)

// deserted is the age from which on a file that was being written belongs to no process any more.
const deserted = time.Hour

// kept is a file of the folder.
type kept struct {
	path  string
	bytes int64
	used  time.Time
	part  bool
}

// files lists what the folder holds, in the order in which it was used. Other files than ours are left out.
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

// makeRoom removes what has not been used for longest, until the rest is within the limit, and what a process that
// broke off has left. The file at newest stays.
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

// Size is the number of data sets that the folder holds, and the bytes of all its files.
func (p Parsed) Size() (sets int, bytes int64, err error) {
	list, err := p.files()
	for _, f := range list {
		if bytes += f.bytes; !f.part {
			sets++
		}
	}
	return sets, bytes, err
}

// Clear removes what the folder holds.
func (p Parsed) Clear() error {
	list, err := p.files()
	for _, f := range list {
		if e := os.Remove(f.path); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
