package cuttingplane

import (
	"errors"
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// NSlack is the n-slack cutting-plane method (Tsochantaridis, Joachims, Hofmann and Altun 2005; Joachims, Finley and Yu
// 2009: algorithms 1 and 2):
//
//	min_{w, ξ ≥ 0} ½|w|² + C/n Σ ξ_i   s.t.  w·g ≥ Δ_i(ȳ) − ξ_i  for every example and labelling,   C = 1/λ,
//	g = ψ_i(ȳ) (margin rescaling) or Δ_i(ȳ) ψ_i(ȳ) (slack rescaling),  ψ_i(ȳ) = A_iᵀ(1_{y_i} − 1_ȳ).
//
// It goes over the examples. Where the violation of the most violated labelling exceeds ξ_i by more than ε, it joins
// the working set, and the QP is solved again after Batch such constraints and at the end of a pass that found one;
// between QPs w and ξ are stale. A pass without a new constraint ends the method, or with Precision "halving" the
// present ε: that starts at 100 and is halved each time. The paper does not say so, but the authors' program does this;
// there a level above the last ends as soon as a pass finds few constraints, at most min(n/3, max(n/100, 5)): Precision
// "svmstruct". The oracle calls depend on it.
//
// The QP solver matters to its time more than anything else. "decomposition" is the generic one of the paper
// (SVM-light), "coordinate" a dual coordinate ascent that keeps w.
//
// An epoch is a pass. State: the constraints (sparse), Dim floats.
type NSlack struct {
	// violation of the constraints that is tolerated, in units of the label loss; 0: until a stop rule or rounding ends
	// the run
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// fixed: eps from the start; halving: from 100 down to eps by halves, each until a pass finds no constraint;
	// svmstruct: until it finds few, as in the authors' program
	Precision string `yaml:"precision" jsonschema:"enum=fixed,enum=halving,enum=svmstruct"`
	// solver of the QP: generic decomposition, as in the paper, or dual coordinate ascent
	QP string `yaml:"qp" jsonschema:"enum=decomposition,enum=coordinate"`
	// new constraints after which the QP is solved again
	Batch int `yaml:"batch" jsonschema:"minimum=1"`
	// accuracy of the QP in units of the label loss; 0: half of the present precision
	Tolerance float64 `yaml:"tolerance" jsonschema:"minimum=0"`
	// a constraint is dropped after this many consecutive QPs without a multiplier, or the number of QPs in the pass if
	// larger; 0: never
	Drop int `yaml:"drop" jsonschema:"minimum=0"`
}

var _ solvers.Warm = (*NSlack)(nil)

// NewNSlack returns an NSlack with its default settings.
func NewNSlack() *NSlack {
	return &NSlack{Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50}
}

// Needs implements Solver: a hinge, the oracles of its cutting planes, and sparse features.
func (*NSlack) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Slack, Oracles: solvers.Violation, Features: solvers.Sparse}
}

// Check implements Checker.
func (s *NSlack) Check(o models.Objective) error {
	switch {
	case s.Drop == 1:
		return errDropOne
	case s.Precision == "fixed" && s.Epsilon == 0:
		return errors.New("a fixed precision needs eps > 0 (or precision: halving)")
	}
	return nil
}

// Train implements Trainer.
func (s *NSlack) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(s, p, env)
}

// Start implements Warm.
func (s *NSlack) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(s, p); err != nil {
		return nil, err
	}
	return newNSlackState(s, p.Parallel(env.Workers), env), nil
}
