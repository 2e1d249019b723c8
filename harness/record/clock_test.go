package record_test

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// TestTheClockStandsDuringEvaluation checks that the column seconds includes only the solver's work. Its solver is
// fast, and its iterates are slow to evaluate. The test uses synctest, whose clock advances only while all goroutines
// wait. Therefore each sleep lasts exactly the given time, even on a busy machine.
func TestTheClockStandsDuringEvaluation(t *testing.T) { synctest.Test(t, testClock) }

func testClock(t *testing.T) {
	const work, evaluation, yields = 10 * time.Millisecond, 150 * time.Millisecond, 4
	idler := toy.Scripted{Is: "idler", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := range yields {
			time.Sleep(work)
			p.Visit(k)
			if !yield(solvers.Iterate{W: w, Epoch: k,
				Dual:  func() float64 { time.Sleep(evaluation); return 0 },
				Stats: func(put func(string, float64)) { time.Sleep(evaluation); put("naps", float64(k)) },
			}, nil) {
				return
			}
		}
		time.Sleep(work)
	}}
	r := toy.Text(t, toy.Quickly("{epochs: 100}")+"record: {every: {epochs: 1}}\n", toy.With(idler))
	f := toy.Labelled(t, r, "as", "idler")
	toy.WantStatus(t, f, trace.Done, "converged")
	if got := toy.Column(t, f, "naps"); !slices.Equal(got, []float64{0, 1, 2, 3}) {
		t.Errorf("column naps = %v, want 0, 1, 2, 3", got)
	}
	for k, seconds := range toy.Column(t, f, trace.Seconds) {
		if want := float64(k+1) * work.Seconds(); math.Abs(seconds-want) > 1e-9 {
			t.Errorf("seconds of row %d = %v, want %v, the solver's work without the evaluations", k, seconds, want)
		}
	}
	if want := (yields + 1) * work.Seconds(); math.Abs(f.End.Seconds-want) > 1e-9 {
		t.Errorf("seconds of the end line = %v, want %v, which includes the work after the last row", f.End.Seconds, want)
	}
}

// TestTimedExperimentsRunAlone checks that Timed reports an experiment for each key of the spec that may use seconds.
func TestTimedExperimentsRunAlone(t *testing.T) {
	const plain = toy.AtC + "solvers: [{name: ascent, rate: 0.5}]\n"
	for text, want := range map[string]bool{
		"stop: {passes: 5}\nfigure: {x: passes, y: primal}":                                                     false,
		"stop: {passes: 5}\nfigure: {x: seconds, y: primal}":                                                    true,
		"stop: {passes: 5}\nfigure: {x: passes, y: final.seconds}":                                              true,
		"stop: {passes: 5}\nfigure: {x: passes, y: [primal, seconds]}":                                          true,
		"stop: {passes: 5}\nfigure: {panels: [{x: passes, series: [{of: ascent, y: seconds}]}]}":                true,
		"stop: {passes: 5}\ntable: {rows: C, columns: [final.seconds]}":                                         true,
		"stop: {passes: 5}\ntable: {rows: C, columns: [final.primal]}":                                          false,
		"stop: {passes: 5}\nclaims: [{id: c1, says: fast, assert: 'all(series, final(#, \"seconds\") < 100)'}]": true,
		"stop: {passes: 5}\nclaims: [{id: c1, says: good, assert: 'all(series, final(#, \"primal\") < 100)'}]":  false,
		"stop: {passes: 5}\nfigure: {x: passes, y: primal, where: final.seconds < 9}":                           true,
		"stop: {passes: 5}\nfigure: {x: passes, y: primal, series: [{of: ascent, where: final.seconds < 9}]}":   true,
		"stop: {passes: 5}\ntable: {rows: final.seconds, columns: [final.primal]}":                              true,
		"stop: {seconds: 1}":                                                          true,
		"stop: {passes: 5}\nbudget: {seconds: 1}":                                     false,
		"stop: {passes: 5}\nbudget: {passes: 1000}":                                   false,
		"stop: {passes: 5}\nfigure: {x: passes, y: primal, bound: final.seconds * x}": true,
		"stop: {passes: 5}\nclaims: [{id: c1, says: s, assert: '1 < 2', measure: 'final(series[0], \"seconds\")'}]": true,
	} {
		if got := schedule.Timed(toy.Spec(t, plain+text+"\n")); got != want {
			t.Errorf("Timed = %v, want %v, for\n%s", got, want, text)
		}
	}
	for _, c := range []lang.Choose{{By: "seconds"}, {By: "gap", Ties: "cpu_seconds"}} {
		choosing := toy.Spec(t, plain+"stop: {passes: 5}\n")
		choosing.Problems[0].Choose = []lang.Choose{c}
		if !schedule.Timed(choosing) {
			t.Errorf("Timed = false for the choice %+v, want true", c)
		}
	}
	own := toy.Spec(t, plain+"stop: {passes: 5}\n")
	own.Problems[0].Solvers[0].Stop = &lang.Stop{Seconds: 1}
	if !schedule.Timed(own) {
		t.Error("Timed = false for a solver with its own stop rule in seconds, want true")
	}
}
