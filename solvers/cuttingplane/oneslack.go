// Package cuttingplane has the methods that bound the risk from below by planes and solve a quadratic programme over
// them: 1-slack, n-slack, and bundles.
package cuttingplane

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// OneSlack is the 1-slack cutting-plane method (Joachims, Finley and Yu 2009: algorithms 3 and 4, with the cache of
// section 4). One slack variable stands for the mean hinge of all examples, so a constraint is a labelling of the
// whole data set:
//
//	min_{w, ξ ≥ 0} ½|w|² + Cξ   s.t.  w·g ≥ d − ξ  for every (ȳ_1, …, ȳ_n),   C = 1/λ,
//	g = 1/n Σ a_i ψ_i(ȳ_i),  d = 1/n Σ Δ_i(ȳ_i),  ψ_i(ȳ) = A_iᵀ(1_{y_i} − 1_ȳ),
//
// with a_i = 1 (margin rescaling) or Δ_i(ȳ_i) (slack rescaling). An iteration finds the labelling whose constraint is
// most violated at w, one oracle call per example, and solves the QP of all constraints found so far in its dual
// (OP6, OP7). It ends when the violation is at most ξ + Epsilon; then P(w) − D ≤ Epsilon plus the QP's tolerance in
// gaplab's scale, P being the paper's objective over C, and C·Epsilon in the paper's.
//
// The cache keeps for each example the labellings that were used last. An iteration first composes a constraint from
// these, at the price of the scores, and calls the oracle only if that constraint is not violated enough. Labellings
// are kept, not their features: a labelling's score is a sum of part scores.
//
// An epoch is an iteration, one QP. State: the constraints (sparse), n·Cache labellings, and sums by block of
// examples: 2 to 64 times Dim floats, twice Dim or at most 16 million.
type OneSlack struct {
	// violation of the constraints that is tolerated, in units of the label loss; 0: until a stop rule or rounding ends
	// the run
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// labellings kept per example, tried before the oracle; 0: no cache
	Cache int `yaml:"cache" jsonschema:"minimum=0,maximum=1000"`
	// when a constraint of cached labellings will do. paper: if it is violated by more than eps; svmstruct: by more than a
	// tenth of what the last oracle pass found as well, and composed of violated labellings alone, as in the authors'
	// program
	CacheRule string `yaml:"cache_rule" jsonschema:"enum=svmstruct,enum=paper"`
	// accuracy of the QP in units of the label loss; 0: half of the last violation found
	Tolerance float64 `yaml:"tolerance" jsonschema:"minimum=0"`
	// qp: solve the QP of the working set; line-search: a step along the new constraint only (section 3.2)
	Step string `yaml:"step" jsonschema:"enum=qp,enum=line-search"`
	// a constraint is dropped after this many consecutive QPs without a multiplier; 0: never
	Drop int `yaml:"drop" jsonschema:"minimum=0"`
}

var _ solvers.Warm = (*OneSlack)(nil)

// NewOneSlack returns a OneSlack with its default settings.
func NewOneSlack() *OneSlack {
	return &OneSlack{Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50}
}

// Needs implements Solver: a hinge, and the oracles of its cutting planes.
func (*OneSlack) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Slack, Oracles: solvers.Violation, Norm: true,
		Memory: solvers.Memory{Weights: 3}}
}

// Check implements Checker.
func (o *OneSlack) Check(_ models.Objective) error {
	if o.Drop == 1 {
		return errDropOne
	}
	return nil
}

// Train implements Trainer.
func (o *OneSlack) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(o, p, env)
}

// Start implements Warm.
func (o *OneSlack) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(o, p); err != nil {
		return nil, err
	}
	return newOneSlackState(o, p, env), nil
}
