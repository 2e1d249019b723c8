package record_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/solvers"
)

// TestWorkers checks that a solver gets the number of workers that its spec sets, and one by default. A run must have
// the same key with the default as with workers: 1.
func TestWorkers(t *testing.T) {
	text := func(workers string) string {
		return toy.AtC + "solvers: [{name: ascent" + workers + "}]\nstop: {passes: 1}\n"
	}
	got := map[int]int{}
	keys := map[string]bool{}
	for _, workers := range []string{"", ", workers: 1", ", workers: {grid: [1, 3]}"} {
		r := toy.Text(t, text(workers), func(o *schedule.Options) {
			o.Wrap = func(solvers.Solver) solvers.Solver {
				return toy.Scripted{Is: "counts", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
					got[p.Workers]++
					yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil)
				}}
			}
		})
		for _, f := range r.Files {
			keys[f.Manifest.Key] = true
		}
	}
	if want := map[int]int{1: 3, 3: 1}; !maps.Equal(got, want) || len(keys) != 2 {
		t.Errorf("runs by number of workers = %v, want %v; keys %v, want 2", got, want, slices.Sorted(maps.Keys(keys)))
	}
}
