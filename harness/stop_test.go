package harness

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

func TestStopRules(t *testing.T) {
	for _, c := range []struct {
		name, stop, more string
		status           trace.Status
		rule             string
		check            func(last map[string]float64) bool
	}{
		{"passes", "{passes: 3}", "", trace.Done, "passes",
			func(v map[string]float64) bool { return v["passes"] >= 3 && v["passes"] < 3.4 }},
		{"epochs", "{epochs: 3}", "", trace.Done, "epochs", func(v map[string]float64) bool { return v["epoch"] == 3 }},
		{"gap", "{gap: 1e-2, passes: 500}", "", trace.Done, "gap",
			func(v map[string]float64) bool { return v["gap"] <= 1e-2 }},
		{"gap without a column of its own", "{gap: 1e-2, passes: 500}", "record: {metrics: [primal]}\n", trace.Done, "gap",
			func(v map[string]float64) bool { return v["gap"] <= 1e-2 }},
		{"seconds", "{seconds: 0.02}", "", trace.Done, "seconds",
			func(v map[string]float64) bool { return v["seconds"] >= 0.02 }},
		{"first of several", "{epochs: 2, passes: 50, gap: 1e-9}", "", trace.Done, "epochs",
			func(v map[string]float64) bool { return v["epoch"] == 2 }},
		{"budget of passes", "{passes: 50}", "budget: {passes: 2}\n", trace.Budget, "",
			func(v map[string]float64) bool { return v["passes"] >= 2 && v["passes"] < 2.4 }},
		{"budget of seconds", "{passes: 1e9}", "budget: {seconds: 0.02}\n", trace.Budget, "",
			func(v map[string]float64) bool { return v["seconds"] >= 0.02 }},
		{"stop and budget at once", "{passes: 2}", "budget: {passes: 2}\n", trace.Done, "passes",
			func(v map[string]float64) bool { return v["passes"] >= 2 }},
		{"gap and budget at once", "{gap: 10}", "budget: {passes: 1e-9}\n", trace.Done, "gap",
			func(v map[string]float64) bool { return v["gap"] <= 10 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := only(t, runText(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: "+c.stop+"\n"+c.more))
			wantStatus(t, f, c.status, c.rule)
			if v := lastRow(t, f); !c.check(v) {
				t.Errorf("ends at %v", v)
			}
			if len(f.Rows) > 1 && c.rule == "gap" {
				if before := f.Rows[len(f.Rows)-2].Values[trace.Gap]; before <= 1e-2 {
					t.Errorf("the record before had a gap of %v already", before)
				}
			}
		})
	}
}

// TestBudgetCensorsFigures: what the budget cut is drawn as a bound.
func TestBudgetCensorsFigures(t *testing.T) {
	r := runText(t, atC+"solvers: [{name: eg, eta: 0.5}, {name: lbfgs, stop: {passes: 2}}]\nstop: {passes: "+
		"50}\nbudget: {passes: 4}\nfigure: {x: passes, y: primal}\n")
	fig, err := r.Figure()
	if err != nil {
		t.Fatal(err)
	}
	lines := fig.Panels[0].Lines
	if len(lines) != 2 || !lines[0].Censored || lines[1].Censored {
		t.Errorf("lines %+v: want that of eg censored, that of lbfgs not", lines)
	}
	if curve := r.Set.Curves[0]; curve.Status != trace.Budget || !curve.Cut() {
		t.Errorf("curve of eg: status %s, cut %v", curve.Status, curve.Cut())
	}
}

func TestCadence(t *testing.T) {
	for _, c := range []struct {
		name, every string
		step        int // visits between two yields
		want        []float64
	}{
		{"each pass", "{passes: 1}", 6, []float64{0, 1, 2, 3}},
		{"half passes", "{passes: 0.5}", 6, []float64{0, .5, 1, 1.5, 2, 2.5, 3}},
		{"the end is recorded", "{passes: 2}", 6, []float64{0, 2, 3}},
		{"start and end only", "{passes: 100}", 6, []float64{0, 3}},
		{"the first yield beyond", "{passes: 1}", 42, []float64{0, 1.4, 2.1, 3.5}},
		{"yields are too rare", "{passes: 0.1}", 60, []float64{0, 1, 2, 3}},
		{"epochs", "{epochs: 2}", 6, []float64{0, 2, 3}},
		{"growing", "{passes: 0.5, growth: 2}", 6, []float64{0, .5, 1, 2, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := runText(t, quickly("{passes: 3}")+"record: {every: "+c.every+"}\n",
				With(scripted{name: "steady", run: steady(c.step)}))
			f := labelled(t, r, "as", "steady")
			wantStatus(t, f, trace.Done, "passes")
			got := column(t, f, trace.Passes)
			if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
				t.Errorf("records at %v, want %v", got, c.want)
			}
		})
	}
}

// TestEndBetweenRecords: a solver that ends by itself has its last iterate recorded, as it was when it was yielded.
func TestEndBetweenRecords(t *testing.T) {
	for name, kernel := range map[string]bool{"weights": false, "no weights": true} {
		t.Run(name, func(t *testing.T) {
			ends := scripted{name: "ends", run: func(p given, yield func(solvers.Iterate, error) bool) {
				w := make([]float64, p.Dim)
				for k := range 4 {
					value := float64(k)
					it := solvers.Iterate{W: w, Dual: func() float64 { return -10 + value },
						Stats: func(put func(string, float64)) { put("k", value) }}
					if kernel {
						it.W, it.Primal = nil, func() float64 { return 10 - value }
					}
					if !yield(it, nil) {
						return
					}
					value = -1 // borrowed: nothing of an iterate holds after the loop body
					visit(p, 0)
				}
				clear(w)
				visit(p, 0)
			}}
			f := labelled(t, runText(t, quickly("{passes: 9}")+"record: {every: {passes: 5}}\n", With(ends)), "as", "ends")
			wantStatus(t, f, trace.Done, "converged")
			if len(f.Rows) != 2 {
				t.Fatalf("%d rows, want the start and the end", len(f.Rows))
			}
			v := f.Rows[1].Values
			if v["k"] != 3 || v[trace.Dual] != -7 || v[trace.MaxCalls] != 5 || v[trace.Passes] != 5./n {
				t.Errorf("the last row is %v", v)
			}
			if kernel && v[trace.Primal] != 7 {
				t.Errorf("primal %v, want the solver's own, 7", v[trace.Primal])
			}
		})
	}
}

// TestSecondsStopIsOfSolverTime: evaluation may take as long as it likes.
func TestSecondsStopIsOfSolverTime(t *testing.T) {
	slow := scripted{name: "slow", run: func(p given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := range 3 {
			visit(p, k)
			if !yield(solvers.Iterate{W: w, Epoch: k, Dual: func() float64 { time.Sleep(300 * time.Millisecond); return 0 }},
				nil) {
				return
			}
		}
	}}
	f := labelled(t, runText(t, quickly("{seconds: 0.3}")+"record: {every: {epochs: 1}}\n", With(slow)), "as", "slow")
	wantStatus(t, f, trace.Done, "converged")
}

// TestStoppedInsideAStep: a solver that is stopped between two yields ends with the context's error. The run counts as
// interrupted, and what it has recorded are whole iterates.
func TestStoppedInsideAStep(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	long := scripted{name: "long", run: func(p given, yield func(solvers.Iterate, error) bool) {
		visit(p, 0)
		if !yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil) {
			return
		}
		visit(p, 1)
		cancel()
		<-p.Context.Done() // as a long step would see it
		p.Interrupted(yield)
	}}
	r, err := Run(ctx, readSpec(t, quickly("{passes: 5}")), Root(t.TempDir()), With(long))
	if err != nil {
		t.Fatal(err)
	}
	f := labelled(t, r, "as", "long")
	if f.Status() != trace.Interrupted || len(f.Rows) != 1 || !r.Interrupted() {
		t.Errorf("%s with %d rows: %+v; want it interrupted, with the start", f.Status(), len(f.Rows), f.End)
	}
}
