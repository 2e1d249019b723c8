package gradient

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Descent is gradient descent on the primal P. It starts at w = 0 or Risk.Start. If P is not differentiable, as with
// the hinge, it uses a subgradient:
//
//	w ← w − η_k ∇P(w),   η_k = η₀/(1 + decay·k),   k = 0, 1, ...
//
// It can also make the steps of AdaGrad. For a model with an energy, the oracles give a direction of descent for a
// surrogate of P, not the gradient of P (see models.Risk.Inexact). For such models, Descent is batch learning (Vilnis
// et al. 2015, algorithm 2): it runs inference for all examples, and then makes one step for all weights.
//
// An epoch is a step with n oracle calls. State: 2 Dim floats. AdaGrad and the average each need Dim more floats, and a
// pass needs 2 Dim to 8 Dim more.
type Descent struct {
	// size η₀ of the first step
	Eta0 float64 `yaml:"eta0" jsonschema:"required,exclusiveMinimum=0"`
	// the size of step k is eta0/(1 + decay·k); 0: all steps have the size eta0; with step: adagrad it must be 0
	Decay float64 `yaml:"decay" jsonschema:"minimum=0"`
	// decay: one step size for all weights; adagrad: the step size of each weight is eta0 divided by the square root of
	// the sum of squares of the weight's derivatives so far
	Step string `yaml:"step" jsonschema:"enum=decay,enum=adagrad" settings:"optional"`
	// yield the weighted average of all iterates, where the weight of iterate k is proportional to k, instead of the
	// last iterate
	Average bool `yaml:"average"`
}

var _ solvers.Trainer = (*Descent)(nil)

// NewDescent returns a Descent with its default settings.
func NewDescent() *Descent { return &Descent{Step: stepDecay} }

// Needs implements Solver. Descent needs the oracle that gives the gradient of the loss. AdaGrad also needs the
// Euclidean norm, because its steps depend on the coordinates.
func (g *Descent) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Marginals, Norm: g.Step != stepAdaGrad, Start: true, Inexact: true}
}

// Check implements Checker.
func (g *Descent) Check(_ models.Objective) error {
	if g.Step == stepAdaGrad && g.Decay > 0 {
		return fmt.Errorf("decay is %v: want 0 with step: adagrad, which has no decay", g.Decay)
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
		out, mean := w, (*average)(nil) // out: the weights to yield
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
