package plots

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
)

// TestCommittedFigures checks that each committed figure is what the committed results give, and that it has no faults
// (faultsOf). To draw the figures again, run `go test ./plots -run TestCommittedFigures -update`.
func TestCommittedFigures(t *testing.T) {
	const root = "../results"
	files, err := filepath.Glob(filepath.Join(root, "paper", "*", "*.jsonl*"))
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files of results, %v, want at least 100", len(files), err)
	}
	// All kept results fit into memory, and collecting garbage would take an eighth of the CPU time.
	percent := debug.SetGCPercent(400)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	if testing.Short() {
		files = files[:10]
	}
	for _, file := range files {
		dir, name := filepath.Split(file)
		name, _, _ = strings.Cut(name, ".jsonl")
		id := filepath.Base(dir) + "/" + name
		file = filepath.Join(dir, name+".svg")
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			d := committedFigure(t, id, root)
			if d == nil {
				return
			}
			for _, f := range faultsOf(d) {
				t.Error(f)
			}
			if *update {
				if err := d.Save(file); err != nil {
					t.Fatal(err)
				}
			}
			if runtime.GOARCH != "amd64" {
				return // no exact comparison: on machines that fuse multiply and add, a last digit may differ
			}
			var now strings.Builder
			if err := d.Encode(&now, "svg"); err != nil {
				t.Fatal(err)
			}
			if there, err := os.ReadFile(file); err != nil || string(there) != now.String() {
				t.Errorf("%s differs from the figure of its results (%v); run `go test ./plots -run "+
					"TestCommittedFigures/%s -update` and look at the new figure", file, err, id)
			}
		})
	}
}

// committedFigure draws the figure of the committed results at paper scale. It returns nil if the experiment has no
// figure.
func committedFigure(t *testing.T, id, root string) *Drawing {
	t.Helper()
	e, err := harness.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At("paper", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Figure == nil {
		return nil
	}
	r, err := harness.Read(s, harness.Options{Root: root, Kept: true})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Figure()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Draw(f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
