// Package solvers defines the interfaces between optimisation algorithms and the code that runs them. A solver yields
// its iterates and records nothing. The harness ranges over the iterates; in the loop body it stops the clock,
// evaluates the iterate, and breaks to end the run. So budgets, stop rules and recording are in one place. Decorators
// count the oracle calls. A solver that computes the result of an oracle itself reports this (Env.Calls).
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

// Iterate is a point of a run. W is valid until the loop body returns; copy it to keep it. The functions are called
// only inside the loop body, while the clock is stopped, and change no result. A run that ends by itself does nothing
// after its last yield, so the last iterate stays valid.
type Iterate struct {
	W []float64
	// completed epochs: n updates of an online method, one iteration of a batch method
	Epoch int
	// Primal returns the primal value. If it is nil, the harness evaluates the objective's Primal(W). Methods without an
	// explicit w set it.
	Primal func() float64
	// Watch updates running values that Dual and Stats report, such as the best bound. It may be nil. Otherwise call it at
	// every yield, before Dual and Stats.
	Watch func()
	Dual  func() float64                           // returns a lower bound on the optimum; nil if the solver has none
	Stats func(yield func(name string, v float64)) // yields the solver's own statistics, such as the mean rate; may be nil
	// State saves or loads all variables that the rest of the run depends on, so that another process can resume the run
	// (Env.Resume). It is nil if the solver does not support this.
	State func(*State)
	// Scores returns part scores of example i. Their best labelling is the prediction. Like W, they are valid until the
	// loop body returns. Scores is nil except in inference, which has no W.
	Scores func(i int) []float64
}

// Solver is an algorithm with its settings. It is also one or more of Trainer, Fitter and Inferrer, which define what
// it computes. The sequence that their method returns may be ranged over once. It first yields the start, before any
// work, and then about ten times per epoch of n visits. It ends by itself only if it can make no more progress (see
// Certifier). An error ends the sequence. The error wraps ErrUnsupported if the solver does not support the objective.
// The caller may break at any yield.
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

// Inferrer computes marginals. Its iterates have Primal and Scores, and Dual if there is a bound.
type Inferrer interface {
	Solver
	Infer(*models.Inference, Env) iter.Seq2[Iterate, error]
}

// Warm is a solver that can keep its dual variables when λ changes. This is for runs over a range of C, as in the
// papers, and for annealing.
type Warm interface {
	Trainer
	Start(*models.Risk, Env) (Session, error)
}

// Session is a sequence of runs with different λ. Each call of Run continues from the present dual variables; break out
// of the previous Run first. W is the weight vector that the dual variables give at this λ, so λ·W depends on the dual
// variables only. Epochs count over the whole session.
type Session interface {
	Run(lambda float64) iter.Seq2[Iterate, error]
}

// Run runs a solver on an objective of any kind. It yields the error of Missing if the solver does not support the
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

// OneSession implements Train for a Warm solver. It runs one session at the λ of the risk.
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
	Revision int           // begins at 1; increase it with each change that changes any bit of a trace
	Outside  bool          // another program does the work, and may not be installed; the gate does not check its rows
	Saves    bool          // its iterates have a State, so interrupted runs can resume
	New      func() Solver // returns a pointer to its settings, with the default values
	// Columns are the columns that only some solvers have: the statistics of Stats, and the times of phases, such as
	// qp_seconds.
	Columns []string
}
