// Package saddle solves the saddle-point form of the hinge by excessive gap reduction (EGR) and by dual extragradient
// (Extragradient). Both store expected features instead of marginals.
package saddle

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// EGR is excessive gap reduction for max-margin Markov networks with the relative entropy as prox-function (Zhang, Saha
// and Vishwanathan 2011, algorithms 1 and 2). Theorems, and equations such as (29), have the numbers of that paper. Let
// ψ_i(y) = A_iᵀ(1_{y_i} − 1_y), let l_i be the label loss, let α_i be a distribution over the labellings Y_i of example
// i (the paper divides it by n), let H be the entropy, and let "mean" be the mean over the n examples. Then
//
//	J(w) = λ/2 |w|² + mean max_y [l_i(y) − w·ψ_i(y)],     D(α) = ⟨l, α⟩ − |F(α)|²/(2λ),
//	F(α) = mean E_α ψ_i,   ⟨l, α⟩ = mean E_α l_i,   w(α) = F(α)/λ,
//
// Let d(α) = mean [log|Y_i| − H(α_i)]. The objective J smoothed by μ d(α) is, by equation (29),
//
//	J_μ(w) = λ/2 |w|² + mean [μ log Σ_y exp((l_i(y) − w·ψ_i(y))/μ) − μ log|Y_i|],   J − μ mean log|Y_i| ≤ J_μ ≤ J.
//
// The maximiser α_μ(w) of the smoothed problem is the Gibbs distribution with the scores (l + A w)/μ, where A w are the
// part scores at w. R is a bound on all |ψ_i(y)|. EGR starts at w_1 = w(α_0) for uniform α_0, μ_1 = L ≥ R²/λ and α_1 =
// α_{μ_1}(w_1). With τ = 2/(k + 3) and the paper's prox-mapping V, an iteration is
//
//	α̂       = (1 − τ) α_k + τ α_{μ_k}(w_k)
//	w_{k+1} = (1 − τ) w_k + τ w(α̂)
//	μ_{k+1} = (1 − τ) μ_k
//	α_{k+1} = (1 − τ) α_k + τ α̃,   α̃ = V(α_{μ_k}(w_k), −τ/((1 − τ) μ_k) ∇D(α̂)).
//
// Each iteration keeps the excessive-gap condition J_{μ_k}(w_k) ≤ D(α_k) (theorem 5). So J(w_k) − D(α_k) ≤ μ_k mean
// log|Y_i| = O(1/k²) (theorem 4).
//
// Two observations make an iteration cheap. First, α̃ does not need a second inference. By (40), its scores are
//
//	(l + A w_k)/μ_k + τ/((1 − τ) μ_k) (l + A w(α̂)) = [l + A((1 − τ) w_k + τ w(α̂))]/((1 − τ) μ_k)
//	                                               = (l + A w_{k+1})/μ_{k+1}.
//
// So α̃ = α_{μ_{k+1}}(w_{k+1}), which the next iteration also needs. Therefore an iteration needs one pass of the
// exp-oracle, where algorithm 2 needs two. This pass also computes J_{μ_{k+1}}(w_{k+1}). Second, the method depends on
// α only through F(α) and ⟨l, α⟩, which are linear in α. So EGR stores F(α) and ⟨l, α⟩, and no marginals.
//
// The paper uses max Σ_c |ψ_c|² for R² (line 1 of algorithm 2). This is correct only if no two cliques share a weight.
// Here R² is always a valid bound (dualspace.RadiusSq). If the examples have different numbers of labellings, log|Y| is
// the mean of log|Y_i|.
//
// Lipschitz = adaptive is our variant, which needs no constant. The proof of theorem 5 uses L in two places only:
// D(α_{k+1}) must be at least its quadratic lower bound at α̂, and (20), μ_{k+1} ≥ τ² L, must hold. So each iteration
// uses the τ that solves (1 − τ) μ_k = τ² L for an estimate L, and checks whether J_{μ_{k+1}}(w_{k+1}) ≤ D(α_{k+1}). If
// this inequality does not hold, the iteration doubles L and tries again, which costs another pass. If it holds, L
// decreases by a tenth. The bound μ_k mean log|Y_i| stays certified.
//
// With a kernel (section 4.3), w_k and F are coefficients of kernel expansions. The coefficients of w_k are 1/(λn)
// times (1_{y_i} − β_i), where β is the distribution of theorem 9.
//
// An epoch is an iteration: n calls of the exp-oracle, and one AddAdjoint for each. The set-up needs 2n calls, and for
// trees n calls of the max-oracle to compute R. State: 5 Dim floats and the partial sums of a gradient.
type EGR struct {
	// theory: L = l_scale R²/λ, with the steps of Zhang, Saha and Vishwanathan (2011); adaptive: L is found by
	// backtracking on the excessive-gap condition, which is our variant
	Lipschitz string `yaml:"lipschitz" jsonschema:"enum=theory,enum=adaptive"`
	// factor of L with lipschitz: theory; below 1, the steps are longer than the theorem allows, and if the excessive-gap
	// condition then fails, the run starts again with twice the L
	Scale float64 `yaml:"l_scale" jsonschema:"exclusiveMinimum=0,maximum=1"`
	// precision in which the marginals of the dual point of every example are stored, as in algorithm 2 of Zhang, Saha and
	// Vishwanathan (2011), to report their rounding errors (columns marginal_least, infeasibility, dual_drift); none:
	// marginals are not stored
	Marginals string `yaml:"marginals" jsonschema:"enum=none,enum=float64,enum=float32"`
}

var _ solvers.Trainer = (*EGR)(nil)

// NewEGR returns an EGR with its default settings.
func NewEGR() *EGR { return &EGR{Lipschitz: "theory", Scale: 1, Marginals: "none"} }

// Needs implements solvers.Solver. EGR needs the hinge with a label loss over parts, marginals, and with lipschitz:
// theory a bound on the features.
func (e *EGR) Needs() solvers.Needs {
	n := solvers.Needs{Losses: solvers.Hinge, Oracles: solvers.Exp, PartLoss: true, Norm: true,
		Memory: solvers.Memory{Weights: 7}}
	if e.Lipschitz == "theory" {
		n.Features = solvers.Radius
	}
	return n
}

// Train implements Trainer.
func (e *EGR) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(e, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		s := newEGRState(e, p, env)
		if _, err := env.Resumed(s.carry); err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		for yield(s.iterate(), nil) {
			if s.exhausted() {
				return
			}
			if s.step(); env.Interrupted(yield) {
				return
			}
		}
	})
}
