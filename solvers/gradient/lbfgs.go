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

// LBFGS is limited-memory BFGS on the primal, from w = 0 (Nocedal and Wright 2006, section 7.2), with gonum's line
// search of Moré and Thuente (that of the L-BFGS-B code which Collins et al. (2008) used, section 7.1.4). Only for
// differentiable losses.
//
// Every evaluation of P and ∇P costs n visits, line search included; an epoch is one accepted iterate, the first of
// them w = 0. The dual bound comes with the gradient: D = P(w) − |∇P(w)|²/(2λ), the dual value at the distributions
// that w induces. All work on vectors is shared by the workers, in blocks.
//
// State: (2·Memory + 5) Dim floats. It ends by itself when the line search finds no further decrease.
type LBFGS struct {
	// number of stored pairs
	Memory int `yaml:"memory" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Trainer = (*LBFGS)(nil)

// NewLBFGS returns an LBFGS with its default settings.
func NewLBFGS() *LBFGS { return &LBFGS{Memory: 10} }

// Needs implements Solver: a smooth loss and marginals.
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
				return // the limit of rounding
			}
			if math.IsInf(slope, -1) {
				yield(solvers.Iterate{}, solvers.Fault(l, "the gradient is too long for its square to be a number; scale the "+
					"features"))
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
					if !errors.Is(err, optimize.ErrLinesearcherFailure) { // which says that no smaller value is found
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

// lbfgsTrials is how many steps a line search tries: it keeps at most two thirds of its bracket every other time, so
// that nothing but rounding is left of it by then.
const lbfgsTrials = 200

// point is w with P(w) and ∇P(w).
type point struct {
	w, g  []float64
	value float64
}

func newPoint(dim int) *point { return &point{w: make([]float64, dim), g: make([]float64, dim)} }

// iterate lends the point, which stays as it is until the next one is accepted.
func (x *point) iterate(epoch int, lambda float64) solvers.Iterate {
	return solvers.Iterate{W: x.w, Epoch: epoch, Dual: func() float64 {
		norm := floats.Norm(x.g, 2)
		return x.value - norm*norm/(2*lambda)
	}}
}
