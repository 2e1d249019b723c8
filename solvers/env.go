package solvers

import (
	"context"
	"errors"
	"time"
)

// Env is what a run gets besides the objective. The zero value will do: one goroutine, seed 0, no reports of phases.
type Env struct {
	// Context stops a run inside a step that takes long, such as a quadratic programme; nil never does. The sequence
	// then ends with the context's error.
	Context context.Context
	Seed    uint64 // of all random numbers of the run
	Workers int    // goroutines of loops over examples; 0 is 1. Results do not depend on it
	// Phase, unless nil, is called when a solver changes phase: "setup" (its calls are counted separately), "files" (off
	// the clock), "oracle", "cache", "qp", ... (their seconds are columns); "" ends one. Never once per oracle call.
	Phase func(name string)
	// Calls, unless nil, is called with a number of calls of the max-oracle that the solver has answered itself since the
	// last time: where a labelling is a class, the best one is that of the greatest score. Never once per call.
	Calls func(n int)
	// Elsewhere, unless nil, is called after a program that a solver has run has ended, with its CPU time and its largest
	// resident memory in bytes, 0 if that is not known.
	Elsewhere func(cpu time.Duration, peak int64)
	// Resume, unless nil, sets the state of a run to one that an earlier run of the same solver on the same objective
	// had at an iterate with a State, the first time that it is called, and says so.
	Resume func(keep func(*State)) bool
	// Left, unless nil, says what is left of the seconds that the run may take, if they are limited.
	Left func() (left time.Duration, limited bool)
}

// ErrBudget is the error of a step that was given up because the run's seconds were spent.
var ErrBudget = errors.New("the seconds are spent")

// Within is Ctx, which also ends when the run's seconds are spent, with ErrBudget as its cause: for a wait for another
// program, of which the seconds of the wall count.
func (e Env) Within() (context.Context, context.CancelFunc) {
	if e.Left != nil {
		if left, limited := e.Left(); limited {
			return context.WithTimeoutCause(e.Ctx(), left, ErrBudget)
		}
	}
	return context.WithCancel(e.Ctx())
}

// Enter calls Phase, if it is set; "" ends a phase. Set-up (the marginals of the start, the search for a first rate)
// begins with Enter("setup") and ends with Enter(""), so that its oracle calls are counted separately.
func (e Env) Enter(phase string) {
	if e.Phase != nil {
		e.Phase(phase)
	}
}

// Answered calls Calls, if it is set, before the next yield.
func (e Env) Answered(n int) {
	if e.Calls != nil {
		e.Calls(n)
	}
}

// Resumed calls Resume, if it is set. Solvers do so after their set-up. If it says yes, the first iterate is not the
// start, but again that of the State, and from there the run goes on with the bits of the earlier one.
func (e Env) Resumed(keep func(*State)) bool { return e.Resume != nil && e.Resume(keep) }

// Err is nil, or the reason why the run must stop. Solvers check it within long steps and end their sequence with it:
// an unfinished step gives no iterate.
func (e Env) Err() error {
	if !e.Stopped() {
		return nil
	}
	return context.Cause(e.Context)
}

// Stopped says whether Err is not nil.
func (e Env) Stopped() bool { return e.Context != nil && e.Context.Err() != nil }

// Interrupted says whether the run must stop, and if so yields the reason: the solver then returns at once.
func (e Env) Interrupted(yield func(Iterate, error) bool) bool {
	if !e.Stopped() {
		return false
	}
	e.Enter("")
	yield(Iterate{}, e.Err())
	return true
}

// Ctx is Context, or one that never ends.
func (e Env) Ctx() context.Context {
	if e.Context == nil {
		return context.Background()
	}
	return e.Context
}
