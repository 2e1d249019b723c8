package harness

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

const n = 60 // training examples of tiny

// TestPassesOfTheSolvers checks the number of effective passes of each method of the paper.
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
				t.Errorf("%v: row %d at epoch %v", as, i, v[trace.Epoch])
			}
			calls := v[trace.MaxCalls] + v[trace.ExpCalls] + v[trace.SumCalls]
			if math.Abs(v[trace.Passes]-calls/n) > 1e-12 {
				t.Errorf("%v: row %d: %v passes, but %v calls", as, i, v[trace.Passes], calls)
			}
			if i == 0 && v[trace.Passes] != 0 {
				t.Errorf("%v: starts at %v passes", as, v[trace.Passes])
			}
		}
		last := toy.Last(t, f)
		switch as {
		case "constant", "batch", "sgd": // one visit per update, n updates per epoch
			if last[trace.Passes] != 4 {
				t.Errorf("%v: %v passes in 4 epochs, want 4", as, last[trace.Passes])
			}
		case "adaptive": // every halving from the huge first rate is a visit
			if last[trace.Passes] < 4+float64(8)/n*10 {
				t.Errorf("adaptive: %v passes in 4 epochs: the retried visits are not counted", last[trace.Passes])
			}
		case "lbfgs": // n visits an evaluation, line search included
			evaluations := last[trace.ExpCalls] / n
			if evaluations != math.Trunc(evaluations) || evaluations < 4 || last[trace.Passes] != evaluations {
				t.Errorf("lbfgs: %v passes from %v evaluations of the gradient", last[trace.Passes], evaluations)
			}
		}
		setup := f.Rows[0].Values[trace.SetupCalls]
		switch as {
		case "constant", "adaptive", "batch": // the uniform start
			if setup != n {
				t.Errorf("%v: %v calls of set-up, want n = %d", as, setup, n)
			}
		case "found": // and the search of a rate, each a uniform start and a pass over a tenth
			if rest := setup - n; rest < 2*n/10 || math.Mod(rest, 2*n/10) != 0 {
				t.Errorf("found: %v calls of set-up, want n + a multiple of n/5", setup)
			}
		default:
			if setup != 0 {
				t.Errorf("%v: %v calls of set-up, want none", as, setup)
			}
		}
	}
	if a, b := toy.Last(t, labelled(t, r, "as", "sgd")),
		toy.Last(t, labelled(t, r, "as", "constant")); a[trace.SumCalls] != 0 || b[trace.ExpCalls] != 4*n {
		t.Errorf("sgd has %v value-only calls, constant eg %v marginal calls; want 0 and %d", a[trace.SumCalls],
			b[trace.ExpCalls], 4*n)
	}
}
