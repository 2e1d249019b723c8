package record_test

import (
	"context"
	"iter"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

const pathSpec = toy.Tiny + `
regularisation: {convention: eg}
solvers:
  - {as: path, name: ascent, rate: 0.5, path: {C: {from: 100, factor: 0.5, steps: 5}, until: {gap: 0.01}}}
  - {as: cold, name: ascent, rate: 0.5, C: [100, 50, 25, 12.5, 6.25], stop: {gap: 0.01}}
record: {every: {epochs: 1}}
`

// TestPath checks the C, the passes and the gap of each stage of a path (a sequence of values of C). The path must take
// fewer passes than separate runs without warm starts.
func TestPath(t *testing.T) {
	r := toy.Text(t, pathSpec)
	f := toy.Labelled(t, r, "as", "path")
	toy.WantStatus(t, f, trace.Done, "gap")
	var cold float64
	for _, c := range r.Files {
		if c.Manifest.Labels["as"] == "cold" {
			cold += toy.Last(t, c)[trace.Passes]
		}
	}
	if warm := toy.Last(t, f)[trace.Passes]; warm >= cold {
		t.Errorf("passes with warm starts = %v, want fewer than the %v without", warm, cold)
	}
	stage, start := 0, 0.
	for i, row := range f.Rows {
		v := row.Values
		if int(v[trace.Stage]) != stage {
			if before := f.Rows[i-1].Values[trace.Gap]; before > 0.01 {
				t.Errorf("stage %d: last gap = %v, want at most 0.01", stage, before)
			}
			stage++
			start = v[trace.Passes]
			if start != f.Rows[i-1].Values[trace.Passes] {
				t.Errorf("stage %d: first passes = %v, want %v, the last of the previous stage", stage, start,
					f.Rows[i-1].Values[trace.Passes])
			}
		}
		want := 100 * math.Pow(0.5, float64(stage))
		if v[trace.C] != want || v[trace.Lambda] != want/toy.N || int(v[trace.Stage]) != stage {
			t.Errorf("row %d: stage %v with C=%v, λ=%v; want stage %d with C=%v", i, v[trace.Stage], v[trace.C], v[trace.Lambda],
				stage, want)
		}
		if got := v[trace.StagePasses]; got != v[trace.Passes]-start {
			t.Errorf("row %d: stage_passes = %v, want %v", i, got, v[trace.Passes]-start)
		}
		if v[trace.Primal] < v[trace.Dual]-1e-12 {
			t.Errorf("row %d: primal %v below dual %v", i, v[trace.Primal], v[trace.Dual])
		}
	}
	if stage != 4 {
		t.Errorf("%d stages, want 5", stage+1)
	}
	if r.Set.Err != nil { // an error would mean that the bounds of stages and of separate runs contradict each other
		t.Error(r.Set.Err)
	}
}

// TestPathLimits checks that a stage ends by the path's rules, counted from the start of the stage. The whole path must
// end by the run's stop rule or budget.
func TestPathLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		set    []string
		status trace.Status
		rule   string
		stages int
		passes [2]float64 // smallest and largest allowed number of passes at the end
	}{
		{"epochs of a stage", []string{"solvers.path.path.until={gap: 1e-9, epochs: 2}"}, trace.Done, "epochs", 5,
			[2]float64{10, 12}},
		{"passes of a stage", []string{"solvers.path.path.until={gap: 1e-9, passes: 2}"}, trace.Done, "passes", 5,
			[2]float64{10, 12}},
		{"passes of the path", []string{"solvers.path.path.until={gap: 1e-9, passes: 2}", "stop={passes: 5}"}, trace.Done,
			"passes", 3, [2]float64{5, 5.3}},
		{"passes of the path at the end of a stage",
			[]string{"solvers.path.path.until={gap: 1e-9, epochs: 2}", "stop={epochs: 4}"}, trace.Done, "epochs", 2,
			[2]float64{4, 5}},
		{"epochs of the path", []string{"solvers.path.path.until={gap: 1e-9, passes: 2}", "stop={epochs: 5}"}, trace.Done,
			"epochs", 3, [2]float64{5, 6.5}},
		{"budget", []string{"solvers.path.path.until={gap: 1e-9, passes: 2}", "budget={passes: 3}"}, trace.Budget, "", 2,
			[2]float64{3, 3.3}},
		{"budget at the end of a stage", []string{"solvers.path.path.until={gap: 1e-9, epochs: 2}", "budget={passes: 2}"},
			trace.Budget, "", 1, [2]float64{2, 2.3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := toy.Labelled(t, toy.Run(t, t.TempDir(),
				toy.Spec(t, pathSpec, append(c.set, "solvers.cold.stop={passes: 1}")...)),
				"as", "path")
			v := toy.Last(t, f)
			toy.WantStatus(t, f, c.status, c.rule)
			if got := int(v[trace.Stage]) + 1; got != c.stages {
				t.Errorf("%d stages, want %d", got, c.stages)
			}
			if p := v[trace.Passes]; p < c.passes[0] || p > c.passes[1] {
				t.Errorf("%v passes, want a number in the range %v", p, c.passes)
			}
		})
	}
}

// TestInterruptedBetweenStages checks that an interrupt at the end of a stage gives the status interrupted.
func TestInterruptedBetweenStages(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := toy.Spec(t, pathSpec)
	s.Problems[0].Solvers = s.Problems[0].Solvers[:1]
	r := toy.RunIn(t, ctx, t.TempDir(), s, toy.OnEvent(func(e schedule.Event) {
		if e.Kind == schedule.Recorded && e.Gap <= 0.01 {
			cancel()
		}
	}))
	toy.WantStatus(t, toy.Labelled(t, r, "as", "path"), trace.Interrupted, "")
}

// TestAnneal checks the C of each row of a run in which C moves to its target. The primal and dual of each row must
// bound the optimum of the problem with the target C.
func TestAnneal(t *testing.T) {
	r := toy.Text(t, toy.AtC+`
solvers:
  - {as: annealed, name: ascent, C: 1, rate: 0.5, anneal: {from: 10, hold: 2, factor: 0.5}}
  - {as: batch, name: ascent, C: 1, rate: 1, order: batch, anneal: {from: 10, hold: 2, factor: 0.5}}
  - {as: exact, name: whole, C: 1, stop: {gap: 1e-10, epochs: 400}}
record: {every: {epochs: 1}}
stop: {epochs: 20}
`)
	exact := toy.Last(t, toy.Labelled(t, r, "as", "exact"))
	if exact[trace.Gap] > 1e-8 {
		t.Fatalf("gap of the reference = %v, want at most 1e-8", exact[trace.Gap])
	}
	schedule := lang.Anneal{From: 10, Hold: 2, Factor: 0.5}
	for _, as := range []string{"annealed", "batch"} {
		f := toy.Labelled(t, r, "as", as)
		toy.WantStatus(t, f, trace.Done, "epochs")
		if len(f.Rows) != 21 {
			t.Errorf("%s: %d rows in 20 epochs, want 21", as, len(f.Rows))
		}
		for i, row := range f.Rows {
			v := row.Values
			if want := schedule.At(float64(i), 1); v[trace.Epoch] != float64(i) || v[trace.C] != want ||
				math.Abs(v[trace.Lambda]-want/toy.N) > 1e-15 {
				t.Errorf("%s: row %d has epoch %v, C=%v, λ=%v; want epoch %[2]d, C=%v", as, i, v[trace.Epoch], v[trace.C],
					v[trace.Lambda], want)
			}
			// the rows bound the optimum for the target C, for any current C
			if v[trace.Dual] > exact[trace.Primal]+1e-12 || v[trace.Primal] < exact[trace.Dual]-1e-12 {
				t.Errorf("%s: row %d: dual %v and primal %v, want the optimum %v of the target between them", as, i, v[trace.Dual],
					v[trace.Primal], exact[trace.Primal])
			}
		}
		first, last := f.Rows[0].Values, toy.Last(t, f)
		if last[trace.Gap] > first[trace.Gap]/2 {
			t.Errorf("%s: last gap = %v, want at most half of the first, %v", as, last[trace.Gap], first[trace.Gap])
		}
	}
	if r.Set.Err != nil {
		t.Error(r.Set.Err)
	}
}

// slow is toy.Ascent on a clock that only it moves: it takes a second for its start, and a second for each yield.
type slow struct {
	*toy.Ascent
	now *time.Duration
}

// Train implements solvers.Trainer.
func (s slow) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	*s.now += time.Second
	return s.ticking(s.Ascent.Train(p, env))
}

// Start implements solvers.Warm.
func (s slow) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	*s.now += time.Second
	inner, err := s.Ascent.Start(p, env)
	return slowSession{inner, s}, err
}

func (s slow) ticking(seq iter.Seq2[solvers.Iterate, error]) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		for it, err := range seq {
			if *s.now += time.Second; !yield(it, err) {
				return
			}
		}
	}
}

type slowSession struct {
	solvers.Session
	slow slow
}

// Run implements solvers.Session.
func (s slowSession) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return s.slow.ticking(s.Session.Run(lambda))
}

// TestAllSolverTimeCounts checks that a run counts each second of its solver once, with its start, whether C stays the
// same, takes several values, or moves.
func TestAllSolverTimeCounts(t *testing.T) {
	for _, how := range []string{"", ", path: {C: {from: 10, factor: 0.5, steps: 3}, until: {gap: 1e-9, passes: 2}}",
		", anneal: {from: 40, factor: 0.5}"} {
		now := time.Duration(0)
		text := toy.AtC
		if strings.Contains(how, "path") {
			text = toy.Tiny + "regularisation: {convention: eg}\n"
		}
		r := toy.Text(t, text+"solvers: [{name: ascent"+how+"}]\nstop: {passes: 9}\n", func(o *schedule.Options) {
			o.Now = func() time.Time { return time.Unix(0, 0).Add(now) }
			o.CPU = func() (time.Duration, bool) { return now / 2, true }
			o.Wrap = func(s solvers.Solver) solvers.Solver { return slow{s.(*toy.Ascent), &now} }
		})
		f := toy.Only(t, r)
		if f.Status() != trace.Done || now < 5*time.Second || f.End.Seconds != now.Seconds() ||
			f.End.CPUSeconds != now.Seconds()/2 || f.End.RecordSeconds != 0 {
			t.Errorf("%s%s: %s %s: %v s, of which %v s of CPU time, and %v s of evaluation; want %v s, half of it, and 0",
				f.Describe(), how, f.Status(), f.End.Why, f.End.Seconds, f.End.CPUSeconds, f.End.RecordSeconds, now.Seconds())
		}
	}
}
