package gradient

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// LBFGS is limited-memory BFGS on the primal (Nocedal and Wright 2006, section 7.2). It starts at w = 0. It uses
// gonum's line search of Moré and Thuente, which is also the line search of the L-BFGS-B code in Collins et al. (2008),
// section 7.1.4. LBFGS supports only differentiable losses.
//
// Each evaluation of P and ∇P costs n visits, also in the line search. An epoch is one accepted iterate; the first
// epoch is w = 0. The gradient also gives the dual bound D = P(w) − |∇P(w)|²/(2λ), which is the dual value at the
// distributions that w defines. Operations on vectors are divided into blocks, which the workers process in parallel.
//
// State: (2·Memory + 5) Dim floats. The run ends by itself when the line search finds no further decrease.
type LBFGS struct {
	// number of stored pairs of a step and the change of the gradient
	Memory int `yaml:"memory" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Trainer = (*LBFGS)(nil)

// NewLBFGS returns an LBFGS with its default settings.
func NewLBFGS() *LBFGS { return &LBFGS{Memory: 10} }

// Needs implements Solver. LBFGS needs a smooth loss and marginals.
func (*LBFGS) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Marginals,
		Memory: solvers.Memory{Weights: 9}}
}

// Train implements Trainer.
func (l *LBFGS) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(l, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		at, trial := newPoint(p.Dim), newPoint(p.Dim)
		if !yield(solvers.Iterate{W: at.w}, nil) {
			return
		}
		at.value = p.Gradient(at.g, at.w)
		pairs := newPairs(p, l.Memory)
		search := &optimize.MoreThuente{DecreaseFactor: 1e-3, CurvatureFactor: 0.9}
		d := make([]float64, p.Dim)
		for epoch := 1; !env.Interrupted(yield); epoch++ {
			if !yield(at.iterate(epoch, p.Lambda), nil) {
				return
			}
			slope, step := pairs.direction(d, at.g)
			if !(slope < 0) {
				return // rounding errors prevent further progress
			}
			if math.IsInf(slope, -1) {
				yield(solvers.Iterate{}, solvers.Fault(l, "the square of the gradient's norm overflows: scale the features"))
				return
			}
			search.Init(at.value, slope, step)
			for trials, op := 0, optimize.FuncEvaluation; op != optimize.MajorIteration; trials++ {
				if trials == lbfgsTrials || !pairs.move(trial.w, at.w, step, d) {
					return
				}
				trial.value = p.Gradient(trial.g, trial.w)
				if env.Interrupted(yield) {
					return
				}
				var err error
				if op, step, err = search.Iterate(trial.value, pairs.dot(trial.g, d)); err != nil {
					if !errors.Is(err, optimize.ErrLinesearcherFailure) { // else the search found no smaller value
						yield(solvers.Iterate{}, fmt.Errorf("solvers: lbfgs: %w", err))
					}
					return
				}
			}
			pairs.add(at, trial)
			at, trial = trial, at
		}
	})
}

// lbfgsTrials is the largest number of steps that a line search tries. The search has an interval that contains a
// solution. Two trials reduce its width to at most two thirds. So after this number of trials, the interval is only as
// wide as rounding errors.
const lbfgsTrials = 200

// point contains w, P(w) and ∇P(w).
type point struct {
	w, g  []float64
	value float64
}

func newPoint(dim int) *point { return &point{w: make([]float64, dim), g: make([]float64, dim)} }

// iterate returns the point as an iterate. The point does not change until the line search accepts the next point.
func (x *point) iterate(epoch int, lambda float64) solvers.Iterate {
	return solvers.Iterate{W: x.w, Epoch: epoch, Dual: func() float64 {
		norm := floats.Norm(x.g, 2)
		return x.value - norm*norm/(2*lambda)
	}}
}
