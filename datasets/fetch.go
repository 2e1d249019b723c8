package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// Fetch makes sure that every file of the entry is there and has the right content. Files that are missing are
// downloaded, or copied into the cache from the folder from if that is not "": there they may lie under their
// catalogue path or by their bare name, in any wrapping. A damaged copy in the cache is replaced; one in GAPLAB_DATA,
// which is not ours to write, is an error. A generator needs nothing.
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

// copyFrom copies f from a folder into the cache: whole and checked, or not at all.
func copyFrom(ctx context.Context, set string, f File, src Source, from string) error {
	found, ok := f.in(from, true)
	if !ok {
		return &MissingError{
			Set: set, File: f.Name, Looked: []string{from},
			Advice: fmt.Sprintf("it may also be called %s, and lie in a folder %s", path.Base(f.stem()), path.Dir(f.Name)),
		}
	}
	if src.Cache == "" {
		return fmt.Errorf("%s: no cache folder to copy to: set XDG_CACHE_HOME or HOME", set)
	}
	base := filepath.Join(src.Cache, filepath.FromSlash(f.stem()))
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	unlock, err := lock(ctx, filepath.Join(filepath.Dir(base), ".lock"))
	if err != nil {
		return err
	}
	defer unlock()
	temp, err := copyTemp(ctx, found, base)
	if err != nil {
		return fmt.Errorf("%s: copy of %s: %w", set, found, err)
	}
	defer os.Remove(temp)
	if err := f.check(ctx, temp); err != nil {
		var content *ContentError
		if errors.As(err, &content) {
			content.Path = found
		}
		return fmt.Errorf("%s: %w", set, err)
	}
	_, err = f.install(temp, base)
	return err
}

// copyTemp copies a file to a temporary name beside base.
func copyTemp(ctx context.Context, from, base string) (string, error) {
	in, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(base), filepath.Base(base)+".*.part")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, contextReader{ctx, in})
	if err = errors.Join(err, out.Chmod(0o644), out.Sync(), out.Close()); err != nil {
		os.Remove(out.Name())
		return "", err
	}
	return out.Name(), nil
}
