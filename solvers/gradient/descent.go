package gradient

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Descent is gradient descent on the primal, from w = 0 or Risk.Start, with a subgradient for the hinge:
//
//	w ← w − η_k ∇P(w),   η_k = η₀/(1 + decay·k),   k = 0, 1, ...
//
// or by the steps of AdaGrad. On a model with an energy, whose surrogate is known only by a direction, it is learning
// in batches (Vilnis et al. 2015, algorithm 2): inference for all examples, then one step on all weights.
//
// An epoch is a step, of n oracle calls. State: 2 Dim floats, one Dim more with AdaGrad and one with the average, and
// 2 to 8 more in a pass.
type Descent struct {
	// first step size
	Eta0 float64 `yaml:"eta0" jsonschema:"required,exclusiveMinimum=0"`
	// step k is eta0/(1 + decay·k); 0: all steps are equal. Not for adagrad
	Decay float64 `yaml:"decay" jsonschema:"minimum=0"`
	// decay: one step size for all weights; adagrad: eta0 over the root of the sum of squares of the weight's
	// own derivatives so far
	Step string `yaml:"step" jsonschema:"enum=decay,enum=adagrad" settings:"optional"`
	// weights of the average of all iterates, iterate k with a weight like k, instead of the last iterate
	Average bool `yaml:"average"`
}

var _ solvers.Trainer = (*Descent)(nil)

// NewDescent returns a Descent with its default settings.
func NewDescent() *Descent { return &Descent{Step: stepDecay} }

// Needs implements Solver: a loss whose gradient one oracle gives; AdaGrad needs axes.
func (g *Descent) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Marginals, Norm: g.Step != stepAdaGrad, Start: true, Inexact: true}
}

// Check implements Checker.
func (g *Descent) Check(_ models.Objective) error {
	if g.Step == stepAdaGrad && g.Decay > 0 {
		return fmt.Errorf("decay is %v; the steps of adagrad have none: want 0", g.Decay)
	}
	return nil
}

// Train implements Trainer.
func (g *Descent) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(g, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		w, slope := make([]float64, p.Dim), make([]float64, p.Dim)
		copy(w, p.Start)
		var steps adaGrad
		if g.Step == stepAdaGrad {
			steps = newAdaGrad(g.Eta0, p.Dim)
		}
		out, mean := w, (*average)(nil) // out is what is yielded
		if g.Average {
			mean = newAverage(p.Dim)
		}
		for epoch := 0; yield(solvers.Iterate{W: out, Epoch: epoch}, nil); epoch++ {
			if p.Gradient(slope, w); env.Interrupted(yield) {
				return
			}
			if g.Step == stepAdaGrad {
				steps.step(w, slope)
			} else {
				eta := g.Eta0 / (1 + g.Decay*float64(epoch))
				for j, v := range slope {
					w[j] -= eta * v
				}
			}
			if g.Average {
				mean.add(w, 1)
				out = mean.w
			}
		}
	})
}
