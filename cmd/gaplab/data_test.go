package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestLocate checks, for each subset of three files, the state, the place and the size of a data set: it is found if
// all its files are, and its size counts all its files, found or not.
func TestLocate(t *testing.T) {
	files := []datasets.File{{Name: "a", Bytes: 1}, {Name: "b", Bytes: 20}, {Name: "c", Bytes: 300}}
	e := datasets.Entry{Name: "set", Title: "A set", Licence: "free", Files: files,
		Expect: datasets.Counts{Train: 7, Validation: 8}}
	for subset := range 8 {
		data := t.TempDir()
		source := datasets.SourceFromEnv(func(name string) string {
			return map[string]string{"GAPLAB_DATA": data, "XDG_CACHE_HOME": filepath.Join(data, "none")}[name]
		})
		if err := os.Mkdir(filepath.Join(data, "set"), 0o777); err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			if subset>>i&1 == 0 {
				continue
			}
			for _, dir := range []string{data, filepath.Join(data, "set")} {
				if err := os.WriteFile(filepath.Join(dir, f.Name), []byte("xy"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := listed{Name: "set", Title: "A set", Licence: "free", Bytes: 321, Train: 7, State: "missing"}
		if subset == 7 {
			found := datasets.Locate(e, source)[0]
			want.State, want.Place, want.Folder = "found", found.Place, filepath.Dir(found.Path)
			if found.Place == "" {
				t.Errorf("file %s has no place", found.Path)
			}
		}
		if got := locate(e, source); got != want {
			t.Errorf("files %03b: %+v, want %+v", subset, got, want)
		}
		if got := here(e, source); got != (subset > 0) {
			t.Errorf("files %03b: some are here: %v", subset, got)
		}
	}
	for state, e := range map[string]datasets.Entry{"format": {Format: true}, "generator": {Synthetic: true},
		"found": {}} {
		if got := locate(e, datasets.Source{}); got.State != state || got.Bytes != 0 {
			t.Errorf("%+v: %+v, want the state %s", e, got, state)
		}
	}
}

// TestEntries checks that data sets are listed in the order of their names in the command line, or all of them.
func TestEntries(t *testing.T) {
	all, err := entries(nil)
	if err != nil || len(all) < 20 {
		t.Fatalf("%d data sets, %v", len(all), err)
	}
	names := []string{all[3].Name, all[0].Name, all[len(all)-1].Name}
	got, err := entries(names)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range got {
		found = append(found, e.Name)
	}
	if fmt.Sprint(found) != fmt.Sprint(names) {
		t.Errorf("data sets %q, want %q", found, names)
	}
	if _, err := entries([]string{all[0].Name, "none"}); err == nil {
		t.Error("no error for an unknown second name")
	}
}
