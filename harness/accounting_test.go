package harness

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

const n = 60 // training examples of tiny

// TestCallsAreCountedByKind: a solver with a known number of calls of each kind, some of them in its set-up.
func TestCallsAreCountedByKind(t *testing.T) {
	caller := scripted{name: "caller", run: func(p given, yield func(solvers.Iterate, error) bool) {
		e := &p.Examples[0]
		k := e.Features.Parts()
		theta, mu := make([]float64, k), make([]float64, k)
		p.Phase("setup")
		e.Max.Max(nil, theta)
		e.Exp.LogSum(mu, theta)
		e.Exp.LogSum(nil, theta)
		p.Phase("")
		w := make([]float64, p.Dim)
		if !yield(solvers.Iterate{W: w}, nil) {
			return
		}
		p.Phase("qp") // not a set-up: counted
		for range 6 {
			e.Max.Max(nil, theta)
		}
		p.Phase("")
		for range 12 {
			e.Exp.LogSum(mu, theta)
		}
		for range 18 {
			e.Exp.LogSum(nil, theta)
		}
		for range 24 {
			e.Slack.MaxSlack(nil, theta, e.Cost, e.Truth)
		}
		for range 30 {
			e.Second.Second(nil, theta, e.Truth)
		}
		yield(solvers.Iterate{W: w, Epoch: 1}, nil)
	}}
	f := labelled(t, runText(t, quickly("{passes: 100}")+"record: {every: {epochs: 1}}\n", With(caller)), "as", "caller")
	if len(f.Rows) != 2 {
		t.Fatalf("%d rows, want 2: evaluation must not move the solver", len(f.Rows))
	}
	first := f.Rows[0].Values
	if first[trace.Passes] != 0 || first[trace.SetupCalls] != 3 {
		t.Errorf("first row: %v passes and %v calls of set-up, want 0 and 3", first[trace.Passes], first[trace.SetupCalls])
	}
	for _, name := range []string{trace.MaxCalls, trace.ExpCalls, trace.SumCalls, trace.SlackCalls, trace.SecondCalls} {
		if v, ok := first[name]; ok {
			t.Errorf("first row: %s is %v before any work", name, v)
		}
	}
	for name, want := range map[string]float64{trace.MaxCalls: 6, trace.ExpCalls: 12, trace.SumCalls: 18,
		trace.SlackCalls:  24,
		trace.SecondCalls: 30, trace.SetupCalls: 3, trace.Passes: 90. / n} {
		if got := f.Rows[1].Values[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// TestPassesOfTheSolvers: what an effective pass is for each method of the paper.
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
		wantStatus(t, f, trace.Done, "epochs")
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
		last := lastRow(t, f)
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
	if a, b := lastRow(t, labelled(t, r, "as", "sgd")),
		lastRow(t, labelled(t, r, "as", "constant")); a[trace.SumCalls] != 0 || b[trace.ExpCalls] != 4*n {
		t.Errorf("sgd has %v value-only calls, constant eg %v marginal calls; want 0 and %d", a[trace.SumCalls],
			b[trace.ExpCalls], 4*n)
	}
}
