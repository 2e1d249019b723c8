// Package solvers holds the optimisation algorithms, one per file. A solver yields its iterates and keeps no books:
// the harness ranges over them, stops the clock in the loop body, evaluates there, and breaks to stop. So budgets,
// stop rules and recording live in one place, and calls of oracles are counted by decorators, not by solvers.
//
//	for it, err := range solver.Run(problem) {
//		if err != nil { return err }
//		gap := problem.Primal(it.W) - it.Dual()
//		if gap < 1e-6 { break }
//	}
package solvers

import (
	"errors"
	"iter"

	"github.com/gaplab/gaplab/models"
)

// ErrUnsupported is wrapped by Solver.Supports with the reason.
var ErrUnsupported = errors.New("unsupported")

// Iterate is a point of a run. W is borrowed until the loop body returns. The functions are called off the clock,
// inside the loop body only, and change nothing.
type Iterate struct {
	W []float64
	// completed epochs: n updates of an online method, one iteration of a batch method
	Epoch int
	// nil: the harness evaluates Problem.Primal(W); set by methods without an explicit w
	Primal func() float64
	Dual   func() float64                           // a lower bound on min P; nil if the solver has none
	Stats  func(yield func(name string, v float64)) // nil, or the solver's own figures (mean rate, working set, ...)
	// Scores is nil, or of inference, which has no W: the part scores of example i under which its best labelling is the
	// prediction. They are borrowed, as W is.
	Scores func(i int) []float64
}

// Solver is an algorithm with its settings. Run may be ranged over once per call; it yields the start (before any
// work) first, then about ten times per epoch of n visits, and ends by itself only when it cannot make progress. A
// set-up part (the marginals of the start, the search of a first rate) is announced by Problem.Phase("setup") and
// ended by Phase(""), so that its oracle calls are booked apart. An error ends the sequence. Early break is always
// allowed.
//
// A solver of inference finds no weights: its problem has examples with an Energy, and Dim 0. Its iterates have
// Primal, Dual where there is a bound, and Scores.
type Solver interface {
	Supports(*models.Problem) error // nil, or ErrUnsupported with the reason
	Run(*models.Problem) iter.Seq2[Iterate, error]
}

// Warm solvers keep their dual variables while λ changes: the papers' range of C, and annealing.
type Warm interface {
	Solver
	Start(*models.Problem) (Session, error)
}

// Session continues from the present dual variables with another λ: break out of Run, then Run the next.
// W is the weight vector that the dual variables induce at that λ, so λ·W depends on the dual variables only.
// Epochs count over the whole session.
type Session interface {
	Run(lambda float64) iter.Seq2[Iterate, error]
}

// Local is a second interface of solvers that need nothing but a direction at the weights where they stand: they
// begin at Problem.Start and work on a Surrogate.
type Local interface {
	Solver
	Local()
}

// Inference is a second interface of solvers that find marginals, on problems without weights. Others find weights.
type Inference interface {
	Solver
	Inference()
}

// Generative is a second interface of solvers that take problems whose weights are log-probabilities
// (Problem.Generative). Others minimise P, which is not the objective of these.
type Generative interface {
	Solver
	Generative()
}

// Seeded is a second interface of solvers that draw random numbers: a copy that draws from another seed.
type Seeded interface {
	WithSeed(seed uint64) Solver
}

// runSession is Run of a Warm solver: one session, at the problem's λ.
func runSession(s Warm, p *models.Problem) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		session, err := s.Start(p)
		if err != nil {
			yield(Iterate{}, err)
			return
		}
		session.Run(p.Lambda)(yield)
	}
}

// phase tells the problem of a switch, if it is to be told.
func phase(p *models.Problem, name string) {
	if p.Phase != nil {
		p.Phase(name)
	}
}
