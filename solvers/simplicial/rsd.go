// Package simplicial implements restricted simplicial decomposition with proximal points (RSD), which trains generative
// models with large margins. Each step has its own file: the minimisation over a component (component.go), the dual
// function (dual.go), the master problem and its Newton steps (master.go, newton.go), the directions (direction.go),
// the centre rule (centre.go), the bounds (bounds.go) and the working sets (workingsets.go).
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

// RSD trains a generative model with large margins (Yu, Bertsekas and Rousu, sections 2 and 3). It applies restricted
// simplicial decomposition to the duals of proximal problems. (P) is the problem that models.Generative defines, over
// log-probabilities θ. Its comment defines a_k(s), b_k(s), f_i, h and η. Let β_k(s) be the multipliers of the margin
// constraints, λ_i the multipliers of the constraints that probabilities sum to at most one, and
//
//	μ_i = Σ_k Σ_s β_k(s) a_{i,k}(s),   ω = Σ_k Σ_s β_k(s) b_k(s).
//
// The dual depends on β only through (μ, ω), which vary in a polyhedron D. The dual of (P) is not finite on all of D.
// So a proximal term γ/2 |θ − θⁿ|² is added to (P). The dual Q_n of this proximal problem is finite everywhere. An
// iteration, or round, has four steps:
//
//	master:     maximise Q_n over the convex hull of the points so far and λ ≥ 0; θ̄ is its gradient in μ (see rsdMaster)
//	direction:  the point of D that is best along θ̄, by a loss-augmented inference for each example (see rsdDirection);
//	            G = Σ_k η v_k − θ̄·μ̄ − ω̄ ≥ 0 is the first-order ascent towards it; (μ̄, ω̄) solves the master problem
//	centre:     if (i) P decreases by δ̄, or (ii) (μ̄, ω̄) is δ_m-optimal, θⁿ moves to θˢ, which is θ̄ made feasible by
//	            a shift; then the direction is computed again
//	points:     the new point is added; if there are too many points, the points of least weight are merged into one
//
// In the paper, δ_m is a sequence that tends to 0, and m is the number of previous centre changes. Here m counts only
// the changes by rule (ii). There can be many changes by rule (i). If m also counted the changes by rule (i), δ_m = δ̄
// decay^m would become smaller than rounding errors. θ̄ is feasible up to rounding, because λ is fitted exactly. So the
// direction-finding pass also computes P(θˢ). The oracle calls in the phase "centre" are the calls of repeated passes.
//
// P is the objective of (P). W is the feasible θˢ with the least P(θˢ) so far, and Primal is P(W). The online variant
// never visits all examples at one θˢ; its W is the latest θˢ, and P(W) is evaluated while the clock is stopped. Dual
// is a certified lower bound on (P) (rsdBound). The paper's lower bound, which is not a true bound, is the statistic
// lower_estimate. The run ends when rounding errors prevent further progress.
//
// An epoch is a round: one call of the max-oracle for each example of the working set (up to two calls for a 0/1 loss
// over labellings), and the same number for each repeated pass. State: Dim+1 floats for each point, and about 16 Dim
// more floats. With a quadratic penalty, each point has one more float for each example.
type RSD struct {
	// weight of the proximal term γ/2 |θ − θⁿ|²
	Gamma float64 `yaml:"gamma" jsonschema:"exclusiveMinimum=0"`
	// largest number of points in a simplex; with working_sets: combined, largest number in all simplices together, but at
	// least 3 in each
	SimplexLimit int `yaml:"simplex_limit" jsonschema:"minimum=2"`
	// points that a round adds to the simplex; total: one point, computed from all examples of the round; block: also
	// one point for each block of examples, if the dual increases towards it
	Points string `yaml:"points" jsonschema:"enum=total,enum=block"`
	// number of blocks of examples, with points: block
	Blocks int `yaml:"blocks" jsonschema:"minimum=1"`
	// δ̄ of rule (i): the decrease of the objective P that moves the centre, as a share of |P(θ⁰)| at the initial θ⁰
	Delta float64 `yaml:"delta" jsonschema:"exclusiveMinimum=0"`
	// decay of δ_m = δ̄ decay^m in rule (ii), where m is the number of centre changes by this rule
	Decay float64 `yaml:"decay" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
	// Lc, the weight of the gradient in the multipliers λ in rule (ii) (see rsdCentre)
	Lc float64 `yaml:"lc" jsonschema:"exclusiveMinimum=0"`
	// examples of a round; none: all; coordinate: one subset after another, each with its own simplex, while the other
	// simplices are fixed; online: one subset after another, with one simplex for all; combined: one subset after
	// another, each with its own simplex, and all simplices in each master problem
	WorkingSets string `yaml:"working_sets" jsonschema:"enum=none,enum=coordinate,enum=online,enum=combined"`
	// number of subsets; each contains consecutive examples
	Sets int `yaml:"sets" jsonschema:"minimum=1"`
	// largest number of consecutive rounds on a subset of the examples
	Inner int `yaml:"inner" jsonschema:"minimum=1"`
	// order in which the subsets of examples are visited
	Order string `yaml:"order" jsonschema:"enum=random,enum=permutation,enum=cyclic"`
	// initial θ⁰, used if the model has no start weights; uniform: uniform distributions; ml: relative frequencies in the
	// training data, with 0.1 added to each count; prior: the distributions c of the model's prior
	Begin string `yaml:"start" jsonschema:"enum=uniform,enum=ml,enum=prior"`
}

var _ solvers.Fitter = (*RSD)(nil)

// New returns an RSD with its default settings.
func New() *RSD {
	return &RSD{Gamma: 0.01, SimplexLimit: 100, Points: rsdTotal, Blocks: 10, Delta: 1e-3, Decay: 0.5, Lc: 1,
		WorkingSets: rsdNone, Sets: 10, Inner: 3, Order: "cyclic", Begin: rsdUniform}
}

// Needs implements Solver. RSD needs a hinge loss and the oracle that finds violated margins.
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
		return solvers.Lacking("with start: prior needs a model with a prior; this model has none")
	}
	return nil
}

// check checks settings that depend on each other or on the number n of examples.
func (r *RSD) check(n int) error {
	switch {
	case r.Points == rsdBlock && r.Blocks+2 > r.SimplexLimit:
		return fmt.Errorf("blocks is %d: want at most simplex_limit − 2 = %d, to store a point of each block and 2 more",
			r.Blocks, r.SimplexLimit-2)
	case r.WorkingSets != rsdNone && r.Sets > n:
		return fmt.Errorf("sets is %d: want at most %d, the number of examples", r.Sets, n)
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
