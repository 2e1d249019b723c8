package bethe

import (
	"iter"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// RDA is Bethe-RDA (Vilnis et al. 2015, algorithm 1) for each example (see energy.RDA). From ḡ_0 = 0 and μ_0 = MARG(θ),
//
//	ḡ_t = ((t − 1)/t) ḡ_{t−1} + (1/t) ∇L(μ_{t−1}),   θ_t = θ − (t/(t + β)) ḡ_t,   μ_t = MARG(θ_t)
//
// For convex L the averages of the μ_t have suboptimality O(ln(t)/t): average_primal, of chains with untied
// transitions. With β = 0 it has a dual for free, which Dual never falls below. The objective may rise, and for long
// where the gradient of L is unbounded.
type RDA struct {
	// the larger, the shorter the first steps
	Beta float64 `yaml:"beta" jsonschema:"minimum=0"`
	// the most marginals to ask the base model for, for each example; those without the energy are the first
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// an example is done when no marginal changes by more; 0: none does
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
}

// betheCalls caps a run that no stop rule ends.
const betheCalls = 1_000_000

var _ solvers.Inferrer = (*RDA)(nil)

// NewRDA returns an RDA with its default settings.
func NewRDA() *RDA { return &RDA{MaxCalls: betheCalls} }

func (s *RDA) algorithm(*models.Example) (energy.Stepwise, error) {
	return energy.RDA{Beta: s.Beta, MaxCalls: s.MaxCalls, Tol: s.Tol}, nil
}

// Needs implements Solver: marginals.
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
