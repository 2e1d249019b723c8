package solvers

import "context"

// Env is what a run gets that is not the objective. The zero value will do: one goroutine, seed 0, nobody to tell.
type Env struct {
	// Context stops a run inside a step that takes long, such as a quadratic programme; nil never does. The sequence
	// then ends with the context's error.
	Context context.Context
	Seed    uint64 // of all random numbers of the run
	Workers int    // goroutines of loops over examples; 0 is 1. Results do not depend on it
	// Phase is nil, or told of a solver's switches: "setup" (its calls booked apart), "files" (off the clock), "oracle",
	// "cache", "qp", ... (their seconds are columns); "" ends one. Never per call.
	Phase func(name string)
}

// Enter tells of a phase, if anybody listens; "" ends it. A set-up part (the marginals of the start, the search of a
// first rate) is announced by Enter("setup") and ended by Enter(""), so that its oracle calls are booked apart.
func (e Env) Enter(phase string) {
	if e.Phase != nil {
		e.Phase(phase)
	}
}

// Err is nil, or why the run is to stop. Solvers ask within steps that take long, and end their sequence with it: what
// such a step has left behind is no iterate.
func (e Env) Err() error {
	if !e.Stopped() {
		return nil
	}
	return context.Cause(e.Context)
}

// Stopped says whether Err is an error.
func (e Env) Stopped() bool { return e.Context != nil && e.Context.Err() != nil }

// Interrupted says whether the run is to stop, and then ends the sequence with the reason: a solver that is asked
// between yields returns at once.
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
