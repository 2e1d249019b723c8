package bethe

import (
	"errors"
	"iter"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Accelerated is accelerated dual averaging for each example (see energy.Accelerated), for energies with a Lipschitz
// continuous gradient. With ℓ its constant, −H σ-strongly convex, w_0 = v_0 = MARG(θ) and ḡ_0 = 0,
//
//	ρ = 2/(t + 1),   κ = 4ℓ/(σ t (t + 1)),   u = (1 − ρ) w_{t−1} + ρ v_{t−1}
//	ḡ_t = (1 − ρ) ḡ_{t−1} + ρ ∇L(u),   v_t = MARG(θ − ḡ_t/(1 + κ)),   w_t = (1 − ρ) w_{t−1} + ρ v_t
//
// For convex L the w_t have suboptimality O(1/t²): average_primal, of chains with untied transitions. The other columns
// are those of the v_t, whose objective may rise.
type Accelerated struct {
	// modulus of strong convexity of the negative entropy; 0: for each example 1/m, m the number of its
	// variables and cliques, which is safe and small; 1 often does better, without a guarantee
	Sigma float64 `yaml:"sigma" jsonschema:"minimum=0"`
	// the most marginals to ask the base model for, for each example; those without the energy are the first
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// an example is done when no marginal changes by more; 0: none does
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
}

var _ solvers.Inferrer = (*Accelerated)(nil)

// NewAccelerated returns an Accelerated with its default settings.
func NewAccelerated() *Accelerated { return &Accelerated{Sigma: 1, MaxCalls: betheCalls} }

// algorithm uses the modulus of the example's own tree unless sigma is set. A labelling has one part of each
// position and one of each pair of neighbours, so a tree of n positions has 2n − 1 in its truth.
func (s *Accelerated) algorithm(e *models.Example) (energy.Stepwise, error) {
	sigma := s.Sigma
	if sigma == 0 {
		if e.Polytope == nil || len(e.Truth) == 0 {
			return nil, errors.New("bethe-accelerated with sigma: 0 needs a chain with untied transitions, whose parts are " +
				"marginals of positions and of neighbours")
		}
		sigma = energy.TreeModulus((len(e.Truth) + 1) / 2)
	}
	return energy.Accelerated{Sigma: sigma, MaxCalls: s.MaxCalls, Tol: s.Tol}, nil
}

// Needs implements Solver: marginals.
func (*Accelerated) Needs() solvers.Needs {
	return solvers.Needs{Oracles: solvers.Exp}
}

// Check implements Checker.
func (s *Accelerated) Check(o models.Objective) error {
	return betheCheck(o.(*models.Inference), s.algorithm)
}

// Infer implements Inferrer.
func (s *Accelerated) Infer(p *models.Inference, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return runBethe(s, p, env, s.algorithm, true, 0)
}
