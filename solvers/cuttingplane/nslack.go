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
//	g = ψ_i(ȳ) (margin rescaling) or Δ_i(ȳ) ψ_i(ȳ) (slack rescaling),  ψ_i(ȳ) = A_iᵀ(1_{y_i} − 1_ȳ),
//
// where Δ_i is the label loss of example i, and A_i is its feature map.
//
// A pass visits all examples. If the violation of an example's most violated labelling exceeds ξ_i by more than ε (the
// precision), the labelling is added to the working set as a constraint. The QP of the working set is solved again
// after Batch new constraints, and at the end of a pass that added a constraint. Between QPs, w and ξ do not change.
// The method ends with a pass without a new constraint. With precision: halving, ε starts at 100, a pass without a new
// constraint halves ε, and the method ends after such a pass at the last ε, which is Epsilon. Joachims, Finley and Yu
// do not describe this, but the authors' program does it. That program halves ε more often, until ε is Epsilon: after
// each pass that finds at most min(n/3, max(n/100, 5)) constraints. This is precision: svmstruct. The rule for ε
// affects the number of oracle calls.
//
// The time of the method depends mainly on the QP solver. With qp: decomposition, it is the generic solver of Joachims,
// Finley and Yu (SVM-light). With qp: coordinate, it is a dual coordinate ascent that stores w.
//
// An epoch is a pass. State: the sparse constraints and Dim floats.
type NSlack struct {
	// last ε: the largest violation beyond the slack that a labelling may have at the end, in units of the label loss; 0:
	// the run continues until a stop rule or rounding errors end it
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// ε of each pass; fixed: always eps; halving: begins at 100 and is halved, down to eps, after each pass that finds no
	// new constraint; svmstruct: begins at 100 and is halved, down to eps, after each pass that finds few new constraints,
	// as in the authors' program
	Precision string `yaml:"precision" jsonschema:"enum=fixed,enum=halving,enum=svmstruct"`
	// solver of the QP; decomposition: generic decomposition, as in Joachims, Finley and Yu (2009); coordinate: dual
	// coordinate ascent
	QP string `yaml:"qp" jsonschema:"enum=decomposition,enum=coordinate"`
	// number of new constraints after which the QP is solved again
	Batch int `yaml:"batch" jsonschema:"minimum=1"`
	// tolerance of the QP, in units of the label loss; 0: half of the present ε
	Tolerance float64 `yaml:"tolerance" jsonschema:"minimum=0"`
	// a constraint is removed after this number of consecutive QPs in which its multiplier is 0; if the present pass has
	// had more QPs, the number of its QPs is used instead; 0: constraints are never removed
	Drop int `yaml:"drop" jsonschema:"minimum=0"`
}

var _ solvers.Warm = (*NSlack)(nil)

// NewNSlack returns an NSlack with its default settings.
func NewNSlack() *NSlack {
	return &NSlack{Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50}
}

// Needs implements Solver. NSlack needs a hinge loss, the oracle that finds violated margins, and sparse features.
func (*NSlack) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge | solvers.Slack, Oracles: solvers.Violation, Features: solvers.Sparse}
}

// Check implements Checker.
func (s *NSlack) Check(o models.Objective) error {
	switch {
	case s.Drop == 1:
		return errDropOne
	case s.Precision == "fixed" && s.Epsilon == 0:
		return errors.New("precision: fixed needs eps > 0; set eps, or precision: halving")
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

// Certifies implements Certifier: if Epsilon > 0, no labelling violates its margin by more than Epsilon at the end. If
// Epsilon is 0, rounding errors end the run, at an unknown precision.
func (s *NSlack) Certifies() bool { return s.Epsilon > 0 }
