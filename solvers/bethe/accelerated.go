package bethe

import (
	"errors"
	"iter"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Accelerated runs accelerated dual averaging for each example (see energy.Accelerated). It supports energies L with a
// Lipschitz continuous gradient. Let ℓ be the Lipschitz constant, and let the negative entropy −H be σ-strongly convex.
// θ are the scores without the energy, and MARG(θ) are the base model's marginals at these scores. Accelerated starts
// at w_0 = v_0 = MARG(θ) and ḡ_0 = 0, and iterates
//
//	ρ = 2/(t + 1),   κ = 4ℓ/(σ t (t + 1)),   u = (1 − ρ) w_{t−1} + ρ v_{t−1}
//	ḡ_t = (1 − ρ) ḡ_{t−1} + ρ ∇L(u),   v_t = MARG(θ − ḡ_t/(1 + κ)),   w_t = (1 − ρ) w_{t−1} + ρ v_t.
//
// For convex L, the suboptimality of w_t is O(1/t²). The column average_primal is the objective of w_t, for chains with
// untied transitions. The other columns are values at v_t. The objective of v_t may increase.
type Accelerated struct {
	// σ, the modulus of strong convexity of the negative entropy; 0: 1/m for each example, where m is the number of its
	// variables and cliques, which is a safe but small value; 1 often converges faster, without a guarantee
	Sigma float64 `yaml:"sigma" jsonschema:"minimum=0"`
	// largest number of calls of the base model's exp-oracle for each example, including the first call without the energy
	MaxCalls int `yaml:"max_calls" jsonschema:"minimum=1"`
	// the iterations for an example end when no marginal changes by more than this; 0: this rule is off
	Tol float64 `yaml:"tol" jsonschema:"minimum=0"`
}

var _ solvers.Inferrer = (*Accelerated)(nil)

// NewAccelerated returns an Accelerated with its default settings.
func NewAccelerated() *Accelerated { return &Accelerated{Sigma: 1, MaxCalls: betheCalls} }

// algorithm returns the algorithm for an example. If Sigma is 0, it computes the modulus from the size of the example's
// tree. A labelling has one part for each position and one for each pair of neighbours, so the true labelling of a tree
// with n positions has 2n − 1 parts.
func (s *Accelerated) algorithm(e *models.Example) (energy.Stepwise, error) {
	sigma := s.Sigma
	if sigma == 0 {
		if e.Polytope == nil || len(e.Truth) == 0 {
			return nil, errors.New("bethe-accelerated with sigma: 0 needs a chain with untied transitions, so that its parts " +
				"are positions and pairs of neighbours")
		}
		sigma = energy.TreeModulus((len(e.Truth) + 1) / 2)
	}
	return energy.Accelerated{Sigma: sigma, MaxCalls: s.MaxCalls, Tol: s.Tol}, nil
}

// Needs implements Solver. Accelerated needs marginals.
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
