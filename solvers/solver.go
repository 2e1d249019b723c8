// Package solvers defines the interfaces between optimisation algorithms and the code that runs them. A solver yields
// its iterates and records nothing. The harness ranges over the iterates; in the loop body it stops the clock,
// evaluates the iterate, and breaks to end the run. So budgets, stop rules and recording are in one place. Wrappers
// around the oracles count the oracle calls. A solver that computes the result of an oracle call itself reports this
// call (see Env.Calls).
//
//	for it, err := range solver.Train(risk, solvers.Env{Seed: 1}) {
//		if err != nil { return err }
//		gap := risk.Primal(it.W) - it.Dual()
//		if gap < 1e-6 { break }
//	}
package solvers

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
)

// Iterate contains the weights that a solver yields, and functions that evaluate them. W is valid until the loop body
// returns; copy it to keep it. The functions of an Iterate are called only inside the loop body, while the clock is
// stopped. Calling them changes no result. A run that ends by itself does nothing after its last yield, so the last
// iterate stays valid.
type Iterate struct {
	W []float64
	// number of completed epochs: n updates of an online method, one iteration of a batch method
	Epoch int
	// Primal returns the primal value at this iterate. If Primal is nil, the harness evaluates the objective's Primal(W).
	// Solvers without explicit weights w set Primal.
	Primal func() float64
	// Watch updates running values that Dual and Stats report, such as the best bound so far. Watch may be nil. If it is
	// not nil, call it at every yield, before Dual and Stats.
	Watch func()
	Dual  func() float64                           // returns a lower bound on the optimum; nil if the solver has none
	Stats func(yield func(name string, v float64)) // yields the solver's own statistics, such as the mean rate; may be nil
	// State saves or loads all variables that the rest of the run depends on, so that another process can resume the run
	// (see Env.Resume). State is nil if the solver does not support this.
	State func(*State)
	// Scores returns part scores of example i. The best labelling at these scores is the prediction. Like W, the scores
	// are valid until the loop body returns. Scores is nil except in inference, which has no W.
	Scores func(i int) []float64
}

// Solver is an algorithm with its settings. It also implements at least one of Trainer, Fitter and Inferrer, which
// define what the solver computes. Their methods return a sequence of iterates, which may be ranged over once. The
// sequence first yields the start, before any work, and then about ten iterates per epoch of n visits. It ends by
// itself only if the solver can make no more progress (see Certifier). An error ends the sequence. The error wraps
// ErrUnsupported if the solver does not support the objective. The caller may break at any yield.
type Solver interface {
	Needs() Needs
}

// Trainer is a solver that minimises a regularised risk. Its iterates have W.
type Trainer interface {
	Solver
	Train(*models.Risk, Env) iter.Seq2[Iterate, error]
}

// Fitter is a solver that fits log-probabilities, which are the W of its iterates.
type Fitter interface {
	Solver
	Fit(*models.Generative, Env) iter.Seq2[Iterate, error]
}

// Inferrer is a solver that computes marginals. Its iterates have Primal and Scores, and Dual if there is a bound.
type Inferrer interface {
	Solver
	Infer(*models.Inference, Env) iter.Seq2[Iterate, error]
}

// Warm is a solver that can keep its dual variables when λ changes. Its sessions are used for runs over a range of C,
// as in the reproduced papers, and annealing (a slow change of λ).
type Warm interface {
	Trainer
	Start(*models.Risk, Env) (Session, error)
}

// Session is a sequence of runs with different λ. Each call of Run continues from the present dual variables; the loop
// over the previous Run must have ended. W is the weight vector that the dual variables give at this λ, so λ·W depends
// on the dual variables only. The iterates' Epoch counts over the whole session.
type Session interface {
	Run(lambda float64) iter.Seq2[Iterate, error]
}

// Run returns the iterates of a solver on an objective of any kind. If the solver does not support the objective, the
// sequence yields the error of Missing.
func Run(s Solver, o models.Objective, env Env) iter.Seq2[Iterate, error] {
	switch o := o.(type) {
	case *models.Risk:
		if s, ok := s.(Trainer); ok {
			return s.Train(o, env)
		}
	case *models.Generative:
		if s, ok := s.(Fitter); ok {
			return s.Fit(o, env)
		}
	case *models.Inference:
		if s, ok := s.(Inferrer); ok {
			return s.Infer(o, env)
		}
	}
	return func(yield func(Iterate, error) bool) { yield(Iterate{}, Missing(s, o)) }
}

// Checked returns a sequence that first calls Missing. If Missing returns an error, the sequence yields this error;
// otherwise it yields the iterates of run. Train, Fit and Infer of each solver return such a sequence.
func Checked(s Solver, o models.Objective, run iter.Seq2[Iterate, error]) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		if err := Missing(s, o); err != nil {
			yield(Iterate{}, err)
			return
		}
		run(yield)
	}
}

// OneSession implements Train for a Warm solver: it runs one session at the λ of the risk.
func OneSession(s Warm, p *models.Risk, env Env) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		session, err := s.Start(p, env)
		if err != nil {
			yield(Iterate{}, err)
			return
		}
		session.Run(p.Lambda)(yield)
	}
}

// Fault returns an error that begins with the solver's type.
func Fault(s Solver, format string, args ...any) error {
	return fmt.Errorf(Name(s)+": "+format, args...)
}

// Entry describes one solver of the catalogue.
type Entry struct {
	Name     string
	About    string
	Revision int           // begins at 1; increase it with each change that changes any bit of a trace
	Outside  bool          // another program, maybe not installed, does the work; the gate does not check the rows
	Saves    bool          // the solver's iterates have a State, so interrupted runs can resume
	New      func() Solver // returns a pointer to the solver's settings, with the default values
	// Columns are the names of the solver's columns beyond the common ones: the statistics of Stats, and the times of
	// phases, such as qp_seconds.
	Columns []string
}
