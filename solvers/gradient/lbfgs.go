package gradient

import (
	"errors"
	"fmt"
	"iter"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// LBFGS is limited-memory BFGS on the primal, from w = 0, by gonum/optimize with the line search of Moré and Thuente
// (that of the L-BFGS-B code which Collins et al. (2008) used, section 7.1.4). Only for differentiable losses.
//
// Every evaluation of P and ∇P costs n visits, line search included; an epoch is one accepted iterate, the first of
// them w = 0. The dual bound comes with the gradient: D = P(w) − |∇P(w)|²/(2λ), the dual value at the distributions
// that w induces.
//
// State: (2·Memory + 8) Dim floats. It ends by itself when the line search finds no further decrease.
type LBFGS struct {
	// number of stored pairs
	Memory int `yaml:"memory" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Trainer = (*LBFGS)(nil)

// NewLBFGS is LBFGS with its default settings.
func NewLBFGS() *LBFGS { return &LBFGS{Memory: 10} }

// Needs implements Solver: a smooth loss and marginals.
func (*LBFGS) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Marginals}
}

// Train implements Trainer. It asks gonum's method for one step after the other, and not optimize.Minimize for all,
// which would evaluate on goroutines of its own: CPU time is that of this one.
func (l *LBFGS) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(l, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		at := &optimize.Location{X: make([]float64, p.Dim), Gradient: make([]float64, p.Dim)}
		if !yield(solvers.Iterate{W: at.X}, nil) {
			return
		}
		at.F = p.Gradient(at.Gradient, at.X)
		search := &optimize.LinesearchMethod{NextDirectioner: &optimize.LBFGS{Store: l.Memory},
			Linesearcher: &optimize.MoreThuente{DecreaseFactor: 1e-3, CurvatureFactor: 0.9}}
		next := search.Init
		accepted := accepted{lambda: p.Lambda}
		for !env.Interrupted(yield) {
			if !yield(accepted.iterate(at), nil) {
				return
			}
			for {
				op, err := next(at)
				next = search.Iterate
				if err != nil {
					finish(err, yield)
					return
				}
				if op == optimize.MajorIteration {
					break
				}
				at.F = p.Gradient(at.Gradient, at.X)
				if env.Interrupted(yield) {
					return
				}
			}
		}
	})
}

// finish yields an error, unless it says that the run is at the limit of rounding: then the last iterate stands.
func finish(err error, yield func(solvers.Iterate, error) bool) {
	for _, end := range []error{optimize.ErrLinesearcherFailure, optimize.ErrNoProgress, optimize.ErrNonDescentDirection} {
		if errors.Is(err, end) {
			return
		}
	}
	yield(solvers.Iterate{}, fmt.Errorf("solvers: lbfgs: %w", err))
}

// accepted makes iterates of the points that the line search accepts. Each is copied, since the point moves on.
type accepted struct {
	lambda float64
	epoch  int
	x, g   []float64
}

func (a *accepted) iterate(at *optimize.Location) solvers.Iterate {
	a.epoch++
	a.x, a.g = append(a.x[:0], at.X...), append(a.g[:0], at.Gradient...)
	value := at.F
	return solvers.Iterate{
		W:     a.x,
		Epoch: a.epoch,
		Dual: func() float64 {
			norm := floats.Norm(a.g, 2)
			return value - norm*norm/(2*a.lambda)
		},
	}
}
