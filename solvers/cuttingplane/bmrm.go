package cuttingplane

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// BMRM is the bundle method for regularised risk minimisation (Teo, Vishwanathan, Smola and Le 2010, algorithm 1, with
// its dual QP). It minimises
//
//	P(w) = λ/2 |w|² + R(w),   R(w) = 1/n Σ φ_i(A_i w).
//
// Iteration k computes the plane that touches R at w_k. Then w_{k+1} minimises λ/2 |w|² plus the maximum of all planes
// so far:
//
//	R(w) ≥ a_k·w + b_k,   a_k = ∇R(w_k) = −1/n Σ A_iᵀ(1_{y_i} − μ_i),   b_k = 1/n Σ τ H(α_i) + κ cost_i·μ_i,
//	D_k = min_w λ/2 |w|² + max(0, a_j·w + b_j, j < k),   w_1 = 0, D_1 = 0.
//
// τ and κ are Temp and Margin of models.Loss, and cost_i are the label losses of the parts. α_i is the distribution
// that the loss defines at w_k, μ_i are its marginals and H is its entropy. φ_i(θ) = τ H(α_i) + (θ + κ cost_i)·μ_i −
// θ·1_{y_i}, so b_k = R(w_k) − a_k·w_k. For the hinge, α_i has all mass on one labelling. Then the planes are the
// bounds d − w·g from the constraints of the 1-slack method, with g = −a and d = b. If the QPs are exact and there are
// no ties between labellings, BMRM has the same iterates as OneSlack without its cache. A smooth loss has no most
// violated labelling, but it has planes too.
//
// The plane 0 (with a = 0 and b = 0) is always one of the planes, since R ≥ 0: for every τ and κ, φ_i ≥ κ
// cost_i·1_{y_i}, and the label loss of the true labelling is 0.
//
// The run ends when the gap min_{j ≤ k} P(w_j) − D_k is at most Epsilon. This gap bounds the suboptimality of the best
// iterate. BMRM solves the dual of the QP, with an error of at most a quarter of the gap. Dual is the value at the
// approximate solution of the QP's dual. It is slightly below D_k, so it is also a lower bound on P. W is w_k, which
// may not be the best iterate so far. w_k is yielded after the pass that computes P(w_k) and the next plane. So w = 0
// is yielded twice, before and after the first pass.
//
// An epoch is an iteration: n oracle calls (of Max for the hinge, of Exp for a smooth loss) and a QP. State: for each
// plane, Dim floats, or 1½ floats for each non-zero entry of its slope, whichever is less; up to 4 floats for each pair
// of planes; and during a pass, 2 Dim to 8 Dim floats.
type BMRM struct {
	// the run ends when the gap is at most this: the least primal value so far minus the lower bound by the planes; 0: the
	// run continues until a stop rule or rounding errors end it
	Epsilon float64 `yaml:"eps" jsonschema:"minimum=0"`
	// a plane is removed after this number of consecutive QPs in which its multiplier is 0; 0: planes are never removed,
	// as in Teo, Vishwanathan, Smola and Le (2010)
	Drop int `yaml:"drop" jsonschema:"minimum=0"`
}

var _ solvers.Warm = (*BMRM)(nil)

// NewBMRM returns a BMRM with its default settings.
func NewBMRM() *BMRM { return &BMRM{} }

// Needs implements Solver. BMRM needs the oracle that gives the gradient of the loss.
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

// Start implements Warm. The planes are bounds on R only, so they stay valid when λ changes.
func (b *BMRM) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(b, p); err != nil {
		return nil, err
	}
	return newBMRMState(b, p.Parallel(env.Workers), env), nil
}
