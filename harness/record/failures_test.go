package record

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
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
	} {
		x := &execution{stop: c.stop, run: lang.Run{Budget: c.budget}, interrupted: func() error { return c.interrupted }}
		if got := x.failure(c.err); got != c.want {
			t.Errorf("%v, interrupted by %v: %+v, want %+v", c.err, c.interrupted, got, c.want)
		}
	}
}
