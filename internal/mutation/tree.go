package mutation

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

// Tree is a copy of a checkout, in which bugs are planted: the checkout itself is only read. It may be that of an
// earlier round, so that the build cache knows its packages.
type Tree struct {
	From string // root of the checkout
	Dir  string // of the copy
}

// Sync makes the copy what the checkout is: the files that git knows or could be told of, as they stand. It undoes what
// was planted and what tests have left. Files keep their times, by which go test's cache knows them.
func (t Tree) Sync(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = t.From
	list, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git ls-files in %s: %w", t.From, err)
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		switch err := t.copy(filepath.FromSlash(name)); {
		case errors.Is(err, fs.ErrNotExist): // removed, and git has not been told
		case err != nil:
			return err
		default:
			wanted[filepath.FromSlash(name)] = true
		}
	}
	return filepath.WalkDir(t.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if name, err := filepath.Rel(t.Dir, path); err != nil || wanted[name] {
			return err
		}
		return os.Remove(path)
	})
}

// copy copies a file, unless size and time say that it is there.
func (t Tree) copy(name string) error {
	from, to := filepath.Join(t.From, name), filepath.Join(t.Dir, name)
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

// Plant puts a bug into the copy.
func (t Tree) Plant(b Bug) error {
	text, err := b.Changed(t.Dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.Dir, filepath.FromSlash(b.File)), []byte(text), 0o666)
}
