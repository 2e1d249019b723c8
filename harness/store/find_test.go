package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
