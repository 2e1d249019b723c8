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
