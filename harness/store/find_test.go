package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestFind checks that Find returns exactly the runs whose keys begin with a prefix, in a store and among kept results.
// It tests each prefix of each key. Two experiments share a run, and one key is a prefix of another.
func TestFind(t *testing.T) {
	keys := map[string][]string{"p/a": {"ab1", "ab12", "b0"}, "p/b": {"ab1", "ab3"}, "q/a": {"b01"}}
	s, k := store.Open(t.TempDir()), store.Keep(t.TempDir())
	var all []string
	for _, id := range []string{"p/a", "p/b", "q/a"} {
		var files []*trace.File
		for i, key := range keys[id] {
			all = append(all, id+" "+key)
			files = append(files, kept(id, key, i, 2, 1))
			m := manifest("plan "+key, key, "1")
			m.Experiment = id
			finished(t, s.Folder(id, "paper"), m)
		}
		if _, err := k.Write(id, "paper", files, false); err != nil {
			t.Fatal(err)
		}
	}
	names := func(files []*trace.File, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range files {
			out = append(out, f.Manifest.Experiment+" "+f.Manifest.Key)
		}
		slices.Sort(out)
		return fmt.Sprint(out)
	}
	for _, prefix := range []string{"", "a", "ab", "ab1", "ab12", "ab123", "ab3", "b", "b0", "b01", "c"} {
		want := fmt.Sprint(slices.DeleteFunc(slices.Clone(all), func(name string) bool {
			return !strings.Contains(name, " "+prefix)
		}))
		if got := names(s.Find(prefix)); got != want {
			t.Errorf("Find(%q) in the store = %s, want %s", prefix, got, want)
		}
		if got := names(k.Find(prefix, "smoke", "paper")); got != want {
			t.Errorf("Find(%q) in the kept results = %s, want %s", prefix, got, want)
		}
	}
	if got := names(k.Find("", "smoke")); got != "[]" {
		t.Errorf("Find at another scale = %s, want none", got)
	}
}

// TestFindWithoutFolder checks that a store and kept results whose folders do not exist have no runs, and that Find of
// a damaged result is an error.
func TestFindWithoutFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "absent")
	if found, err := store.Open(dir).Find(""); len(found) > 0 || err != nil {
		t.Errorf("Find in a missing store: %v, %v; want no runs", found, err)
	}
	if found, err := store.Keep(dir).Find("", "smoke"); len(found) > 0 || err != nil {
		t.Errorf("Find in missing kept results: %v, %v; want no runs", found, err)
	}
	damaged := finished(t, store.Open(dir).Folder("p/a", "smoke"), manifest("p", "k", "1"))
	if err := os.WriteFile(damaged.Path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if found, err := store.Open(dir).Find("k"); !errors.Is(err, trace.ErrDamaged) {
		t.Errorf("Find of a damaged run: %v, %v; want ErrDamaged", found, err)
	}
	if found, err := store.Open(dir).Find("l"); len(found) > 0 || err != nil {
		t.Errorf("Find of another key: %v, %v; want no runs", found, err)
	}
}

// TestKeptInAnArchive checks that kept results inside a file system cannot be written.
func TestKeptInAnArchive(t *testing.T) {
	k := store.KeepIn(fstest.MapFS{}, "archive.zip/")
	if _, err := k.WriteAll("smoke", nil, false); !errors.Is(err, errors.ErrUnsupported) ||
		!strings.HasPrefix(err.Error(), "archive.zip/: unsupported") {
		t.Errorf("writing: %v, want that it is unsupported", err)
	}
	if k.Has("p/a", "smoke") || k.Path("p/a", "smoke") != "archive.zip/smoke/p/a.jsonl" {
		t.Errorf("has p/a: %v, at the path %s; want false, in the archive", k.Has("p/a", "smoke"), k.Path("p/a", "smoke"))
	}
}

// TestFindUnfinished checks that Find in a store returns unfinished runs, too, at all scales, and that Find among kept
// results returns the runs of the given scales in their order.
func TestFindUnfinished(t *testing.T) {
	s, k := store.Open(t.TempDir()), store.Keep(t.TempDir())
	for _, scale := range []string{"smoke", "paper"} {
		f := s.Folder("p/a", scale)
		finished(t, f, manifest("p", "k1", "result "+scale))
		draft(t, f, manifest("p", "k2", "running "+scale))
		if _, err := draft(t, f, manifest("p", "k3", "left "+scale)).Leave(trace.End{Status: trace.Failed}); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"p/a", "p/b"} {
			file := kept(id, "k"+id[2:], 0, 2, 1)
			file.Manifest.Scale = scale
			if _, err := k.Write(id, scale, []*trace.File{file}, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	found, err := s.Find("k")
	var starts []string
	for _, f := range found {
		starts = append(starts, f.Manifest.Start)
	}
	if err != nil || !sameWords(starts, []string{"result smoke", "running smoke", "left smoke", "result paper",
		"running paper", "left paper"}) {
		t.Errorf("Find in the store: %q, %v; want three runs at each scale", starts, err)
	}
	for _, c := range []struct {
		prefix string
		scales []string
		want   string
	}{
		{"k", []string{"smoke", "paper"}, "smoke p/a, smoke p/b, paper p/a, paper p/b, "},
		{"k", []string{"paper", "none", "smoke"}, "paper p/a, paper p/b, smoke p/a, smoke p/b, "},
		{"kb", []string{"smoke", "paper"}, "smoke p/b, paper p/b, "}, {"ka", []string{"smoke"}, "smoke p/a, "},
		{"k", nil, ""},
	} {
		found, err := k.Find(c.prefix, c.scales...)
		got := ""
		for _, f := range found {
			got += f.Manifest.Scale + " " + f.Manifest.Experiment + ", "
		}
		if err != nil || got != c.want {
			t.Errorf("Find(%q, %q) among the kept results = %s, %v; want %s", c.prefix, c.scales, got, err, c.want)
		}
	}
}
