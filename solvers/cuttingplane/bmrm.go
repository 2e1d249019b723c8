package cuttingplane

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// BMRM is the bundle method for regularised risk minimisation (Teo, Vishwanathan, Smola and Le 2010, algorithm 1,
// with its dual QP), on
//
//	P(w) = λ/2 |w|² + R(w),   R(w) = 1/n Σ φ_i(A_i w).
//
// Iteration k finds the plane that touches R at w_k, and w_{k+1} minimises λ/2 |w|² plus the largest of all planes so
// far:
//
//	R(w) ≥ a_k·w + b_k,   a_k = ∇R(w_k) = −1/n Σ A_iᵀ(1_{y_i} − μ_i),   b_k = 1/n Σ τ H(α_i) + κ cost_i·μ_i,
//	D_k = min_w λ/2 |w|² + max(0, a_j·w + b_j, j < k),   w_1 = 0, D_1 = 0.
//
// α_i is the distribution that the loss induces at w_k, μ_i its marginals and H its entropy: φ_i(θ) = τ H(α_i) + (θ +
// κ cost_i)·μ_i − θ·1_{y_i}, so that b_k is R(w_k) − a_k·w_k. For the hinge α_i is one labelling, and the planes are
// the constraints d − w·g of the 1-slack method, with g = −a and d = b: with exact QPs, and no two labellings that
// tie, the iterates are those of OneSlack without its cache. A smooth loss has no most violated labelling, but planes
// all the same.
//
// The plane 0 is there from the start, since R ≥ 0: the truth alone makes φ_i ≥ κ cost_i·1_{y_i}, for every τ and κ,
// and its label loss is 0.
//
// The run ends when the gap that the method watches, min_{j ≤ k} P(w_j) − D_k, is at most Epsilon; it bounds how far
// the best iterate is above the optimum. The QP is solved in its dual, to a quarter of that gap, and Dual is the value
// at its dual point: a little below the minimum of the planes, but as good a bound. W is w_k, not the best so far. It
// is yielded after the pass that finds P(w_k) and the next plane, which the next iteration uses; so w = 0 comes twice,
// before and after the first pass.
//
// An epoch is an iteration: n oracle calls (of Max for the hinge, of Exp for a smooth loss) and a QP. State: for each
// plane Dim floats, or 1½ for each that is not 0 where that is less; up to 4 floats for each pair of planes; and in a
// pass 2 to 8 times Dim.
type BMRM struct {
	// gap between the best primal value and the minimum of the planes at which it ends, in units of P; 0: until a stop
	// rule or rounding ends the run
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// a plane is dropped after this many consecutive QPs without a multiplier; 0: never, as in the paper
	Drop int `yaml:"drop" jsonschema:"minimum=0"`
}

var _ solvers.Warm = (*BMRM)(nil)

// NewBMRM returns a BMRM with its default settings.
func NewBMRM() *BMRM { return &BMRM{} }

// Needs implements Solver: a loss whose gradient one oracle gives.
func (*BMRM) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth | solvers.Hinge | solvers.Perceptron, Oracles: solvers.Marginals,
		Norm: true, Memory: solvers.Memory{Weights: 4}}
}

// Check implements Checker.
func (b *BMRM) Check(_ models.Objective) error {
	if b.Drop == 1 {
		return errDropOne
	}
	return nil
}

// Train implements Trainer.
func (b *BMRM) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(b, p, env)
}

// Start implements Warm. Planes bound R alone, and so stay when λ changes.
func (b *BMRM) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(b, p); err != nil {
		return nil, err
	}
	return newBMRMState(b, p.Parallel(env.Workers), env), nil
}
