package replace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/internal/replace"
)

// TestReplace checks that a file has its old content until the new one is complete, and that an abandoned file leaves
// nothing.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	want := func(content string) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("content %q, %v; want %q", got, err, content)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%d files, %v; want one", len(entries), err)
		}
	}
	if err := replace.WriteFile(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	want("one")
	f, err := replace.New(path, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("two")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one" {
		t.Errorf("content %q, %v before the end; want the old one", got, err)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		t.Fatal(err)
	}
	want("two")
	if f, err = replace.New(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("three")); err != nil {
		t.Fatal(err)
	}
	if err := f.Cleanup(); err != nil {
		t.Fatal(err)
	}
	want("two")
}
