package datasets

import (
	"context"
	"errors"
	"os"
)

// State of a file of the catalogue.
type State string

// The states of a file.
const (
	OK      State = "ok"      // found, with the right content
	Bad     State = "bad"     // found, with other content or unreadable
	Missing State = "missing" // neither in GAPLAB_DATA nor in the cache
	Found   State = "found"   // found, content not examined
)

// FileStatus is the result of looking for one file. If the file is in GAPLAB_DATA and in the cache, the status is that
// of the copy in GAPLAB_DATA, which Load reads.
type FileStatus struct {
	File  File   `json:"file"`            // as the entry states it
	State State  `json:"state"`           // OK, Bad, Missing or Found
	Place string `json:"place,omitempty"` // InData or InCache
	Path  string `json:"path,omitempty"`
	Bytes int64  `json:"bytes"` // on disk
	Err   error  `json:"-"`     // why it is bad
}

// Verify reads every existing file of the entry and compares it with the catalogue. It never downloads. It returns only
// the error of the context; the fault of a file is in its status.
func Verify(ctx context.Context, e Entry, src Source) ([]FileStatus, error) {
	list := Locate(e, src)
	for i := range list {
		s := &list[i]
		if s.State != Found {
			continue
		}
		s.State = OK
		if err := s.File.check(ctx, s.Path); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s.State, s.Err = Bad, err
		}
	}
	return list, nil
}

// Locate returns the place of each file of the entry, without reading the files.
func Locate(e Entry, src Source) []FileStatus {
	list := make([]FileStatus, len(e.Files))
	for i, f := range e.Files {
		s := &list[i]
		s.File, s.State = f, Missing
		var ok bool
		if s.Path, s.Place, ok = src.find(f); !ok {
			continue
		}
		s.State = Found
		if info, err := os.Stat(s.Path); err == nil {
			s.Bytes = info.Size()
		} else {
			s.State, s.Err = Bad, err
		}
	}
	return list
}

// StatusError joins the errors of the statuses; each wraps ErrMissing or ErrCorrupt. It returns nil if all files are
// right.
func StatusError(set string, src Source, list []FileStatus) error {
	var errs []error
	for _, s := range list {
		switch {
		case s.State == Missing:
			errs = append(errs, src.missing(set, s.File))
		case s.Err != nil:
			errs = append(errs, s.Err)
		}
	}
	return errors.Join(errs...)
}
