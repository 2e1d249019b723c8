package solvers

import (
	"context"
	"errors"
	"time"
)

// Env contains what a solver needs for a run besides the objective. The zero value works: it means one goroutine, seed
// 0, and no reports of phases.
type Env struct {
	// Context can stop a run inside a long step, such as a quadratic programme. The sequence then ends with the context's
	// error. A nil Context never stops a run.
	Context context.Context
	Seed    uint64 // seed of all random numbers of the run
	Workers int    // number of goroutines of loops over examples; 0 means 1. Results do not depend on Workers
	// Phase may be nil. A solver calls it at the start of a phase, with the name of the phase, and with "" at the end.
	// Oracle calls in "setup" are counted separately. The clock stops in the phase "files". The time of other phases, such
	// as "oracle", "cache" or "qp", becomes a column of the trace. Do not call Phase once per oracle call.
	Phase func(name string)
	// Calls may be nil. A solver calls it with the number of max-oracle calls that it has computed itself since the last
	// report. For example, if a labelling is one class, the best labelling is the class of the largest score, and a solver
	// need not call the max-oracle. Do not call Calls once per oracle call.
	Calls func(n int)
	// Elsewhere may be nil. A solver that runs another program calls it when that program has ended, with the program's
	// CPU time and its largest resident memory in bytes, or 0 if the memory is not known.
	Elsewhere func(cpu time.Duration, peak int64)
	// Resume may be nil. If a saved state exists, the first call of Resume loads it into the variables that keep passes to
	// State.Carry, and returns true. An earlier run of the same solver on the same objective saved this state, by the
	// function State of an iterate. An error ends the run.
	Resume func(keep func(*State)) (resumed bool, err error)
	// Left may be nil. It returns the remaining time of the run's budget, and whether there is a budget.
	Left func() (left time.Duration, limited bool)
}

// ErrBudget is the error of a step that stopped because the time budget of the run was used up.
var ErrBudget = errors.New("the time budget is used up")

// Within returns Ctx with the remaining time of the run as its timeout. When the timeout ends the context, the
// context's cause is ErrBudget. Use Within while waiting for another program, whose wall-clock time counts. Call the
// returned function at the end of the wait.
func (e Env) Within() (context.Context, context.CancelFunc) {
	if e.Left != nil {
		if left, limited := e.Left(); limited {
			return context.WithTimeoutCause(e.Ctx(), left, ErrBudget)
		}
	}
	return context.WithCancel(e.Ctx())
}

// Enter calls Phase, if it is set. The name "" ends a phase. Begin a set-up, such as the search for an initial rate,
// with Enter("setup") and end it with Enter(""). Then the oracle calls of the set-up are counted separately.
func (e Env) Enter(phase string) {
	if e.Phase != nil {
		e.Phase(phase)
	}
}

// Answered calls Calls with n, if Calls is set. A solver that has computed the results of n max-oracle calls itself
// calls Answered before the next yield.
func (e Env) Answered(n int) {
	if e.Calls != nil {
		e.Calls(n)
	}
}

// Resumed calls Resume, if it is set, and reports whether it restored a state. Solvers call Resumed after their set-up.
// If it returns true, the first iterate is the iterate at which the state was saved, not the start. From there, the run
// gives the same bits as the earlier run. If Resumed returns an error, the solver yields the error and returns.
func (e Env) Resumed(keep func(*State)) (bool, error) {
	if e.Resume == nil {
		return false, nil
	}
	return e.Resume(keep)
}

// Err returns the reason why the run must stop, or nil. Solvers call Err within long steps, and end their sequence with
// the error. They do not yield an iterate of the unfinished step.
func (e Env) Err() error {
	if !e.Stopped() {
		return nil
	}
	return context.Cause(e.Context)
}

// Stopped reports whether the run must stop, that is, whether Err is not nil.
func (e Env) Stopped() bool { return e.Context != nil && e.Context.Err() != nil }

// Interrupted reports whether the run must stop. In this case it ends the phase and yields the reason, and the solver
// must return at once.
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
