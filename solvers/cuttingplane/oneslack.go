// Package cuttingplane contains the methods that bound the risk from below by planes and solve a quadratic programme
// (QP) over these planes: OneSlack, NSlack, and the bundle method BMRM.
package cuttingplane

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// OneSlack is the 1-slack cutting-plane method (Joachims, Finley and Yu 2009: algorithms 3 and 4, with the cache of
// section 4). One slack variable is the mean hinge of all examples. So a constraint is a labelling of the whole data
// set:
//
//	min_{w, ξ ≥ 0} ½|w|² + Cξ   s.t.  w·g ≥ d − ξ  for every (ȳ_1, …, ȳ_n),   C = 1/λ,
//	g = 1/n Σ a_i ψ_i(ȳ_i),  d = 1/n Σ Δ_i(ȳ_i),  ψ_i(ȳ) = A_iᵀ(1_{y_i} − 1_ȳ),
//
// where Δ_i is the label loss of example i, A_i is its feature map, and a_i = 1 (margin rescaling) or a_i = Δ_i(ȳ_i)
// (slack rescaling). An iteration computes the labelling whose constraint is most violated at w, with one oracle call
// for each example. Then it solves the QP of all constraints found so far in its dual (OP6, OP7). The run ends when the
// violation is at most ξ + Epsilon. gaplab's P is the paper's objective divided by C. So P(w) − D is then at most
// Epsilon plus the tolerance of the QP in gaplab's scale, and C·Epsilon in the paper's scale.
//
// The cache stores the labellings of each example that were used last. An iteration first builds a constraint from the
// cached labellings, which costs only the computation of scores. It calls the oracle only if this constraint is not
// violated enough. The cache stores labellings and not their features, because the score of a labelling is a sum of
// part scores.
//
// An epoch is an iteration, with one QP. State: the constraints (sparse), n·Cache labellings, and the sums of blocks of
// examples. These are 2 to 64 blocks of Dim floats, and with more than 2 blocks at most 16 million floats.
type OneSlack struct {
	// tolerance for the violation of constraints, in units of the label loss; 0: the run continues until a stop rule or
	// rounding errors end it
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// number of cached labellings of each example, which are tried before the oracle; 0: no cache
	Cache int `yaml:"cache" jsonschema:"minimum=0,maximum=1000"`
	// which constraints of cached labellings are added; paper: those violated by more than eps; svmstruct: only those
	// that are also violated by more than a tenth of the violation at the last oracle pass, and built from violated
	// labellings only, as in the authors' program
	CacheRule string `yaml:"cache_rule" jsonschema:"enum=svmstruct,enum=paper"`
	// tolerance of the QP, in units of the label loss; 0: half of the last violation
	Tolerance float64 `yaml:"tolerance" jsonschema:"minimum=0"`
	// qp: solve the QP of the working set; line-search: make only a step towards the new constraint (section 3.2)
	Step string `yaml:"step" jsonschema:"enum=qp,enum=line-search"`
	// number of consecutive QPs with multiplier 0 after which a constraint is dropped; 0: constraints are never dropped
	Drop int `yaml:"drop" jsonschema:"minimum=0"`
}

var _ solvers.Warm = (*OneSlack)(nil)

// NewOneSlack returns a OneSlack with its default settings.
func NewOneSlack() *OneSlack {
	return &OneSlack{Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50}
}

// Needs implements Solver. OneSlack needs a hinge loss and the oracle that finds violated margins.
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

// Certifies implements Certifier: no labelling violates its margin by more than Epsilon at the end.
func (*OneSlack) Certifies() bool { return true }
