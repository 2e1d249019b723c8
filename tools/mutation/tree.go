package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tree is a copy of a checkout, in which bugs are planted. The checkout itself is only read. The copy may exist from an
// earlier round; then the build cache already has its packages.
type tree struct {
	from string // root of the checkout
	dir  string // root of the copy
}

// sync makes the copy equal to the checkout. It copies the files that git tracks or would track, as they are on disk,
// and removes planted bugs and files that tests left. Files keep their modification times, by which go test recognises
// them in its cache.
func (t tree) sync(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = t.from
	list, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git ls-files in %s: %w", t.from, err)
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		switch err := t.copy(filepath.FromSlash(name)); {
		case errors.Is(err, fs.ErrNotExist): // the file was removed, but git still tracks it
		case err != nil:
			return err
		default:
			wanted[filepath.FromSlash(name)] = true
		}
	}
	return filepath.WalkDir(t.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if name, err := filepath.Rel(t.dir, path); err != nil || wanted[name] {
			return err
		}
		return os.Remove(path)
	})
}

// copy copies a file of the checkout. It does nothing if the file in the copy has the same size and modification time.
func (t tree) copy(name string) error {
	from, to := filepath.Join(t.from, name), filepath.Join(t.dir, name)
	is, err := os.Stat(from)
	if err != nil {
		return err
	}
	if was, err := os.Stat(to); err == nil && was.Size() == is.Size() && was.ModTime().Equal(is.ModTime()) {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(to, text, is.Mode().Perm()); err != nil {
		return err
	}
	return os.Chtimes(to, is.ModTime(), is.ModTime())
}

// plant writes a bug into its file in the copy.
func (t tree) plant(b bug) error {
	text, err := b.changed(t.dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.dir, filepath.FromSlash(b.File)), []byte(text), 0o666)
}
