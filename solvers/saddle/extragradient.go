package saddle

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Extragradient is dual extrapolation for max-margin structured prediction (Taskar, Lacoste-Julien and Jordan 2006,
// "Structured prediction, dual extragradient and Bregman projections"; Nesterov 2007, "Dual extrapolation and its
// applications"). Let ψ_i(y) = A_iᵀ(1_{y_i} − 1_y), let l_i be the label loss, let α_i be a distribution over the
// labellings Y_i of example i, let H be the entropy, and let "mean" be the mean over the examples. Extragradient solves
// the saddle-point problem
//
//	min_w max_α  λ/2 |w|² + ⟨l, α⟩ − w·F(α),   F(α) = mean E_α ψ_i,   ⟨l, α⟩ = mean E_α l_i.
//
// Its primal and dual objectives are P(w) and D(α) = ⟨l, α⟩ − |F(α)|²/(2λ). An iteration makes two projections, which
// minimise the sum of all previous terms. Let a_t be the step sizes, S_k = Σ_{t ≤ k} a_t, d(α) = mean [log|Y_i| −
// H(α_i)], and let g_t(w, α) = a_t (λ/2 |w|² − w·F(α_t) − ⟨l − ψw_t, α⟩) be the term of the point (w_t, α_t), where ⟨l
// − ψw, α⟩ = ⟨l, α⟩ − w·F(α). With factors ρ and σ of the prox terms, the two projections are
//
//	(w°, α°)       = argmin  Σ_{t < k} g_t + ρ/2 |w|² + σ d(α)               (current point)
//	(w_k, α_k)     = argmin  the same + g_k, with g_k computed at (w°, α°)    (prediction)
//
// Then g_k, computed at the prediction, is added to the sum. The correction step is the first line of the next
// iteration. The iterates are the means w̄ = Σ a_t w_t/S_k and ᾱ = Σ a_t α_t/S_k. Since l − ψw_t is linear in w_t, each
// α is the maximiser of a smoothed hinge. This is a Gibbs distribution α_μ(w) with the scores (l + A w)/μ, so nothing
// needs to be stored for each example:
//
//	w°  = S F(ᾱ)/(λ(c + S)),               α°  = α_{σ/S}(w̄),                      S = S_{k−1},  c = ρ/λ
//	w_k = (S F(ᾱ) + a F(α°))/(λ(c + S')),  α_k = α_{σ/S'}((S w̄ + a w°)/S'),     S' = S + a,  a = a_k.
//
// In this method, the term λ/2 |w|² belongs to the projections and not to the operator. The projections still have
// closed forms, the Lipschitz constant of λw does not limit the steps, and the curvature of the sum in w grows as λ(c +
// S). Taskar, Lacoste-Julien and Jordan bound |w| instead. No bound on |w| is needed here, because w appears in the
// bound (3) only as F(ᾱ)/λ.
//
// Steps. Let R be a bound on all |ψ_i(y)|, and KL the relative entropy. Then |F(α) − F(β)| ≤ R ‖α − β‖ and ‖α − β‖² =
// mean |α_i − β_i|₁² ≤ 2 mean KL(α_i, β_i). So if
//
//	a_k² R² ≤ σ λ (c + S_{k−1}),                                           (1)
//
// then the minimum Φ_k of Σ_{t ≤ k} g_t plus the prox terms satisfies Φ_k ≥ Φ_{k−1} + g_k(w_k, α_k). The reason is
// this: the difference of correction and prediction contains two cross terms, products of a change in w and a change in
// α. By (1), these are at most as large as the prox terms of the changes. Therefore Φ_k ≥ Σ_{t ≤ k} a_t (λ/2 |w_t|² −
// ⟨l, α_t⟩). Dividing by S = S_k gives an excessive-gap inequality,
//
//	mean λ/2 |w_t|² + mean φ_μ(A_i w̄) − μ mean log|Y_i|  ≤  ⟨l, ᾱ⟩ − |F(ᾱ)|²/(2(λ + ρ/S)),   μ = σ/S,      (2)
//
// where φ_μ ≥ φ is the hinge φ smoothed with the temperature μ. P(w̄) is at most the left side plus μ mean log|Y_i|. So
//
//	P(w̄) − D(ᾱ) ≤ c/(c + S) · |F(ᾱ)|²/(2λ) + σ/S · mean log|Y_i|,          (3)
//
// where |F(ᾱ)|²/(2λ) ≤ min(R²/(2λ), P(0) + P(w̄) − D(ᾱ)). Equality in (1) at k = 1 with a = 1 gives σλc = R². c is the
// ratio of the two prox terms. It is chosen to minimise (3) for large S: c = √(2 mean log|Y_i|) R/(λB), where B =
// min(R/λ, √(2P(0)/λ)) is a bound on |w|. Scale multiplies R.
//
//   - constant: a = 1, as in the papers. The gap is R B √(2 mean log|Y_i|)/k, to first order.
//   - growing: equality in (1), which is a_k = √(1 + S_{k−1}/c). Because of strong convexity in w, S_k ≈ k + k²/(4c),
//     and the gap is O(1/k²).
//   - adaptive: the step a grows by a quarter after each iteration. It is halved until (2) holds, or until (1) holds
//     for the R of Scale = 1.
//
// The steps growing and adaptive are our variants. The test of (2) costs nothing, because the next inference computes
// the mean of φ_μ(A_i w̄) anyway.
//
// An epoch is an iteration: 2n calls of the exp-oracle, and one AddAdjoint for each. With adaptive steps, each trial of
// a step costs the same number of calls. The set-up costs 2n calls and the bound on R². State: 7 Dim floats and the
// partial sums of a gradient. With a kernel, w and F are coefficients of kernel expansions. The run ends when the bound
// (3) is below the rounding errors.
type Extragradient struct {
	// size of the steps; constant: the published method, with a gap of O(1/k); growing: uses the strong convexity of the
	// regulariser, with a gap of O(1/k²); adaptive: longer steps, by backtracking on the inequality that certifies the gap
	Step string `yaml:"step" jsonschema:"enum=constant,enum=growing,enum=adaptive"`
	// factor of the Lipschitz constant R of the operator, which is the largest norm of a difference of features; below 1,
	// steps are longer, and only adaptive steps are certified
	Scale float64 `yaml:"scale" jsonschema:"exclusiveMinimum=0,maximum=1"`
}

var _ solvers.Trainer = (*Extragradient)(nil)

// NewExtragradient returns an Extragradient with its default settings.
func NewExtragradient() *Extragradient { return &Extragradient{Step: "constant", Scale: 1} }

// Needs implements Solver. Extragradient needs the hinge with a label loss over parts, marginals, best labellings, and
// a bound on the features.
func (*Extragradient) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Hinge, Oracles: solvers.Exp | solvers.Max, Features: solvers.Radius,
		PartLoss: true, Norm: true, Memory: solvers.Memory{Weights: 8}}
}

// Train implements Trainer.
func (e *Extragradient) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(e, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		s := newExtragradientState(e, p, env)
		for yield(s.iterate(), nil) && !s.exhausted() {
			if s.step(); env.Interrupted(yield) {
				return
			}
		}
	})
}
