package solvers

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestWithin checks why and when the context of a wait ends: with ErrBudget after the remaining time of the run, with
// the cause of the run's own context before that, and never by itself if there is no budget.
func TestWithin(t *testing.T) {
	stopped, stop := context.WithCancelCause(context.Background())
	mine := errors.New("stopped by the user")
	stop(mine)
	left := func(d time.Duration, limited bool) func() (time.Duration, bool) {
		return func() (time.Duration, bool) { return d, limited }
	}
	for name, c := range map[string]struct {
		env      Env
		cause    error // nil: the context does not end
		deadline bool
	}{
		"no budget":                      {Env{}, nil, false},
		"a budget that is not limited":   {Env{Left: left(0, false)}, nil, false},
		"time is left":                   {Env{Left: left(time.Hour, true)}, nil, true},
		"no time is left":                {Env{Left: left(0, true)}, ErrBudget, true},
		"the budget is overdrawn":        {Env{Left: left(-time.Second, true)}, ErrBudget, true},
		"stopped":                        {Env{Context: stopped}, mine, false},
		"stopped, with a budget":         {Env{Context: stopped, Left: left(time.Hour, true)}, mine, true},
		"stopped, and no time is left":   {Env{Context: stopped, Left: left(0, true)}, nil, true},
		"a context that does not end":    {Env{Context: context.Background()}, nil, false},
		"time is left, with the context": {Env{Context: context.Background(), Left: left(time.Hour, true)}, nil, true},
	} {
		ctx, end := c.env.Within()
		if name == "stopped, and no time is left" { // both causes are true
			c.cause = context.Cause(ctx)
		}
		if got := context.Cause(ctx); got != c.cause || (ctx.Err() != nil) != (c.cause != nil) {
			t.Errorf("%s: cause %v, error %v; want cause %v", name, got, ctx.Err(), c.cause)
		}
		if _, ok := ctx.Deadline(); ok != c.deadline {
			t.Errorf("%s: the context has a deadline: %v, want %v", name, ok, c.deadline)
		}
		if end(); ctx.Err() == nil {
			t.Errorf("%s: the context does not end with the wait", name)
		}
	}
}
