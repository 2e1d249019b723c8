// Package coordinate contains methods of dual ascent that change a few variables at a time. Each step is an exact or
// nearly exact line search over a pair of labellings (SMO), one distribution (SDCA, DCD), or a pair of variables of a
// binary support vector machine (Decomposition).
package coordinate

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SMO is sequential minimal optimisation for max-margin Markov networks (Taskar, Guestrin and Koller 2004, the section
// on SMO; Taskar's thesis of 2004, chapter 6). Its variables are the marginals μ_i of the distributions α_i over the
// labellings, because the dual depends only on the marginals. With κ = Margin of models.Loss and the label losses
// cost_i of the parts, the dual is
//
//	D(μ) = 1/n Σ_i κ cost_i·μ_i − λ/2 |w(μ)|²,   w(μ) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i)
//
// A step on example i uses the pair of labellings along which D increases most steeply. At the scores s = κ cost_i +
// A_i w, these are
//
//	y⁺ = argmax_y s·1_y,   y⁻ = argmin_y s·1_y over the labellings whose parts r all have μ_r > 0.
//
// The step moves mass δ from y⁻ to y⁺: μ_i ← μ_i + δd, where d = 1_{y⁺} − 1_{y⁻}. With the gap g = s·d, the change of D
// and the best δ are
//
//	n ΔD = δ g − δ² |A_iᵀd|²/(2λn),   δ = min(λn g / |A_iᵀd|², min_{r ∈ y⁻ \ y⁺} μ_r)
//
// Since g ≥ max_y s·1_y − s·μ_i, the point is optimal if g = 0 for all examples. So a run ends by itself when all
// examples have been visited since the last step and no gap g was larger than rounding errors.
//
// SMO requires that μ ≥ 0 and linear equalities are the only constraints on marginals (Example.Polytope). This holds
// for classes and for chains with untied transitions. Then every step is feasible: d keeps the equalities, and δ keeps
// μ ≥ 0. The result is the marginals of some α, because the local polytope of a chain is its marginal polytope. In the
// thesis, a step moves mass of a joint distribution α instead: the distribution of largest entropy with marginals μ_i.
// So a step in the thesis is at most α(y⁻). Since α(y⁻) ≤ μ_r for each part r of y⁻, a step here can be at least as
// long. Garber and Meshi (2016) choose the pair in the same way, in a conditional-gradient method over one such
// polytope.
//
// Marginals are multiples of 2⁻⁵², and δ is rounded to such a multiple. Sums of such numbers up to 1 have no rounding
// error. So the equalities always hold exactly, and a part that has lost all mass has a marginal of exactly 0. If the
// best δ is below half of 2⁻⁵², there is no step.
//
// Let |Y| be the number of labellings of an example. List and Simon (2009) bound the number of steps to an error of ε
// in D by O(n|Y|/(λε)), and by O(n|Y| log 1/ε) if D is strongly concave. Their method uses the steepest pair of all
// examples. Here the order of the visits determines the example, and the pair is the steepest pair of this example.
//
// The start is μ_i = 1_{y_i}, w = 0. An epoch is n visits. A visit makes Steps steps, or fewer if the gap g becomes 0.
// A step costs one Score, two calls of the max-oracle, one |A_iᵀd|² and two additions to w. State: Σ Parts + Dim + n
// floats, and 3 floats for each part of the largest example.
type SMO struct {
	// order of the visits; random: drawn with replacement; permutation: a new random permutation for each epoch; cyclic:
	// the order of the data
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// largest number of steps of a visit; each step moves probability between a pair of labellings, chosen at the scores
	// after the previous step
	Steps int `yaml:"steps" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Warm = (*SMO)(nil)

// NewSMO returns an SMO with its default settings.
func NewSMO() *SMO { return &SMO{Order: "permutation", Steps: 1} }

// Needs implements Solver. SMO needs a hinge loss with any margin (temperature 0), a label loss over parts, a
// max-oracle, marginals μ that only linear equalities and μ ≥ 0 constrain, and the norms |A_iᵀv| of the feature maps.
func (*SMO) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Perceptron, Oracles: solvers.Max, Features: solvers.Norms,
		PartLoss: true, Polytope: true, Memory: solvers.Memory{Parts: 1}}
}

// Train implements Trainer.
func (s *SMO) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(s, p, env)
}

// Start implements Warm.
func (s *SMO) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(s, p); err != nil {
		return nil, err
	}
	return &smoSession{env: env, smoState: newSMOState(p), steps: s.Steps,
		visits: dualspace.NewOrder(s.Order, len(p.Examples), env.Seed, dualspace.StreamSMO)}, nil
}

// smoSession is a session of SMO. It visits the examples in the chosen order.
type smoSession struct {
	*smoState
	env    solvers.Env
	steps  int             // largest number of steps of a visit
	visits dualspace.Order // order and number of the visits of the whole session
}

// Run implements Session.
func (o *smoSession) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		o.setLambda(lambda)
		n := len(o.p.Examples)
		due := dualspace.NewCadence(n)
		if !yield(o.iterate(), nil) {
			return
		}
		for o.settled < n && !o.env.Interrupted(yield) {
			if err := o.visit(o.visits.Next(), o.steps); err != nil {
				yield(solvers.Iterate{}, err)
				return
			}
			if due.Refreshes(o.visits.Done) {
				o.refresh()
			}
			if due.Yields(o.visits.Done) && !yield(o.iterate(), nil) {
				return
			}
		}
	}
}

func (o *smoSession) iterate() solvers.Iterate {
	return solvers.Iterate{
		W:     o.w,
		Epoch: o.visits.Epochs(),
		Dual:  o.dual,
		Stats: func(yield func(string, float64)) {
			support, infeasibility := o.shape()
			yield("support", support) // mean over the examples of the number of parts with a positive marginal
			yield("infeasibility", infeasibility)
		},
	}
}
