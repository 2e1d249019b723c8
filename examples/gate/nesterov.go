// Package gate is an example of a module outside gaplab: it has a solver, and a test that checks the convergence of
// this solver.
package gate

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Nesterov is accelerated gradient descent with a constant step η, on a smooth and λ-strongly convex primal P:
//
//	v = y − η ∇P(y),   y ← v + β (v − w),   w ← v,   where β = (1 − √(ηλ))/(1 + √(ηλ))
//
// where y, v and w are weights. Source: Nesterov, Introductory Lectures on Convex Optimization (2004), scheme 2.2.9. An
// epoch is one step, which calls the oracle once for each example. Nesterov stores three vectors of Dim numbers.
type Nesterov struct {
	Eta float64 // η, with 0 < η ≤ 1/L, where L is the Lipschitz constant of ∇P
}

// Needs implements solvers.Solver.
func (*Nesterov) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Marginals}
}

// Train implements solvers.Trainer. A run ends only if it is interrupted or if the caller stops the loop over the
// iterates.
func (s *Nesterov) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		w, y, g := make([]float64, p.Dim), make([]float64, p.Dim), make([]float64, p.Dim)
		if !yield(solvers.Iterate{W: w}, nil) {
			return
		}
		root := math.Sqrt(s.Eta * p.Lambda)
		beta := (1 - root) / (1 + root)
		for epoch := 1; !env.Interrupted(yield); epoch++ {
			p.Gradient(g, y)
			floats.AddScaled(y, -s.Eta, g) // y now holds v
			for j, v := range y {
				y[j], w[j] = v+beta*(v-w[j]), v
			}
			if !yield(solvers.Iterate{W: w, Epoch: epoch}, nil) {
				return
			}
		}
	})
}
