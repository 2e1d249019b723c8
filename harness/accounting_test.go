package harness

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

const n = 60 // number of training examples in the spec atC

// TestPassesOfTheSolvers checks how many passes (oracle calls divided by n) and set-up calls each solver reports.
func TestPassesOfTheSolvers(t *testing.T) {
	r := runText(t, atC+`
solvers:
  - {as: constant, name: eg, eta: 0.01, rate: constant}
  - {as: adaptive, name: eg, eta: 4096}
  - {as: found, name: eg}
  - {as: batch, name: eg, order: batch, eta: 0.1, rate: constant}
  - {name: sgd, eta0: 0.01}
  - {name: lbfgs}
record: {every: {epochs: 1}}
stop: {epochs: 4}
`)
	for _, f := range r.Files {
		toy.WantStatus(t, f, trace.Done, "epochs")
		as := f.Manifest.Labels["as"]
		for i, row := range f.Rows {
			v := row.Values
			if want := float64(i); v[trace.Epoch] != want {
				t.Errorf("%v: epoch of row %d = %v, want %v", as, i, v[trace.Epoch], want)
			}
			calls := v[trace.MaxCalls] + v[trace.ExpCalls] + v[trace.SumCalls]
			if math.Abs(v[trace.Passes]-calls/n) > 1e-12 {
				t.Errorf("%v: passes in row %d = %v, want %v, the calls divided by n", as, i, v[trace.Passes], calls/n)
			}
			if i == 0 && v[trace.Passes] != 0 {
				t.Errorf("%v: the first row has %v passes, want 0", as, v[trace.Passes])
			}
		}
		last := toy.Last(t, f)
		switch as {
		case "constant", "batch", "sgd": // one visit of an example per update, n updates per epoch
			if last[trace.Passes] != 4 {
				t.Errorf("%v: %v passes in 4 epochs, want 4", as, last[trace.Passes])
			}
		case "adaptive": // the initial rate is too large: each halving costs one more visit
			if last[trace.Passes] < 4+float64(8)/n*10 {
				t.Errorf("adaptive: %v passes in 4 epochs, want more, because retried visits count too", last[trace.Passes])
			}
		case "lbfgs": // each evaluation of the gradient is n visits, also in the line search
			evaluations := last[trace.ExpCalls] / n
			if evaluations != math.Trunc(evaluations) || evaluations < 4 || last[trace.Passes] != evaluations {
				t.Errorf("lbfgs: %v passes, want %v, one per evaluation of the gradient, and at least 4", last[trace.Passes],
					evaluations)
			}
		}
		setup := f.Rows[0].Values[trace.SetupCalls]
		switch as {
		case "constant", "adaptive", "batch": // the start with uniform dual variables costs one call per example
			if setup != n {
				t.Errorf("%v: %v set-up calls, want n = %d", as, setup, n)
			}
		case "found": // the search for the learning rate adds, per trial, a uniform start and a pass over n/10 examples
			if rest := setup - n; rest < 2*n/10 || math.Mod(rest, 2*n/10) != 0 {
				t.Errorf("found: %v set-up calls, want n plus a positive multiple of n/5", setup)
			}
		default:
			if setup != 0 {
				t.Errorf("%v: %v set-up calls, want none", as, setup)
			}
		}
	}
	if a, b := toy.Last(t, labelled(t, r, "as", "sgd")),
		toy.Last(t, labelled(t, r, "as", "constant")); a[trace.SumCalls] != 0 || b[trace.ExpCalls] != 4*n {
		t.Errorf("sgd made %v calls without marginals, eg made %v calls for marginals; want 0 and %d", a[trace.SumCalls],
			b[trace.ExpCalls], 4*n)
	}
}
