package eg

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// spy is a session of online EG that checks each step of a minibatch.
type spy struct {
	*egOnline
	t                     *testing.T
	calls                 *int // number of oracle calls
	retried, stale, fresh int
}

// Step makes the step and checks the rate. A step at m rates multiplies the rate by 1.05/2^(m−1). If the direction
// was stale, the second trial has the rate of the first. The dual must not decrease, and w must be that of the scores.
func (s *spy) Step(slot, i, visit int) {
	stale := s.slots[slot].moves != s.moves
	before, old, again := s.eta[i], s.dual(), s.again
	*s.calls = 1 // the trial of Prepare
	s.egOnline.Step(slot, i, visit)
	rates := *s.calls
	if stale && rates > 1 {
		rates--
		s.stale++
	}
	if *s.calls > 1 {
		s.retried++
		if !stale || *s.calls > 2 {
			s.fresh++
		}
	}
	if want := before * 1.05 / math.Pow(2, float64(rates-1)); math.Abs(s.eta[i]-want) > 1e-12*want {
		s.t.Fatalf("update %d, slot %d: the rate changes from %v to %v after %d trials, stale %v; want %v", visit, slot,
			before, s.eta[i], *s.calls, stale, want)
	}
	if more := s.again - again; more != min(1, *s.calls-1) {
		s.t.Fatalf("update %d: %d updates more were retried after %d trials", visit, more, *s.calls)
	}
	dual, w := definition(s.egState)
	if dual < old-1e-10 || math.Abs(dual-s.dual()) > 1e-10*(1+math.Abs(dual)) ||
		testbed.Distance(s.w, w) > 1e-10*(1+math.Sqrt(dualspace.Dot(w, w))) {
		s.t.Fatalf("update %d: the dual changes from %v to %v, want %v and no decrease, and w of the scores", visit, old,
			s.dual(), dual)
	}
}

// TestStepsOfAMinibatch checks the steps of a minibatch (see spy.Step).
func TestStepsOfAMinibatch(t *testing.T) {
	retried, stale, fresh := 0, 0, 0
	testbed.EachStructure(t, 6, 1, func(t *testing.T, p *models.Risk) {
		var calls int
		st := newEGState(testbed.OnCall(p, func() { calls++ }), solvers.Env{Seed: 1}, 0, 4)
		o := newEGOnline(st, &Solver{Order: "cyclic", Rate: "adaptive", Minibatch: 3})
		o.tol = 1e-12
		s := &spy{egOnline: o, t: t, calls: &calls}
		for range 7 {
			o.batches.Next(&o.updates, o.updates.Done+3, s)
		}
		retried, stale, fresh = retried+s.retried, stale+s.stale, fresh+s.fresh
		mean := dualspace.Sum(o.eta) / float64(len(o.eta))
		if got := testbed.Stat(o.iterate(), "eta_mean"); got != mean || slices.Min(o.eta) == slices.Max(o.eta) {
			t.Errorf("eta_mean = %v, want %v, the mean of %v, which should differ", got, mean, o.eta)
		}
		if got, want := testbed.Stat(o.iterate(), "retried"), float64(s.retried)/21; got != want {
			t.Errorf("retried = %v, want %v", got, want)
		}
	})
	if retried == 0 || stale == 0 || fresh == 0 {
		t.Errorf("%d updates were retried, %d of them with a new direction and %d with another rate: want some of each",
			retried, stale, fresh)
	}
}

// TestLimitsOfRates checks that a rate stays at most egLargest, and that an update that no rate improves changes
// nothing.
func TestLimitsOfRates(t *testing.T) {
	task := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(4, 3, 3))
	p := task.Objective(models.LogLoss(), 1e6).(*models.Risk)
	for _, order := range []string{"cyclic", "batch"} {
		calls := 0
		p := testbed.OnCall(p, func() { calls++ })
		st := newEGState(p, solvers.Env{}, 0, egLargest)
		o, b := newEGOnline(st, &Solver{Order: order, Rate: "adaptive"}), newEGBatch(st, true)
		rate := func() float64 { return st.eta[0] }
		update := func() { o.batches.Next(&o.updates, o.updates.Done+1, o) }
		if order == "batch" {
			rate = func() float64 { return b.rate }
			update = func() { b.advance() }
		}
		o.tol = 1e12 // every step is accepted
		update()
		if rate() != egLargest {
			t.Errorf("%s: rate after a success = %v, want at most %v", order, rate(), egLargest)
		}
		if order == "batch" {
			continue
		}
		o.tol = -1e12 // no step is accepted
		calls = 0
		score, mu, w, rates := slices.Clone(st.score), slices.Clone(st.mu), slices.Clone(st.w), slices.Clone(st.eta)
		update()
		if !slices.Equal(score, st.score) || !slices.Equal(mu, st.mu) || !slices.Equal(w, st.w) ||
			!slices.Equal(rates, st.eta) || calls != egTrials || o.again != 1 {
			t.Errorf("%s: an update without success makes %d calls, counts %d retried updates and changes the state: want %d, "+
				"1 and no change", order, calls, o.again, egTrials)
		}
	}
}

// TestToleranceOfEachStage checks that an online run accepts a decrease of n times the dual of 1e-12, relative to 1 +
// |D| for the dual D at its start, at each λ of a session.
func TestToleranceOfEachStage(t *testing.T) {
	task := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(6, 3, 3))
	p := task.Objective(models.LogLoss(), 0.1).(*models.Risk)
	o := newEGOnline(newEGState(p, solvers.Env{}, 0, 0.5), &Solver{Order: "cyclic", Rate: "adaptive"})
	for _, lambda := range []float64{0.1, 1e-3, 0.1} {
		o.Run(lambda)(func(it solvers.Iterate, err error) bool {
			if want := 1e-12 * (1 + math.Abs(it.Dual())); err != nil || math.Abs(o.tol-want) > 1e-9*want {
				t.Errorf("λ = %v: tolerance %v and error %v, want %v and none", lambda, o.tol, err, want)
			}
			return false
		})
	}
}

// TestSettings checks which combinations of settings are accepted.
func TestSettings(t *testing.T) {
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(4, 3, 3)).Objective(models.LogLoss(),
		1).(*models.Risk)
	for _, c := range []struct {
		s    Solver
		want string // part of the error; "": accepted
	}{
		{Solver{Order: "random", Rate: "adaptive"}, ""},
		{Solver{Order: "cyclic", Rate: "adaptive", Minibatch: 4}, ""},
		{Solver{Order: "random", Rate: "adaptive", Eta: 0.1}, ""},
		{Solver{Order: "random", Rate: "constant", Eta: 0.1}, ""},
		{Solver{Order: "random", Rate: "constant"}, "eta is missing"},
		{Solver{Order: "batch", Rate: "adaptive", Eta: 0.1}, ""},
		{Solver{Order: "batch", Rate: "adaptive", Eta: 0.1, Minibatch: 1}, ""},
		{Solver{Order: "batch", Rate: "adaptive", Eta: 0.1, Minibatch: 2}, "leave out minibatch"},
		{Solver{Order: "batch", Rate: "adaptive"}, "eta is missing"},
		{Solver{Order: "batch", Rate: "constant"}, "eta is missing"},
		{Solver{Order: "batch", Rate: "theory"}, ""},
		{Solver{Order: "random", Rate: "theory"}, ""},
		{Solver{Order: "batch", Rate: "theory", Eta: 1}, "leave out eta"},
		{Solver{Order: "batch", Rate: "theory", Minibatch: 2}, "leave out minibatch"},
		{Solver{Order: "random", Rate: "theory", Minibatch: 2}, ""},
	} {
		err := solvers.Missing(&c.s, p)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: Missing = %v, want an error with %q", c.s, err, c.want)
		}
		session, started := c.s.Start(p, solvers.Env{})
		if (started == nil) != (err == nil) || (session == nil) != (err != nil) {
			t.Errorf("%+v: Start has the error %v and a session: %v, want the error of Missing, %v", c.s, started,
				session != nil, err)
		}
	}
}
