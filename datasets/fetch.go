package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/datasets/internal/store"
)

// Fetch makes sure that every file of the entry is present with the right content. A missing file is downloaded or, if
// from is not empty, copied from that folder into the cache. In the folder from, the file may have its path in the
// catalogue or only its base name, in any compression format, or it may be in an archive with the file name of one of
// its URLs. A damaged copy in the cache is replaced. A damaged copy in GAPLAB_DATA is an error, because gaplab never
// writes there. For a generator there is nothing to fetch.
func Fetch(ctx context.Context, e Entry, src Source, from string) error {
	if e.Format {
		return fmt.Errorf("%s reads a file of your own: there is nothing to fetch", e.Name)
	}
	for _, f := range e.Files {
		if err := fetchFile(ctx, e.Name, f, src, from); err != nil {
			return err
		}
	}
	return nil
}

func fetchFile(ctx context.Context, set string, f File, src Source, from string) error {
	if p, place, ok := src.find(f); ok {
		err := f.check(ctx, p)
		switch {
		case err == nil:
			return nil
		case place == InData || !errors.Is(err, ErrCorrupt):
			return fmt.Errorf("%s: %w; %s", set, err, remedy(set, place))
		}
	}
	if from != "" {
		return copyFrom(ctx, set, f, src, from)
	}
	_, err := src.download(ctx, set, f)
	return err
}

// copyFrom copies f from the folder from into the cache. The copy gets its final name only when it is complete and
// checked.
func copyFrom(ctx context.Context, set string, f File, src Source, from string) error {
	found, ok := f.in(from, true)
	take := f.copyTemp
	if !ok {
		found, ok = f.archiveIn(from, true)
		take = f.unpack
	}
	if !ok {
		return f.missingFrom(set, from)
	}
	if src.Cache == "" {
		return fmt.Errorf("%s: no cache folder to copy to: set XDG_CACHE_HOME or HOME", set)
	}
	base := filepath.Join(src.Cache, filepath.FromSlash(f.stem()))
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	unlock, err := store.Lock(ctx, filepath.Join(filepath.Dir(base), ".lock"))
	if err != nil {
		return err
	}
	defer unlock()
	temp, err := take(ctx, found, found, base)
	if errors.Is(err, ErrCorrupt) && len(f.URLs) > 0 {
		err = fmt.Errorf("%w; the published file is at %s", err, strings.Join(f.URLs, " or "))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", set, err)
	}
	defer os.Remove(temp)
	_, err = f.install(temp, base)
	return err
}

// missingFrom returns the error for a folder that has neither f nor an archive with f.
func (f File) missingFrom(set, from string) error {
	advice := fmt.Sprintf("the file may also have the name %s, or be in a subfolder %s", path.Base(f.stem()),
		path.Dir(f.Name))
	if f.Member != "" {
		advice += ", or be in the archive from " + strings.Join(f.URLs, " or ")
	}
	return &MissingError{Set: set, File: f.Name, Looked: []string{from}, Advice: advice}
}

// copyTemp copies the file at p to a temporary file in the folder of base, and checks the copy. Error messages name the
// file by the text origin.
func (f File) copyTemp(ctx context.Context, p, origin, base string) (string, error) {
	in, err := os.Open(p)
	if err != nil {
		return "", err
	}
	defer in.Close()
	temp, err := store.WriteTemp(base, func(w io.Writer) error {
		_, err := io.Copy(w, store.NewReader(ctx, in))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("copy of %s: %w", origin, err)
	}
	if err := f.check(ctx, temp); err != nil {
		os.Remove(temp)
		return "", renamed(err, origin)
	}
	return temp, nil
}
