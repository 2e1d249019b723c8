// Package saddle solves the saddle-point form of the hinge by excessive gap reduction and by dual extragradient. Both
// keep expected features in place of marginals.
package saddle

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// EGR is excessive gap reduction for max-margin Markov networks with the relative entropy as prox-function (Zhang,
// Saha and Vishwanathan 2011, algorithms 1 and 2). With ψ_i(y) = A_iᵀ(1_{y_i} − 1_y), α_i a distribution over the
// labellings of example i (the paper's is divided by n), and means over the n examples,
//
//	J(w) = λ/2 |w|² + mean max_y [l_i(y) − w·ψ_i(y)],     D(α) = ⟨l, α⟩ − |F(α)|²/(2λ),
//	F(α) = mean E_α ψ_i,   ⟨l, α⟩ = mean E_α l_i,   w(α) = F(α)/λ,
//
// and J smoothed by μ d(α), d(α) = mean [log|Y_i| − H(α_i)], is (29)
//
//	J_μ(w) = λ/2 |w|² + mean [μ log Σ_y exp((l_i(y) − w·ψ_i(y))/μ) − μ log|Y_i|],   J − μ mean log|Y_i| ≤ J_μ ≤ J.
//
// Its maximiser α_μ(w) is the Gibbs distribution with the scores (l + A w)/μ. From w_1 = w(α_0), α_0 uniform, μ_1 = L
// ≥ R²/λ and α_1 = α_{μ_1}(w_1), an iteration is, with τ = 2/(k + 3),
//
//	α̂       = (1 − τ) α_k + τ α_{μ_k}(w_k)
//	w_{k+1} = (1 − τ) w_k + τ w(α̂)
//	μ_{k+1} = (1 − τ) μ_k
//	α_{k+1} = (1 − τ) α_k + τ α̃,   α̃ = V(α_{μ_k}(w_k), −τ/((1 − τ) μ_k) ∇D(α̂)).
//
// It keeps the excessive gap J_{μ_k}(w_k) ≤ D(α_k) (theorem 5), and so J(w_k) − D(α_k) ≤ μ_k mean log|Y_i| = O(1/k²)
// (theorem 4).
//
// Two remarks make it cheap. First, α̃ is not a second inference: by (40) its scores are
//
//	(l + A w_k)/μ_k + τ/((1 − τ) μ_k) (l + A w(α̂)) = [l + A((1 − τ) w_k + τ w(α̂))]/((1 − τ) μ_k)
//	                                               = (l + A w_{k+1})/μ_{k+1},
//
// so that α̃ = α_{μ_{k+1}}(w_{k+1}), which the next iteration begins with: one exp-oracle pass per iteration, where
// algorithm 2 has two, and the value of that pass is J_{μ_{k+1}}(w_{k+1}). Second, α enters through F(α) and ⟨l, α⟩
// alone, which are linear in α: these are the state, and no marginal is stored.
//
// Where the paper writes max Σ_c |ψ_c|² for R² (line 1 of algorithm 2), that is right only if no two cliques share a
// weight; here R² is a valid bound (dualspace.RadiusSq). With varying numbers of labellings, log|Y| is the mean of
// log|Y_i|.
//
// Lipschitz = adaptive is ours: no constant is needed. The proof of theorem 5 uses L only for D(α_{k+1}) to stay above
// its quadratic lower bound at α̂, and (20), μ_{k+1} ≥ τ² L. So each iteration takes the τ that solves (1 − τ) μ_k = τ²
// L for an estimate L, checks whether J_{μ_{k+1}}(w_{k+1}) ≤ D(α_{k+1}), and if not, doubles L and tries again, at the
// price of a pass; after a success L falls by a tenth. The bound μ_k mean log|Y_i| stays certified.
//
// With a kernel (section 4.3) w_k and F hold coefficients: those of w_k are 1/(λn) times (1_{y_i} − β_i), β the
// distribution of theorem 9.
//
// An epoch is an iteration: n calls of the exp-oracle and one AddAdjoint each. The start takes 2n as set-up, and for
// trees n calls of the max-oracle for R. State: 5 Dim floats and the partial sums of a gradient.
type EGR struct {
	// theory: L = l_scale R²/λ and the paper's steps; adaptive: L found by backtracking on the excessive-gap
	// condition, which is ours
	Lipschitz string `yaml:"lipschitz" jsonschema:"enum=theory,enum=adaptive"`
	// of theory: below 1 the steps are longer than the theorem allows; where the excessive-gap condition then
	// fails, the run starts again with twice the L
	Scale float64 `yaml:"l_scale" jsonschema:"exclusiveMinimum=0,maximum=1"`
	// keep the marginals of alpha_k of every example besides their expectations, in this precision, and report their drift
	// (columns marginal_least, infeasibility, dual_drift): the state of the paper's algorithm 2
	Marginals string `yaml:"marginals" jsonschema:"enum=none,enum=float64,enum=float32"`
}

var _ solvers.Trainer = (*EGR)(nil)

// NewEGR returns an EGR with its default settings.
func NewEGR() *EGR { return &EGR{Lipschitz: "theory", Scale: 1, Marginals: "none"} }

// Needs implements solvers.Solver: the hinge, whose label loss is over parts, marginals, and for its theory a bound
// of the features.
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
