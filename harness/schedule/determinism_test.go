package schedule_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// variety is a spec that runs each solver of package toy with various settings: orders of the examples, annealing of C,
// a path of decreasing C, and a choice of the step size.
const variety = `
solvers:
  - {as: random, name: ascent, order: random, rate: 0.5}
  - {as: cyclic, name: ascent, order: cyclic, rate: 0.5}
  - {as: batch, name: ascent, order: batch, rate: 0.5}
  - {as: annealed, name: ascent, C: 1, rate: 0.5, anneal: {from: 10, hold: 1, factor: 0.5}}
  - {as: path, name: ascent, rate: 0.5, path: {C: {from: 100, factor: 0.3, steps: 3}, until: {gap: 0.05}}}
  - {name: descent, step: {grid: [0.1, 0.01]}}
  - {name: whole}
choose: [{solver: descent, over: step, by: validation_error, at: {passes: 1}}]
seeds: [1, 2]
stop: {passes: 8}
`

// TestSameSpecAndSeedGiveSameRows checks that the rows of a run depend neither on the number of workers nor on results
// that exist already.
func TestSameSpecAndSeedGiveSameRows(t *testing.T) {
	t.Parallel()
	for _, loss := range []string{"log", "hinge"} {
		t.Run(loss, func(t *testing.T) {
			t.Parallel()
			s := toy.Spec(t, toy.AtC+variety, "model.loss="+loss)
			dir := t.TempDir()
			first := toy.Run(t, dir, s, toy.Workers(1))
			for _, c := range []struct {
				name  string
				again *toy.Result
			}{
				{"two workers", toy.Run(t, t.TempDir(), s, toy.Workers(2))},
				{"again in the same folder", toy.Run(t, dir, s, toy.Force())},
			} {
				toy.SameRows(t, c.name, first.Files, c.again.Files)
			}
		})
	}
}

// TestSeedsArePaired checks that two solvers with the same seed visit the examples in the same order, and that another
// seed gives another order.
func TestSeedsArePaired(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, toy.AtC+`
solvers:
  - {as: a, name: ascent, rate: 0.5}
  - {as: b, name: ascent, rate: 0.5}
seeds: [1, 2]
stop: {passes: 3}
`)
	if d := trace.Diff(toy.Labelled(t, r, "as", "a", "seed", "1"), toy.Labelled(t, r, "as", "b", "seed", "1")); d != "" {
		t.Errorf("the rows of two equal variants with the same seed differ: %s", d)
	}
	if d := trace.Diff(toy.Labelled(t, r, "as", "a", "seed", "1"), toy.Labelled(t, r, "as", "a", "seed", "2")); d == "" {
		t.Error("two seeds gave the same rows")
	}
}
