// Package solvers holds the contracts between optimisation algorithms and the code that runs them. A solver yields its
// iterates and records nothing: the harness ranges over them, stops the clock in the loop body, evaluates there, and
// breaks to stop. So budgets, stop rules and recording are in one place. Decorators count the calls of oracles; a
// solver that finds an oracle's answer itself reports that (Env.Calls).
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

// Iterate is a point of a run. W is borrowed until the loop body returns. The functions are called off the clock,
// inside the loop body only, and change nothing. A run that ends by itself does nothing after its last yield: the last
// iterate stays valid.
type Iterate struct {
	W []float64
	// completed epochs: n updates of an online method, one iteration of a batch method
	Epoch int
	// nil: the harness evaluates the objective's Primal(W); set by methods without an explicit w
	Primal func() float64
	// nil, or a function that updates running values, such as the best bound, that Dual and Stats report; call it first,
	// at every yield
	Watch func()
	Dual  func() float64                           // a lower bound of the optimum; nil if the solver has none
	Stats func(yield func(name string, v float64)) // nil, or the solver's own statistics (mean rate, working set, ...)
	// State is nil, or names all variables that the rest of the run depends on, for a process that resumes it
	// (Env.Resume).
	State func(*State)
	// Scores is nil except in inference, which has no W: the part scores of example i whose best labelling is the
	// prediction. They are borrowed, as W is.
	Scores func(i int) []float64
}

// Solver is an algorithm with its settings, and one or more of Trainer, Fitter and Inferrer, which say what it finds.
// The sequence that their method returns may be ranged over once. It yields the start (before any work) first,
// then about ten times per epoch of n visits, and ends by itself only when it cannot make progress. An error ends the
// sequence; for an objective that the solver does not take, it wraps ErrUnsupported. Early break is always allowed.
type Solver interface {
	Needs() Needs
}

// Trainer minimises a regularised risk. Its iterates have W.
type Trainer interface {
	Solver
	Train(*models.Risk, Env) iter.Seq2[Iterate, error]
}

// Fitter fits log-probabilities, which are the W of its iterates.
type Fitter interface {
	Solver
	Fit(*models.Generative, Env) iter.Seq2[Iterate, error]
}

// Inferrer finds marginals. Its iterates have Primal, Dual where there is a bound, and Scores.
type Inferrer interface {
	Solver
	Infer(*models.Inference, Env) iter.Seq2[Iterate, error]
}

// Warm solvers keep their dual variables while λ changes: the papers' range of C, and annealing.
type Warm interface {
	Trainer
	Start(*models.Risk, Env) (Session, error)
}

// Session continues from the present dual variables with another λ: break out of Run, then Run the next.
// W is the weight vector that the dual variables induce at that λ, so λ·W depends on the dual variables only.
// Epochs count over the whole session.
type Session interface {
	Run(lambda float64) iter.Seq2[Iterate, error]
}

// Run runs a solver on an objective of any kind. It yields the error of Missing if the solver does not take the
// objective.
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

// Checked returns a run that first calls Missing: it yields the error, if any, and otherwise runs run. Train, Fit and
// Infer of each solver return it.
func Checked(s Solver, o models.Objective, run iter.Seq2[Iterate, error]) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		if err := Missing(s, o); err != nil {
			yield(Iterate{}, err)
			return
		}
		run(yield)
	}
}

// OneSession implements Train for a Warm solver: one session, at the λ of the risk.
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

// Entry is one solver of the catalogue.
type Entry struct {
	Name     string
	About    string
	Revision int           // from 1: raised with each change that moves any bit of a trace
	Outside  bool          // another program, which need not be installed, does the work: the gate does not guard its rows
	Saves    bool          // its iterates have a State: long runs resume after an interrupt
	New      func() Solver // a pointer to its settings, defaults filled in
	// what Stats may yield, and the seconds of its phases, such as qp_seconds: columns beside those of all runs
	Columns []string
}
