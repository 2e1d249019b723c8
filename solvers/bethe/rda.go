package bethe

import (
	"iter"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// RDA runs Bethe-RDA (Vilnis et al. 2015, algorithm 1) for each example (see energy.RDA). L is the energy, θ are the
// scores without the energy, and MARG(θ) are the base model's marginals at these scores. RDA starts at ḡ_0 = 0 and μ_0
// = MARG(θ), and iterates
//
//	ḡ_t = ((t − 1)/t) ḡ_{t−1} + (1/t) ∇L(μ_{t−1}),   θ_t = θ − (t/(t + β)) ḡ_t,   μ_t = MARG(θ_t).
//
// For convex L, the suboptimality of the average of μ_1, ..., μ_t is O(ln(t)/t). The column average_primal is the
// objective of this average, for chains with untied transitions. With β = 0, RDA computes a lower bound without extra
// cost, and Dual is at least this bound. The objective of μ_t may increase, and if the gradient of L is unbounded, it
// may increase for many steps.
type RDA struct {
	// β in the factor t/(t + β) of step t; a larger value makes the first steps shorter
	Beta float64 `yaml:"beta" jsonschema:"minimum=0"`
	// largest number of calls of the base model's exp-oracle for each example, including the first call without the energy
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// the iterations for an example end when no marginal changes by more than this; 0: this rule is off
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
}

// betheCalls is the default limit on oracle calls for each example. It ends runs that no other rule ends.
const betheCalls = 1_000_000

var _ solvers.Inferrer = (*RDA)(nil)

// NewRDA returns an RDA with its default settings.
func NewRDA() *RDA { return &RDA{MaxCalls: betheCalls} }

func (s *RDA) algorithm(*models.Example) (energy.Stepwise, error) {
	return energy.RDA{Beta: s.Beta, MaxCalls: s.MaxCalls, Tol: s.Tol}, nil
}

// Needs implements Solver. RDA needs marginals.
func (*RDA) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Exp}
}

// Check implements Checker.
func (s *RDA) Check(o models.Objective) error {
	return betheCheck(o.(*models.Inference), s.algorithm)
}

// Infer implements Inferrer.
func (s *RDA) Infer(p *models.Inference, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return runBethe(s, p, env, s.algorithm, true, 0)
}
