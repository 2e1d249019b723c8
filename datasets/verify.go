package datasets

import (
	"context"
	"errors"
	"os"
)

// Status states whether a file of the catalogue was found, and whether its content is right.
type Status string

// OK, Bad, Missing and Found are the possible statuses of a file.
const (
	OK      Status = "ok"      // found, with the right content
	Bad     Status = "bad"     // found, with other content or unreadable
	Missing Status = "missing" // neither in GAPLAB_DATA nor in the cache
	Found   Status = "found"   // found, but its content was not checked
)

// FileStatus is the result of looking for one file. If the file is in GAPLAB_DATA and in the cache, the status is that
// of the copy in GAPLAB_DATA, which Load reads.
type FileStatus struct {
	File   File   `json:"file"`            // the file, as the entry states it
	Status Status `json:"state"`           // OK, Bad, Missing or Found
	Place  string `json:"place,omitempty"` // InData or InCache
	Path   string `json:"path,omitempty"`  // path of the copy; "" if there is none
	Bytes  int64  `json:"bytes"`           // size on disk
	Err    error  `json:"-"`               // the fault, if Status is Bad; else nil
}

// Verify reads every file of the entry that exists on this machine, and compares its content with the SHA-256 in the
// catalogue. It never downloads a file. It returns an error only if the context has ended. The fault of a file is
// reported in its FileStatus.
func Verify(ctx context.Context, e Entry, src Source) ([]FileStatus, error) {
	list := Locate(e, src)
	for i := range list {
		s := &list[i]
		if s.Status != Found {
			continue
		}
		s.Status = OK
		if err := s.File.check(ctx, s.Path); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s.Status, s.Err = Bad, err
		}
	}
	return list, nil
}

// Locate returns the place of each file of the entry, without reading the files.
func Locate(e Entry, src Source) []FileStatus {
	list := make([]FileStatus, len(e.Files))
	for i, f := range e.Files {
		s := &list[i]
		s.File, s.Status = f, Missing
		var ok bool
		if s.Path, s.Place, ok = src.find(f); !ok {
			continue
		}
		s.Status = Found
		if info, err := os.Stat(s.Path); err == nil {
			s.Bytes = info.Size()
		} else {
			s.Status, s.Err = Bad, err
		}
	}
	return list
}

// StatusError joins the errors of the statuses. Each error wraps ErrMissing or ErrCorrupt. StatusError returns nil if
// all files are right.
func StatusError(set string, src Source, list []FileStatus) error {
	var errs []error
	for _, s := range list {
		switch {
		case s.Status == Missing:
			errs = append(errs, src.missing(set, s.File))
		case s.Err != nil:
			errs = append(errs, s.Err)
		}
	}
	return errors.Join(errs...)
}
