package solvers

import (
	"context"
	"errors"
	"time"
)

// Env is what a run gets besides the objective. The zero value works: one goroutine, seed 0, no reports of phases.
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
	// had at an iterate with a State, the first time that it is called, and reports that. An error ends the run.
	Resume func(keep func(*State)) (resumed bool, err error)
	// Left, unless nil, returns the time that is left of the run's budget, and whether there is a budget.
	Left func() (left time.Duration, limited bool)
}

// ErrBudget is the error of a step that was given up because the run's seconds were spent.
var ErrBudget = errors.New("the seconds are spent")

// Within returns Ctx with the time that is left of the run; ErrBudget is its cause when that is spent. Use it while
// waiting for another program, whose wall-clock time counts. The caller calls the returned function when it no longer
// waits.
func (e Env) Within() (context.Context, context.CancelFunc) {
	if e.Left != nil {
		if left, limited := e.Left(); limited {
			return context.WithTimeoutCause(e.Ctx(), left, ErrBudget)
		}
	}
	return context.WithCancel(e.Ctx())
}

// Enter calls Phase, if it is set; "" ends a phase. A set-up (the marginals of the start, the search for a first rate)
// begins with Enter("setup") and ends with Enter(""), so that its oracle calls are counted separately.
func (e Env) Enter(phase string) {
	if e.Phase != nil {
		e.Phase(phase)
	}
}

// Answered calls Calls, if it is set. Call it before the next yield.
func (e Env) Answered(n int) {
	if e.Calls != nil {
		e.Calls(n)
	}
}

// Resumed calls Resume, if it is set, and reports whether it restored a state. Solvers call it after their set-up. If
// it returns true, the first iterate is not the start but the one at which the state was saved; from there the run has
// the same bits as the earlier one. A solver yields an error of Resumed and returns.
func (e Env) Resumed(keep func(*State)) (bool, error) {
	if e.Resume == nil {
		return false, nil
	}
	return e.Resume(keep)
}

// Err returns the reason why the run must stop, or nil. Solvers call it within long steps and end their sequence with
// the error; an unfinished step gives no iterate.
func (e Env) Err() error {
	if !e.Stopped() {
		return nil
	}
	return context.Cause(e.Context)
}

// Stopped reports whether the run must stop, that is, whether Err is not nil.
func (e Env) Stopped() bool { return e.Context != nil && e.Context.Err() != nil }

// Interrupted reports whether the run must stop, and if so ends the phase and yields the reason. The solver then
// returns at once.
func (e Env) Interrupted(yield func(Iterate, error) bool) bool {
	if !e.Stopped() {
		return false
	}
	e.Enter("")
	yield(Iterate{}, e.Err())
	return true
}

// Ctx returns Context, or context.Background if Context is nil.
func (e Env) Ctx() context.Context {
	if e.Context == nil {
		return context.Background()
	}
	return e.Context
}
