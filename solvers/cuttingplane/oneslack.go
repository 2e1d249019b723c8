// Package cuttingplane contains the methods that bound the risk from below by planes and solve a quadratic programme
// (QP) over these planes: OneSlack, NSlack, and the bundle method BMRM.
package cuttingplane

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// OneSlack is the 1-slack cutting-plane method (Joachims, Finley and Yu 2009: algorithms 3 and 4, with the cache of
// section 4). There is one slack variable ξ, for the mean hinge of all examples. So a constraint belongs to a labelling
// of the whole data set:
//
//	min_{w, ξ ≥ 0} ½|w|² + Cξ   s.t.  w·g ≥ d − ξ  for every (ȳ_1, …, ȳ_n),   C = 1/λ,
//	g = 1/n Σ a_i ψ_i(ȳ_i),  d = 1/n Σ Δ_i(ȳ_i),  ψ_i(ȳ) = A_iᵀ(1_{y_i} − 1_ȳ),
//
// where Δ_i is the label loss of example i, A_i is its feature map, and a_i = 1 (margin rescaling) or a_i = Δ_i(ȳ_i)
// (slack rescaling). An iteration computes the labelling whose constraint is most violated at w, with one oracle call
// for each example. Then it solves the QP of all constraints found so far in its dual (OP6, OP7). The run ends when the
// violation of the most violated constraint is at most ξ + Epsilon. gaplab's P is the paper's objective divided by C.
// So at the end, P(w) − D is at most Epsilon plus the tolerance of the QP. In the paper's scale, this bound is
// multiplied by C.
//
// The cache stores the most recently used labellings of each example, at most Cache of them. An iteration first builds
// a constraint from the cached labellings, which costs only the computation of scores. It calls the oracle only if this
// constraint is not violated enough. The cache stores labellings and not their features, because the score of a
// labelling is a sum of part scores.
//
// An epoch is an iteration, with one QP. State: the sparse constraints, n·Cache labellings, and a sum of Dim floats for
// each of 2 to 64 blocks of examples. If there are more than 2 blocks, these sums have at most 16 million floats.
type OneSlack struct {
	// ε: the largest violation beyond the slack ξ that a constraint may have at the end, in units of the label loss; 0:
	// the run continues until a stop rule or rounding errors end it
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// number of cached labellings of each example, which are tried before the oracle; 0: no cache
	Cache int `yaml:"cache" jsonschema:"minimum=0,maximum=1000"`
	// when a constraint of cached labellings is added; paper: if its violation exceeds the slack by more than eps;
	// svmstruct, as in the authors' program: if its excess over the slack is more than eps, and more than a tenth of the
	// excess at the last oracle pass; the constraint then contains only labellings whose violation is more than half of
	// the excess at the last oracle pass
	CacheRule string `yaml:"cache_rule" jsonschema:"enum=svmstruct,enum=paper"`
	// tolerance of the QP, in units of the label loss; 0: half of the smallest violation found so far
	Tolerance float64 `yaml:"tolerance" jsonschema:"minimum=0"`
	// qp: solve the QP of the working set; line-search: make only a step towards the new constraint (section 3.2 of
	// Joachims, Finley and Yu (2009))
	Step string `yaml:"step" jsonschema:"enum=qp,enum=line-search"`
	// a constraint is removed after this number of consecutive QPs in which its multiplier is 0; 0: constraints are never
	// removed
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

// Certifies implements Certifier: if Epsilon > 0, no labelling violates its margin by more than Epsilon at the end. If
// Epsilon is 0, rounding errors end the run, at an unknown precision.
func (o *OneSlack) Certifies() bool { return o.Epsilon > 0 }
