// Package coordinate has ascent on the dual a few variables at a time, each step an exact or nearly exact line search:
// pairs of labellings (SMO), one distribution (SDCA, DCD), and pairs of variables of a binary machine (Decomposition).
package coordinate

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// SMO is sequential minimal optimisation for max-margin Markov networks (Taskar, Guestrin and Koller 2004, the section
// on SMO; Taskar's thesis of 2004, chapter 6), on marginals. Its dual needs only the marginals μ_i of the distributions
// α_i:
//
//	D(μ) = 1/n Σ_i κ cost_i·μ_i − λ/2 |w(μ)|²,   w(μ) = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i)
//
// A step on example i takes the pair of labellings along which D rises most steeply, at the scores s = κ cost_i + A_i
// w,
//
//	y⁺ = argmax_y s·1_y,   y⁻ = argmin_y s·1_y over the labellings whose parts all have μ_r > 0,
//
// and moves mass δ from y⁻ to y⁺: μ_i ← μ_i + δd, d = 1_{y⁺} − 1_{y⁻}. With the gap g = s·d,
//
//	n ΔD = δ g − δ² |A_iᵀd|²/(2λn),   δ = min(λn g / |A_iᵀd|², min_{r ∈ y⁻ \ y⁺} μ_r)
//
// is best. Since g ≥ max_y s·1_y − s·μ_i, the point is optimal where no example has a gap, and there a run ends by
// itself: when all examples have been visited since the last step, none of them with a gap above rounding.
//
// A move is feasible where μ ≥ 0 and equalities are all that marginals obey (Example.Polytope), as for classes and
// for chains with untied transitions: d keeps the equalities, and δ the signs. Some α has these marginals: the local
// polytope of a chain is its marginal polytope. The thesis moves the mass of one joint distribution instead, that of
// greatest entropy with marginals μ_i, so its step ends at α(y⁻); as α(y⁻) ≤ μ_r for each part r of y⁻, a step here
// may go at least as far. Garber and Meshi (2016) choose the pair in this way in conditional gradient over one such
// polytope.
//
// Marginals are whole multiples of 2⁻⁵², and so is δ, rounded. Such numbers up to 1 are added without error: equalities
// always hold exactly, a part that has lost its mass has exactly 0, and a best δ below half a multiple is no step.
//
// List and Simon (2009) bound the steps by O(n|Y|/(λε)), and by O(n|Y| log 1/ε) where D is strongly concave, for the
// steepest pair of all examples; here the example is drawn, and the pair is the steepest of the example.
//
// The start is μ_i = 1_{y_i}, w = 0. An epoch is n visits of Steps steps, fewer where a visit runs out of gaps; a
// step costs one Score, two max-oracle calls, one |A_iᵀd|² and two additions to w. State: Σ Parts + Dim + n floats,
// and 3 times the largest Parts.
type SMO struct {
	// random: with replacement; permutation: a fresh one per epoch; cyclic: the data's order
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// pairs of labellings between which a visit moves mass, each chosen at the scores after the one before
	Steps int `yaml:"steps" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Warm = (*SMO)(nil)

// NewSMO returns an SMO with its default settings.
func NewSMO() *SMO { return &SMO{Order: "permutation", Steps: 1} }

// Needs implements Solver: a loss without a temperature, best labellings, marginals between which mass can move, and
// the norm of an adjoint.
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

// smoSession is the order of the visits.
type smoSession struct {
	*smoState
	env    solvers.Env
	steps  int             // of a visit
	visits dualspace.Order // over the whole session
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
			yield("support", support) // parts with a positive marginal, per example
			yield("infeasibility", infeasibility)
		},
	}
}
