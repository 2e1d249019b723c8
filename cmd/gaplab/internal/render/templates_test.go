package render

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTemplates checks which templates of a folder are listed, and in which order: those below it, too, but not those
// of results, test data and hidden folders.
func TestTemplates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "testdata") // the folder itself is searched whatever its name is
	var want []string
	for name, listed := range map[string]bool{"z.md.tmpl": true, "a.md.tmpl": true, "docs/b.tmpl": true,
		"docs/deep/results.tmpl": true, "docs/.c.tmpl": true, "a.md": false, "tmpl": false, "results/x.tmpl": false,
		"docs/results/x.tmpl": false, "docs/testdata/x.tmpl": false, ".git/x.tmpl": false, "docs/.cache/x.tmpl": false,
		"my-results/x.tmpl": true, "x.tmpl.bak": false} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if listed {
			want = append(want, path)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.tmpl"), 0o777); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if got, err := Templates(dir); err != nil || !slices.Equal(got, want) {
		t.Errorf("templates %q, %v; want %q", got, err, want)
	}
	if _, err := Templates(filepath.Join(dir, "none")); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}
