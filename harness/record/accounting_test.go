package record_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// TestCallsAreCountedByKind checks the recorded numbers of oracle calls for a solver with a known number of calls of
// each kind, some of them in its set-up.
func TestCallsAreCountedByKind(t *testing.T) {
	caller := toy.Scripted{Is: "caller", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		e := &p.Examples[0]
		k := e.Features.Parts()
		theta, mu := make([]float64, k), make([]float64, k)
		p.Phase("setup")
		e.Max.Max(nil, theta)
		e.Exp.LogSum(mu, theta)
		e.Exp.LogSum(nil, theta)
		p.Answered(4)
		p.Phase("")
		w := make([]float64, p.Dim)
		asked := func() float64 { // called to evaluate an iterate, so its oracle call is not counted
			e.Max.Max(nil, theta)
			return -1e9
		}
		if !yield(solvers.Iterate{W: w, Dual: asked}, nil) {
			return
		}
		p.Phase("qp") // a named phase of the run; its oracle calls are counted as usual
		for range 6 {
			e.Max.Max(nil, theta)
		}
		p.Answered(5) // calls whose results the solver has computed itself
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
		yield(solvers.Iterate{W: w, Epoch: 1, Dual: asked}, nil)
	}}
	f := toy.Labelled(t, toy.Text(t, toy.Quickly("{passes: 100}")+"record: {every: {epochs: 1}}\n", toy.With(caller)),
		"as", "caller")
	if len(f.Rows) != 2 {
		t.Fatalf("%d rows, want 2", len(f.Rows))
	}
	first := f.Rows[0].Values
	if first[trace.Passes] != 0 || first[trace.SetupCalls] != 7 {
		t.Errorf("first row: %v passes and %v calls of set-up, want 0 and 7", first[trace.Passes], first[trace.SetupCalls])
	}
	for _, name := range []string{trace.MaxCalls, trace.ExpCalls, trace.SumCalls, trace.SlackCalls, trace.SecondCalls} {
		if v, ok := first[name]; ok {
			t.Errorf("first row: %s = %v, want no such column before any work", name, v)
		}
	}
	for name, want := range map[string]float64{trace.MaxCalls: 11, trace.ExpCalls: 12, trace.SumCalls: 18,
		trace.SlackCalls: 24, trace.SecondCalls: 30, trace.SetupCalls: 7, trace.Passes: 95. / toy.N} {
		if got := f.Rows[1].Values[name]; got != want {
			t.Errorf("second row: %s = %v, want %v", name, got, want)
		}
	}
}
