package store_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestLayout checks that git contains at most one pack and one figure for each experiment and scale, and that the total
// size of these files is small enough.
func TestLayout(t *testing.T) {
	results := os.DirFS("../../results")
	scales, err := fs.ReadDir(results, ".")
	if err != nil {
		t.Fatal(err)
	}
	var size int64
	packs := map[string]string{}
	for _, scale := range scales {
		if !scale.IsDir() || scale.Name() == "runs" || scale.Name() == "figures" { // folders of the user, which git ignores
			continue
		}
		err := fs.WalkDir(results, scale.Name(), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			size += info.Size()
			id, ext, _ := strings.Cut(name, ".")
			switch {
			case name == scale.Name()+"/edition.json": // the record of the edition that made the results
			case strings.Count(id, "/") != 2:
				t.Errorf("path %s, want SCALE/PAPER/ITEM", name)
			case ext == "svg":
			case ext == "jsonl" || ext == "jsonl.gz":
				if packs[id] != "" {
					t.Errorf("%s and %s are packs of the same experiment, want one", name, packs[id])
				}
				packs[id] = name
			default:
				t.Errorf("%s is neither a pack nor a figure", name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if size > 48<<20 { // randomised methods have five seeds, and timed runs up to five repetitions
		t.Errorf("%d MB of results; want at most 48", size>>20)
	}
	if len(packs) < 100 {
		t.Errorf("%d packs, want at least 100; perhaps the test did not find the results", len(packs))
	}
}
