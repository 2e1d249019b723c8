// Package simplicial has restricted simplicial decomposition with proximal points, for generative models with large
// margins. There is one file for each step: the minimisation over a component, the dual value, the master problem by
// two-metric projected Newton, directions, centre rule, bounds, working sets.
package simplicial

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Values of RSD.Points, RSD.WorkingSets and RSD.Begin.
const (
	rsdTotal = "total"
	rsdBlock = "block"

	rsdNone       = "none"
	rsdCoordinate = "coordinate"
	rsdOnline     = "online"
	rsdCombined   = "combined"

	rsdUniform = "uniform"
	rsdML      = "ml"
	rsdPrior   = "prior"
)

// RSD trains a generative model with large margins (Yu, Bertsekas and Rousu, sections 2 and 3): restricted simplicial
// decomposition of the dual of proximal problems. The problem (P) is that of models.Generative, over
// log-probabilities θ. With multipliers β_k(s) of the margins and λ_i of the sums to one, and
//
//	μ_i = Σ_k Σ_s β_k(s) a_{i,k}(s),   ω = Σ_k Σ_s β_k(s) b_k(s),
//
// the dual depends on β through (μ, ω) only, which vary in a polyhedron D. Its domain does not hold all of D; so a
// term γ/2 |θ − θⁿ|² is added to (P), and the dual of that, Q_n, is finite everywhere. An iteration, or round, is
//
//	master:     maximise Q_n over the convex hull of the points so far and λ ≥ 0; θ̄ is its gradient in μ (rsdMaster)
//	direction:  the point of D that is best along θ̄, from a loss-augmented inference for each example (rsdDirection);
//	            G is the ascent to first order, Σ_k η v_k − θ̄·μ̄ − ω̄ ≥ 0
//	centre:     θⁿ moves to θˢ, which is θ̄ made feasible by a shift, if (i) (P) falls by δ̄, or (ii) z̄ is δ_m-optimal;
//	            then the direction is found again
//	points:     the new one comes in; beyond the limit those with the smallest weights become one
//
// The paper's δ_m is a sequence that tends to 0, m the number of centre changes before. Here m counts those by rule
// (ii), since the others can be many, and δ_m = δ̄ decay^m would then be below all rounding. θ̄ is feasible up to
// rounding, because λ is fitted exactly: so the direction-finding pass gives P(θˢ) as well, and calls in the phase
// "centre" are those of repeated passes.
//
// W is the feasible θˢ with the least P so far, Primal its value; of the online variant, which never looks at all
// examples, the latest θˢ, evaluated off the clock. Dual is a certified lower bound of (P) (rsdBound); the paper's
// own is no bound, and is the statistic lower_estimate. The run ends where rounding stops it.
//
// An epoch is a round: a call of the max-oracle for each example of its working set (for a 0/1 loss over labellings
// up to two), and as many for each repetition. State: Dim+1 floats for each point, and 16 times Dim or so. With a
// quadratic penalty each point has one more for each example.
type RSD struct {
	// weight of the proximal term γ/2 |θ − θⁿ|²
	Gamma float64 `yaml:"gamma" jsonschema:"exclusiveMinimum=0"`
	// points of a simplex, at most; combined: of all simplices together, though at least 3 of each
	SimplexLimit int `yaml:"simplex_limit" jsonschema:"minimum=2"`
	// points that a round adds; total: one; block: also those of blocks of examples, where they are an ascent
	Points string `yaml:"points" jsonschema:"enum=total,enum=block"`
	// number of blocks of examples, with points: block
	Blocks int `yaml:"blocks" jsonschema:"minimum=1"`
	// δ̄ of rule (i), an improvement of (P) that moves the centre, as a share of |P(θ⁰)|
	Delta float64 `yaml:"delta" jsonschema:"exclusiveMinimum=0"`
	// δ_m = δ̄ decay^m of rule (ii), m the number of centre changes by that rule
	Decay float64 `yaml:"decay" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
	// weight of the gradient in λ in rule (ii)
	Lc float64 `yaml:"lc" jsonschema:"exclusiveMinimum=0"`
	// none: all examples in each round; coordinate: subsets in turn, each with a simplex of its own, the others fixed;
	// online: subsets in turn, one simplex for all; combined: a simplex for each subset, and all in each master problem
	WorkingSets string `yaml:"working_sets" jsonschema:"enum=none,enum=coordinate,enum=online,enum=combined"`
	// number of subsets of the examples, which are cut in their order
	Sets int `yaml:"sets" jsonschema:"minimum=1"`
	// rounds on a subset at most, before the next
	Inner int `yaml:"inner" jsonschema:"minimum=1"`
	// order of the subsets
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// θ⁰, where the model gives no weights to begin with; ml: relative frequencies in the training data, 0.1
	// added to each count; prior: the distributions c
	Begin string `yaml:"start" jsonschema:"enum=uniform,enum=ml,enum=prior"`
}

var _ solvers.Fitter = (*RSD)(nil)

// New returns an RSD with its default settings.
func New() *RSD {
	return &RSD{Gamma: 0.01, SimplexLimit: 100, Points: rsdTotal, Blocks: 10, Delta: 1e-3, Decay: 0.5, Lc: 1,
		WorkingSets: rsdNone, Sets: 10, Inner: 3, Order: "cyclic", Begin: rsdUniform}
}

// Needs implements Solver: a hinge, and the oracles of its cutting planes.
func (*RSD) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Perceptron | solvers.Slack, Oracles: solvers.Violation,
		Start: true}
}

// Check implements Checker.
func (r *RSD) Check(o models.Objective) error {
	if err := r.check(o.N()); err != nil {
		return err
	}
	if p := o.(*models.Generative); r.Begin == rsdPrior && p.Prior == nil {
		return solvers.Lacking("with start: prior needs a prior, and the model has none")
	}
	return nil
}

// check checks combinations of settings, for n examples.
func (r *RSD) check(n int) error {
	switch {
	case r.Points == rsdBlock && r.Blocks+2 > r.SimplexLimit:
		return fmt.Errorf("blocks is %d: want so few that their points fit into the simplex with 2 others", r.Blocks)
	case r.WorkingSets != rsdNone && r.Sets > n:
		return fmt.Errorf("sets is %d: want at most the %d examples", r.Sets, n)
	}
	return nil
}

// Fit implements Fitter.
func (r *RSD) Fit(p *models.Generative, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(r, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		env.Enter("setup")
		s := newRSDState(r, p, env)
		env.Enter("")
		if _, err := env.Resumed(s.carry); err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		for more := true; more && !env.Interrupted(yield); more = s.round() {
			if err := s.failure(); err != nil {
				yield(solvers.Iterate{}, err)
				return
			}
			if !yield(s.iterate(), nil) {
				return
			}
		}
	})
}
