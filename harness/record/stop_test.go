package record_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// solverSeconds returns the time that stop rules and budgets count: CPU seconds if the row has them, otherwise
// wall-clock seconds.
func solverSeconds(row map[string]float64) float64 {
	if cpu, ok := row[trace.CPUSeconds]; ok {
		return cpu
	}
	return row["seconds"]
}

// TestStopRules checks that each stop rule and each budget ends a run at the right row. If two are met at the same row,
// it checks which one the end line names.
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
			func(v map[string]float64) bool { return solverSeconds(v) >= 0.02 }},
		{"first of several", "{epochs: 2, passes: 50, gap: 1e-9}", "", trace.Done, "epochs",
			func(v map[string]float64) bool { return v["epoch"] == 2 }},
		{"budget of passes", "{passes: 50}", "budget: {passes: 2}\n", trace.Budget, "",
			func(v map[string]float64) bool { return v["passes"] >= 2 && v["passes"] < 2.4 }},
		{"budget of seconds", "{passes: 1e9}", "budget: {seconds: 0.02}\n", trace.Budget, "",
			func(v map[string]float64) bool { return solverSeconds(v) >= 0.02 }},
		{"stop and budget at once", "{passes: 2}", "budget: {passes: 2}\n", trace.Done, "passes",
			func(v map[string]float64) bool { return v["passes"] >= 2 }},
		{"gap and budget at once", "{gap: 10}", "budget: {passes: 1e-9}\n", trace.Done, "gap",
			func(v map[string]float64) bool { return v["gap"] <= 10 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := toy.Only(t, toy.Text(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: "+c.stop+"\n"+c.more))
			toy.WantStatus(t, f, c.status, c.rule)
			if v := toy.Last(t, f); !c.check(v) {
				t.Errorf("the run ended at the wrong row: %v", v)
			}
			if len(f.Rows) > 1 && c.rule == "gap" {
				if before := f.Rows[len(f.Rows)-2].Values[trace.Gap]; before <= 1e-2 {
					t.Errorf("gap of the row before the last = %v, want more than 1e-2", before)
				}
			}
		})
	}
}

// TestCadence checks at which passes rows are recorded.
func TestCadence(t *testing.T) {
	for _, c := range []struct {
		name, every string // every: the spec's distance between rows; "": the default
		step        int    // number of visits between two yields
		want        []float64
	}{
		{"each pass", "{passes: 1}", 6, []float64{0, 1, 2, 3}},
		{"half passes", "{passes: 0.5}", 6, []float64{0, .5, 1, 1.5, 2, 2.5, 3}},
		{"the end is recorded", "{passes: 2}", 6, []float64{0, 2, 3}},
		{"start and end only", "{passes: 100}", 6, []float64{0, 3}},
		{"at the first yield after a row is due", "{passes: 1}", 42, []float64{0, 1.4, 2.1, 3.5}},
		{"yields are too rare", "{passes: 0.1}", 60, []float64{0, 1, 2, 3}},
		{"epochs", "{epochs: 2}", 6, []float64{0, 2, 3}},
		{"growing", "{passes: 0.5, growth: 2}", 6, []float64{0, .5, 1, 2, 3}},
		{"the default", "{passes: 1, growth: 1.3, looks: true}", 30, []float64{0, 1, 2, 3, 4, 6, 8, 11, 15, 16}},
		{"by default", "", 30, []float64{0, 1, 2, 3, 4, 6, 8, 11, 15, 16}},
	} {
		t.Run(c.name, func(t *testing.T) {
			more := ""
			if c.every != "" {
				more = "record: {every: " + c.every + "}\n"
			}
			r := toy.Text(t, toy.Quickly(fmt.Sprintf("{passes: %g}", c.want[len(c.want)-1]))+more,
				toy.With(toy.Steady(c.step)))
			f := toy.Labelled(t, r, "as", "steady")
			toy.WantStatus(t, f, trace.Done, "passes")
			got := toy.Column(t, f, trace.Passes)
			if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
				t.Errorf("rows at passes %v, want %v", got, c.want)
			}
		})
	}
}

// TestEndBetweenRecords checks that the last iterate gets a row if the solver ends by itself.
func TestEndBetweenRecords(t *testing.T) {
	for name, kernel := range map[string]bool{"weights": false, "no weights": true} {
		t.Run(name, func(t *testing.T) {
			ends := toy.Scripted{Is: "ends", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
				w := make([]float64, p.Dim)
				value := 0.
				for k := range 4 {
					value = float64(k)
					it := solvers.Iterate{W: w, Dual: func() float64 { return -10 + value },
						Stats: func(put func(string, float64)) { put("k", value) }}
					if kernel {
						it.W, it.Primal = nil, func() float64 { return 10 - value }
					}
					if !yield(it, nil) {
						return
					}
					if k < 3 {
						value = -1 // makes later calls of Dual, Stats and Primal wrong, except for the last iterate
					}
					p.Visit(0)
				}
				p.Visit(0)
			}}
			f := toy.Labelled(t, toy.Text(t, toy.Quickly("{passes: 9}")+"record: {every: {passes: 5}}\n", toy.With(ends)), "as",
				"ends")
			toy.WantStatus(t, f, trace.Done, "converged")
			if len(f.Rows) != 2 {
				t.Fatalf("%d rows, want the start and the end", len(f.Rows))
			}
			v := f.Rows[1].Values
			if v["k"] != 3 || v[trace.Dual] != -7 || v[trace.MaxCalls] != 5 || v[trace.Passes] != 5./toy.N {
				t.Errorf("last row = %v, want k 3, dual -7, 5 calls", v)
			}
			if kernel && v[trace.Primal] != 7 {
				t.Errorf("primal = %v, want 7, the solver's own value", v[trace.Primal])
			}
		})
	}
}

// TestEachYieldIsWatched checks that the function Watch of an iterate is called at each yield, even if the yield gets
// no row.
func TestEachYieldIsWatched(t *testing.T) {
	watched := 0
	sees := toy.Scripted{Is: "sees", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for range 12 {
			if !yield(solvers.Iterate{W: w, Dual: func() float64 { return -10 }, Watch: func() { watched++ },
				Stats: func(put func(string, float64)) { put("watched", float64(watched)) }}, nil) {
				return
			}
			p.Visit(0)
		}
	}}
	f := toy.Labelled(t, toy.Text(t, toy.Quickly("{passes: 9}")+"record: {every: {passes: 5}}\n", toy.With(sees)), "as",
		"sees")
	if got := toy.Column(t, f, "watched"); !slices.Equal(got, []float64{1, 12}) {
		t.Errorf("calls of Watch at the two rows = %v, want 1 and 12", got)
	}
}

// TestSecondsStopIsOfSolverTime checks that the time of evaluations does not count for a stop rule in seconds.
func TestSecondsStopIsOfSolverTime(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test waits for a second")
	}
	slow := toy.Scripted{Is: "slow", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := range 3 {
			p.Visit(k)
			if !yield(solvers.Iterate{W: w, Epoch: k, Dual: func() float64 { time.Sleep(300 * time.Millisecond); return 0 }},
				nil) {
				return
			}
		}
	}}
	f := toy.Labelled(t, toy.Text(t, toy.Quickly("{seconds: 0.3}")+"record: {every: {epochs: 1}}\n", toy.With(slow)), "as",
		"slow")
	toy.WantStatus(t, f, trace.Done, "converged")
}

// TestStoppedInsideAStep checks a solver that is interrupted between two yields. The run must count as interrupted, and
// its rows must be those of complete iterates.
func TestStoppedInsideAStep(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	long := toy.Scripted{Is: "long", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		p.Visit(0)
		if !yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil) {
			return
		}
		p.Visit(1)
		cancel()
		<-p.Context.Done() // as a solver with a long step would detect the interrupt
		p.Interrupted(yield)
	}}
	r := toy.RunIn(t, ctx, t.TempDir(), toy.Spec(t, toy.Quickly("{passes: 5}")), toy.With(long))
	f := toy.Labelled(t, r, "as", "long")
	if f.Status() != trace.Interrupted || len(f.Rows) != 1 || r.Ended() {
		t.Errorf("%s with %d rows: %+v; want it interrupted, with one row", f.Status(), len(f.Rows), f.End)
	}
}

// TestWaitingEndsWithTheTime checks a solver that waits for another program between two yields: the wait ends when the
// time of the stop rule or of the budget is used up, whichever is shorter, and the run ends by it.
func TestWaitingEndsWithTheTime(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test waits")
	}
	waits := toy.Scripted{Is: "waits", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		if !yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil) {
			return
		}
		within, done := p.Within()
		defer done()
		select {
		case <-within.Done():
			yield(solvers.Iterate{}, context.Cause(within))
		case <-time.After(20 * time.Second):
			yield(solvers.Iterate{}, errors.New("the wait did not end"))
		}
	}}
	for _, c := range []struct {
		stop, budget string
		status       trace.Status
		rule, why    string
	}{
		{"{passes: 9, seconds: 0.1}", "", trace.Done, "seconds", "0.1 s"},
		{"{passes: 9}", "budget: {seconds: 0.1}\n", trace.Budget, "", "0.1 s"},
		{"{passes: 9, seconds: 0.1}", "budget: {seconds: 90}\n", trace.Done, "seconds", "0.1 s"},
		{"{passes: 9, seconds: 90}", "budget: {seconds: 0.1}\n", trace.Budget, "", "0.1 s"},
	} {
		f := toy.Labelled(t, toy.Text(t, toy.Quickly(c.stop)+c.budget, toy.With(waits)), "as", "waits")
		toy.WantStatus(t, f, c.status, c.rule)
		if f.End.Why != c.why || len(f.Rows) != 1 {
			t.Errorf("stop %s %s: %q after %d rows, want %q after one", c.stop, c.budget, f.End.Why, len(f.Rows), c.why)
		}
	}
}

// TestStalled checks a run whose solver ends by itself. Its status must be done only if it has reached the gap of its
// stop rule, or if it has no such rule.
func TestStalled(t *testing.T) {
	ends := func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := range 2 {
			if !yield(solvers.Iterate{W: w, Epoch: k, Dual: func() float64 { return 0 }}, nil) {
				return
			}
			p.Visit(k)
		}
	}
	for stop, want := range map[string]struct {
		status trace.Status
		rule   string
	}{
		"{passes: 9}":               {trace.Done, "converged"},
		"{passes: 9, gap: 1e-7}":    {trace.Stalled, ""},
		"{passes: 9, gap: 10}":      {trace.Done, "gap"},
		"{passes: 0.01, gap: 1e-7}": {trace.Done, "passes"},
	} {
		f := toy.Labelled(t, toy.Text(t, toy.Quickly(stop), toy.With(toy.Scripted{Is: "ends", Do: ends})), "as", "ends")
		toy.WantStatus(t, f, want.status, want.rule)
		sure := toy.Labelled(t, toy.Text(t, toy.Quickly(stop), toy.WithNamed("sure",
			certain{toy.Scripted{Is: "sure", Do: ends}})), "as", "sure")
		if sure.Status() != trace.Done {
			t.Errorf("stop %s: status with a solver that certifies the optimum = %s, want done", stop, sure.Status())
		}
		if strings.Contains(f.End.Why, "no further progress, at gap 1") != (want.status == trace.Stalled) {
			t.Errorf("stop %s: reason = %q; want \"no further progress\" only if it stalled", stop, f.End.Why)
		}
	}
}

// certain is a solver that ends only if it has proved that it is at the optimum.
type certain struct{ toy.Scripted }

func (certain) Certifies() bool { return true }
