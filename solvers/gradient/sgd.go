// Package gradient contains the methods that need only gradients of the primal: stochastic gradients (SGD, SAGA, SVRG),
// batch gradients (Descent) and limited-memory BFGS (LBFGS).
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
// SGD starts at w = 0 or Risk.Start. For the hinge it uses a subgradient. φ_i is the loss of example i, so ∇φ_i(w) + λ
// w is the gradient of one term of P. In the notation of Collins et al., λ = C/n. They choose η₀ by the validation
// error after one pass; a spec does this with `choose`.
//
// w is stored as a·v, so that multiplying w by 1 − ηλ costs O(1). An update costs one Score, one oracle call (one
// visit) and one AddAdjoint. State: Dim floats. With the steps of AdaGrad, an update costs Dim operations more, and the
// state is 3 Dim floats. Averaging adds Dim operations to an update and Dim floats to the state.
type SGD struct {
	// size η₀ of the first step; Collins et al. 2008 choose one of 1, 0.1, 0.01, 0.001, 0.0001 by the validation error
	// after one pass (see choose)
	Eta0 float64 `yaml:"eta0" jsonschema:"required,exclusiveMinimum=0"`
	// decay: the step size is eta0/(1 + k/n); adagrad: the step size of each weight is eta0 divided by the square root
	// of the sum of squares of the weight's derivatives so far; decay is the default
	Step string `yaml:"step" jsonschema:"enum=decay,enum=adagrad" settings:"optional"`
	// yield the weighted average of all iterates, where the weight of iterate k is proportional to k, instead of the
	// last iterate
	Average bool `yaml:"average"`
}

const sgdSmallest = 1e-6 // if the factor a in w = a·v becomes smaller than this, v ← a·v and a ← 1

var _ solvers.Trainer = (*SGD)(nil)

// NewSGD returns an SGD with its default settings.
func NewSGD() *SGD { return &SGD{} }

// Needs implements Solver. SGD needs the oracle that gives the gradient of the loss. AdaGrad also needs the Euclidean
// norm, because its steps depend on the coordinates.
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
		var g []float64 // the gradient of one term of P
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
