package harness

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestAnnealAfterConvergence checks a run whose solver converges while C is still away from its target. C must then
// move to the target at once, and the run must end at the target, where the same solver ends without annealing.
func TestAnnealAfterConvergence(t *testing.T) {
	r := runIn(t, t.TempDir(), readSpec(t, `apiVersion: gaplab/v1
id: test/anneal
dataset: {name: digits, train: 40, validation: 20}
model: {name: multiclass, loss: hinge}
regularisation: {convention: eg}
solvers:
  - {as: annealed, name: dcd, C: 1, anneal: {from: 10, hold: 100000, factor: 0.5}}
  - {as: plain, name: dcd, C: 1}
record: {every: {epochs: 1}}
stop: {epochs: 3000}
`), Options{})
	last := func(as string) map[string]float64 {
		f := labelled(t, r, "as", as)
		if f.End.Rule != "converged" {
			t.Errorf("%s: it ended by the rule %q, want converged", as, f.End.Rule)
		}
		return f.Rows[len(f.Rows)-1].Values
	}
	annealed, plain := last("annealed"), last("plain")
	if annealed[trace.C] != 1 {
		t.Errorf("the last row has C=%v, want the target 1", annealed[trace.C])
	}
	if a, b := annealed[trace.Primal], plain[trace.Primal]; a > b*1.001 || b > a*1.001 {
		t.Errorf("the last primal is %v with annealing and %v without, want nearly equal values", a, b)
	}
}
