package datasets_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestOwn checks which of the user's files are missing. A relative path is relative to the folder Dir, or to the
// working folder if there is no Dir.
func TestOwn(t *testing.T) {
	dir, work := t.TempDir(), t.TempDir()
	t.Chdir(work)
	for _, path := range []string{filepath.Join(dir, "in-dir"), filepath.Join(work, "in-work"),
		filepath.Join(dir, "in-both"), filepath.Join(work, "in-both")} {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	there := func(path string) string { return filepath.Join(dir, path) }
	for _, c := range []struct {
		dir     string
		paths   []string
		missing []string
	}{
		{dir, nil, nil},
		{dir, []string{"in-dir", "in-both"}, nil},
		{dir, []string{"in-work"}, []string{there("in-work")}},
		{dir, []string{"in-work", "in-dir", "none"}, []string{there("in-work"), there("none")}},
		{dir, []string{filepath.Join(work, "in-work"), there("in-dir")}, nil},
		{dir, []string{filepath.Join(work, "in-dir"), there("in-work")}, []string{filepath.Join(work, "in-dir"),
			there("in-work")}},
		{"", []string{"in-work", "in-both"}, nil},
		{"", []string{"in-dir", there("in-dir")}, []string{"in-dir"}},
	} {
		err := datasets.Source{Dir: c.dir}.Own(c.paths...)
		if errors.Is(err, datasets.ErrMissing) != (len(c.missing) > 0) || (err != nil) != (len(c.missing) > 0) {
			t.Errorf("folder %q, files %q: error %v, want one: %v", c.dir, c.paths, err, len(c.missing) > 0)
			continue
		}
		if err == nil {
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(c.missing) {
			t.Errorf("folder %q, files %q: error %v, want %q", c.dir, c.paths, err, c.missing)
			continue
		}
		for i, path := range c.missing {
			if !strings.Contains(lines[i], " "+path+":") {
				t.Errorf("folder %q, files %q: error %s, want %s in it", c.dir, c.paths, lines[i], path)
			}
		}
	}
}
