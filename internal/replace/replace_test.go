package replace_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/internal/replace"
)

// TestReplace checks that a file has its old content until the new one is complete, and that a failed write changes
// nothing and leaves nothing.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	content := func() string {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return string(got)
	}
	if err := replace.WriteFile(path, []byte("one"), 0o644); err != nil || content() != "one" {
		t.Errorf("WriteFile: %v, content %q; want one", err, content())
	}
	err := replace.Write(path, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, "two")
		if got := content(); got != "one" {
			t.Errorf("content %q during Write, want the old one", got)
		}
		return err
	})
	if err != nil || content() != "two" {
		t.Errorf("Write: %v, content %q; want two", err, content())
	}
	failed := errors.New("failed")
	err = replace.Write(path, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, "three")
		return errors.Join(err, failed)
	})
	if !errors.Is(err, failed) || content() != "two" {
		t.Errorf("a write that fails: %v, content %q; want its error and the old content", err, content())
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v; want one", len(entries), err)
	}
}
