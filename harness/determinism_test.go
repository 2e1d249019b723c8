package harness

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// variety is every algorithm of the catalogue in every setting that its rows depend on.
const variety = `
solvers:
  - {as: random, name: eg, order: random, eta: 0.5}
  - {as: found, name: eg, order: random}
  - {as: cyclic, name: eg, order: cyclic, eta: 0.5}
  - {as: permutation, name: eg, order: permutation, eta: 0.5}
  - {as: batch, name: eg, order: batch, eta: 0.5}
  - {as: annealed, name: eg, C: 1, eta: 0.5, anneal: {from: 10, hold: 1, factor: 0.5}}
  - {as: path, name: eg, eta: 0.5, path: {C: {from: 100, factor: 0.3, steps: 3}, until: {gap: 0.05}}}
  - {name: sgd, eta0: {grid: [0.1, 0.01]}}
  - {name: lbfgs}
choose: [{solver: sgd, over: eta0, by: validation_error, at: {passes: 1}}]
seeds: [1, 2]
stop: {passes: 8}
`

func TestSameSpecAndSeedGiveSameRows(t *testing.T) {
	for _, loss := range []string{"log", "hinge"} {
		t.Run(loss, func(t *testing.T) {
			t.Parallel()
			s := readSpec(t, atC+variety, "model.loss="+loss)
			dir := t.TempDir()
			first := runIn(t, dir, s, Workers(1))
			for _, c := range []struct {
				name  string
				again *Result
			}{
				{"two workers", runIn(t, t.TempDir(), s, Workers(2))},
				{"again in the same folder", runIn(t, dir, s, Force())},
			} {
				sameRows(t, c.name, first.Files, c.again.Files)
			}
		})
	}
}

func sameRows(t *testing.T, name string, a, b []*trace.File) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d runs against %d", name, len(a), len(b))
	}
	for i := range a {
		if a[i].Manifest.Key != b[i].Manifest.Key {
			t.Errorf("%s: run %d has key %s against %s", name, i, a[i].Manifest.Key, b[i].Manifest.Key)
		}
		if d := trace.Diff(a[i], b[i]); d != "" {
			t.Errorf("%s: %s: %s", name, a[i].Describe(), d)
		}
		if a[i].Status() != trace.Unsupported && len(a[i].Rows) < 2 {
			t.Errorf("%s: %s: %d rows say nothing", name, a[i].Describe(), len(a[i].Rows))
		}
	}
}

// TestSeedsArePaired: the same seed gives two variants the same order of the data, another seed another.
func TestSeedsArePaired(t *testing.T) {
	r := runText(t, atC+`
solvers:
  - {as: a, name: eg, eta: 0.5}
  - {as: b, name: eg, eta: 0.5}
seeds: [1, 2]
stop: {passes: 3}
`)
	if d := trace.Diff(labelled(t, r, "as", "a", "seed", "1"), labelled(t, r, "as", "b", "seed", "1")); d != "" {
		t.Errorf("two variants with one seed: %s", d)
	}
	if d := trace.Diff(labelled(t, r, "as", "a", "seed", "1"), labelled(t, r, "as", "a", "seed", "2")); d == "" {
		t.Error("two seeds gave the same rows")
	}
}
