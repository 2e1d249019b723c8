package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/plots"
)

// TestCommittedFigures: each figure beside the kept results is what they give, no two lines of it look alike, and
// nothing in it touches what it should not. `go test ./cmd/gaplab -run TestCommittedFigures -update` draws them anew.
func TestCommittedFigures(t *testing.T) {
	const root = "../../results"
	files, err := filepath.Glob(filepath.Join(root, "paper", "*", "*.svg"))
	if err != nil || len(files) < 100 {
		t.Fatalf("%d figures: %v", len(files), err)
	}
	for _, file := range files {
		dir, name := filepath.Split(file)
		id := filepath.Base(dir) + "/" + strings.TrimSuffix(name, ".svg")
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			d := committedFigure(t, id, root)
			for _, f := range d.Faults() {
				t.Error(f)
			}
			if *update {
				if err := d.Save(file); err != nil {
					t.Fatal(err)
				}
			}
			if runtime.GOARCH != "amd64" {
				return // machines that fuse multiply and add may differ in a last digit
			}
			var now strings.Builder
			if err := d.Encode(&now, "svg"); err != nil {
				t.Fatal(err)
			}
			if there, err := os.ReadFile(file); err != nil || string(there) != now.String() {
				t.Errorf("%s is not what its results give (%v): run `go test ./cmd/gaplab -run TestCommittedFigures -update` "+
					"and look at it", file, err)
			}
		})
	}
}

// committedFigure draws the figure of the results that are kept at paper scale.
func committedFigure(t *testing.T, id, root string) *plots.Drawing {
	t.Helper()
	e, err := harness.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At("paper", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := harness.Read(s, harness.Root(root), harness.Kept())
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Figure()
	if err != nil {
		t.Fatal(err)
	}
	d, err := plots.Draw(f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
