package store_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestFilesOfAnotherKey checks that no file of one key is accepted as a file of another key: neither a result, an
// unfinished run, a trial nor a checkpoint.
func TestFilesOfAnotherKey(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	d := draft(t, f, manifest("p", "k", "1"))
	if err := d.SaveState("", func(w io.Writer) error { _, err := w.Write([]byte("state")); return err }); err != nil {
		t.Fatal(err)
	}
	if _, err := d.KeepTrial("point", trace.End{Status: trace.Done}); err != nil {
		t.Fatal(err)
	}
	if _, err := draft(t, f, manifest("p", "k", "2")).Leave(trace.End{Status: trace.Failed}); err != nil {
		t.Fatal(err)
	}
	reads := map[string]func(key string) (any, error){
		"k.state": func(key string) (any, error) {
			s, err := f.State(key, "")
			if s == nil {
				return nil, err
			}
			return s, s.Close()
		},
		"k.part.jsonl":          func(key string) (any, error) { return something(f.Unfinished(key)) },
		".trials/k.point.jsonl": func(key string) (any, error) { return something(f.Trial(key, "point"), nil) },
		"k.jsonl":               func(key string) (any, error) { return something(f.Finished(key)) },
	}
	check := func(name string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(f.Dir(), name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := reads[name]("k"); got == nil || err != nil {
			t.Errorf("%s is read as %v, %v; want its content", name, got, err)
		}
		other := strings.Replace(name, "k.", "other.", 1)
		if err := os.WriteFile(filepath.Join(f.Dir(), other), text, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := reads[name]("other"); got != nil || err == nil && !strings.HasPrefix(name, ".trials") {
			t.Errorf("a copy of %s with the name %s is read as %v, %v; want an error", name, other, got, err)
		}
		if _, err := reads[name]("none"); errors.Is(err, trace.ErrDamaged) {
			t.Errorf("reading the missing file of another key: %v, want no damage", err)
		}
	}
	for _, name := range []string{"k.state", "k.part.jsonl", ".trials/k.point.jsonl"} {
		check(name)
	}
	finished(t, f, manifest("p", "k", "3")) // removes the other files of the key
	check("k.jsonl")
	for _, name := range []string{"k.state", "k.part.jsonl", ".trials/k.point.jsonl"} {
		if _, err := os.Stat(filepath.Join(f.Dir(), name)); err == nil {
			t.Errorf("%s still exists, although its key has a result", name)
		}
		if _, err := os.Stat(filepath.Join(f.Dir(), strings.Replace(name, "k.", "other.", 1))); err != nil {
			t.Errorf("the result of a key removed the file of another key: %v", err)
		}
	}
}

// something returns f, or an untyped nil if f is nil.
func something(f *trace.File, err error) (any, error) {
	if f == nil {
		return nil, err
	}
	return f, err
}
