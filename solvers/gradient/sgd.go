// Package gradient has the methods that need no more than gradients of the primal: stochastic, in batches, and
// limited-memory BFGS.
package gradient

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SGD is stochastic gradient descent on the primal with the schedule of Collins et al. (2008), section 7.1.3:
//
//	w ← w − η_k (∇φ_i(w) + λ w),   η_k = η₀ / (1 + k/n),   i uniform, k = 0, 1, ...
//
// from w = 0 or Risk.Start; a subgradient for the hinge. The gradient is that of one term of P: λ = C/n in the
// paper's C. The paper takes η₀ by the validation error after one pass; a spec says that with `choose`.
//
// w is kept as a·v, so that shrinking costs O(1). An update costs one Score, one oracle call (one visit) and one
// AddAdjoint. State: Dim floats. With the steps of AdaGrad instead an update costs Dim as well, and the state is 3
// Dim floats. The average costs Dim more of each.
type SGD struct {
	// first step size; the paper picks one of 1, 0.1, 0.01, 0.001, 0.0001 by the validation error after one pass (choose)
	Eta0 float64 `yaml:"eta0" jsonschema:"required,exclusiveMinimum=0"`
	// decay: eta0/(1 + k/n); adagrad: for each weight eta0 over the root of the sum of squares of its own
	// derivatives so far; decay if not given
	Step string `yaml:"step" jsonschema:"enum=decay,enum=adagrad" settings:"optional"`
	// weights of the average of all iterates, iterate k with a weight like k, instead of the last iterate
	Average bool `yaml:"average"`
}

const sgdSmallest = 1e-6 // scale a at which w is written out

var _ solvers.Trainer = (*SGD)(nil)

// NewSGD returns an SGD with its default settings.
func NewSGD() *SGD { return &SGD{} }

// Needs implements Solver: a loss whose gradient one oracle gives; AdaGrad needs axes.
func (s *SGD) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Marginals, Norm: s.Step != stepAdaGrad, Start: true, Inexact: true}
}

// Train implements Trainer.
func (s *SGD) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		n := len(p.Examples)
		order, due := dualspace.NewOrder("random", n, env.Seed, dualspace.StreamSGD), dualspace.NewCadence(n)
		v, a := make([]float64, p.Dim), 1.0
		copy(v, p.Start)
		var steps adaGrad
		var g []float64 // the gradient of one term
		if s.Step == stepAdaGrad {
			steps, g = newAdaGrad(s.Eta0, p.Dim), make([]float64, p.Dim)
		}
		var theta, mu []float64
		var y models.Vertex
		var mean *average
		if s.Average {
			mean = newAverage(p.Dim)
		}
		if !yield(solvers.Iterate{W: v}, nil) {
			return
		}
		for !env.Interrupted(yield) {
			k := order.Done
			e := &p.Examples[order.Next()]
			parts := e.Features.Parts()
			theta, mu = models.Resize(theta, parts), models.Resize(mu, parts)
			e.Features.Score(theta, v)
			for r := range theta {
				theta[r] *= a
			}
			_, y = p.Loss.Marginals(mu, e, theta, y)
			for _, r := range e.Truth {
				mu[r]--
			}
			if s.Step == stepAdaGrad {
				for j, x := range v {
					g[j] = p.Lambda * x
				}
				e.Features.AddAdjoint(g, 1, mu)
				steps.step(v, g)
			} else {
				eta := s.Eta0 / (1 + float64(k)/float64(n))
				a *= 1 - eta*p.Lambda
				if math.Abs(a) < sgdSmallest {
					dualspace.Scale(v, a)
					a = 1
				}
				e.Features.AddAdjoint(v, -eta/a, mu)
			}
			if s.Average {
				mean.add(v, a)
			}
			if due.Yields(order.Done) {
				dualspace.Scale(v, a)
				a = 1
				out := v
				if s.Average {
					out = mean.w
				}
				if !yield(solvers.Iterate{W: out, Epoch: order.Epochs()}, nil) {
					return
				}
			}
		}
	})
}
