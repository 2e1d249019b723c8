package record

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// TestFailures checks how a run ends after each kind of error of its solver.
func TestFailures(t *testing.T) {
	why := errors.New("stopped by the user")
	for _, c := range []struct {
		interrupted error
		stop        lang.Stop
		budget      *lang.Budget
		err         error
		want        outcome
	}{
		{nil, lang.Stop{}, nil, why, outcome{trace.Failed, "stopped by the user", ""}},
		{why, lang.Stop{}, nil, fmt.Errorf("in a step: %w", why),
			outcome{trace.Interrupted, "in a step: stopped by the user", ""}},
		{why, lang.Stop{}, nil, errors.New("singular"), outcome{trace.Failed, "singular", ""}},
		{nil, lang.Stop{Seconds: 7}, nil, fmt.Errorf("x: %w", solvers.ErrBudget), outcome{trace.Done, "7 s", "seconds"}},
		{nil, lang.Stop{Seconds: 7}, &lang.Budget{Seconds: 5}, solvers.ErrBudget, outcome{trace.Budget, "5 s", ""}},
		{nil, lang.Stop{Seconds: 7}, &lang.Budget{Seconds: 9}, solvers.ErrBudget, outcome{trace.Done, "7 s", "seconds"}},
		{nil, lang.Stop{Seconds: 1.23456}, nil, solvers.ErrBudget, outcome{trace.Done, "1.235 s", "seconds"}},
		{why, lang.Stop{Seconds: 7}, nil, fmt.Errorf("%w, %w", why, solvers.ErrBudget),
			outcome{trace.Interrupted, "stopped by the user, the time budget is used up", ""}},
		{nil, lang.Stop{}, nil, fmt.Errorf("x: %w", &solvers.Unsupported{Solver: "pkg.Solver", Lacks: []string{"needs a",
			"needs b"}, Instead: []string{"c", "d"}}),
			outcome{trace.Unsupported, "unsupported: needs a; needs b; accepted: c, d", ""}},
		{why, lang.Stop{}, nil, solvers.Lacking("needs a"), outcome{trace.Unsupported, "unsupported: needs a", ""}},
	} {
		x := &execution{stop: c.stop, run: lang.Run{Budget: c.budget}, interrupted: func() error { return c.interrupted }}
		if got := x.failure(c.err); got != c.want {
			t.Errorf("%v, interrupted by %v: %+v, want %+v", c.err, c.interrupted, got, c.want)
		}
	}
}

// wide is a solver that computes nothing, but needs much memory.
type wide struct{ solvers.Memory }

func (w wide) Needs() solvers.Needs { return solvers.Needs{Memory: w.Memory} }

// TestFits checks which solvers fit into memory, and that the error has the size of the problem, if it has weights.
func TestFits(t *testing.T) {
	risk := &models.Risk{Weights: models.Weights{Dim: 3}, Examples: make([]models.Example, 2)}
	for _, c := range []struct {
		m    solvers.Memory
		o    models.Objective
		says string
	}{
		{solvers.Memory{}, risk, ""},
		{solvers.Memory{Weights: 1000}, risk, ""},
		{solvers.Memory{Weights: 1 << 60}, risk, " of memory for 3 weights and 2 examples, and "},
		{solvers.Memory{Weights: 1 << 60}, &models.Generative{Distributions: &models.Distributions{First: []int{0, 5}}},
			" of memory, and "},
		{solvers.Memory{Weights: 1 << 60}, &models.Inference{}, ""},
	} {
		err := fits(wide{c.m}, c.o)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v for %T: %v, want %q", c.m, c.o, err, c.says)
		}
	}
}

// TestLimitsOfInterruptedRuns checks that an interrupt ends a run with its reason, also at a stop rule or a budget.
func TestLimitsOfInterruptedRuns(t *testing.T) {
	why := errors.New("stopped by the user")
	for _, c := range []struct {
		stop   lang.Stop
		budget *lang.Budget
	}{{}, {stop: lang.Stop{Passes: 1}}, {stop: lang.Stop{Epochs: 1, Seconds: 1}}, {budget: &lang.Budget{Passes: 1}}} {
		x := &execution{run: lang.Run{Budget: c.budget}, interrupted: func() error { return why }}
		x.at = position{passes: 2, epoch: 2}
		if got := x.limit(c.stop); got == nil || *got != (outcome{trace.Interrupted, "stopped by the user", ""}) {
			t.Errorf("%+v: the run ends as %+v, want it interrupted", c, got)
		}
	}
}
