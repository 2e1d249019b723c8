package saddle

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Extragradient is dual extrapolation for max-margin structured prediction (Taskar, Lacoste-Julien and Jordan 2006,
// "Structured prediction, dual extragradient and Bregman projections"; Nesterov 2007, "Dual extrapolation and its
// applications"). With ψ_i(y) = A_iᵀ(1_{y_i} − 1_y), l_i the label loss and α_i a distribution over the labellings of
// example i, it solves the saddle point
//
//	min_w max_α  λ/2 |w|² + ⟨l, α⟩ − w·F(α),   F(α) = mean E_α ψ_i,   ⟨l, α⟩ = mean E_α l_i,
//
// whose two sides are P(w) and D(α) = ⟨l, α⟩ − |F(α)|²/(2λ). The two projections of an iteration are on the sum of
// what has been seen: with steps a_t, S_k = Σ_{t ≤ k} a_t, d(α) = mean [log|Y_i| − H(α_i)], and g_t(w, α) = a_t (λ/2
// |w|² − w·F(α_t) − ⟨l − ψw_t, α⟩) at the point (w_t, α_t),
//
//	(w°, α°)       = argmin  Σ_{t < k} g_t + ρ/2 |w|² + σ d(α)             (where it stands)
//	(w_k, α_k)     = argmin  the same + g_k, but taken at (w°, α°)          (prediction)
//
// and g_k, taken at the prediction, joins the sum: the correction is the first line of the next iteration. The iterates
// are the means w̄ = Σ a_t w_t/S_k and ᾱ = Σ a_t α_t/S_k. As l − ψw_t is linear in w_t, each α is the maximiser of a
// smoothed hinge, a Gibbs distribution α_μ(w) with the scores (l + A w)/μ, and nothing is kept per example:
//
//	w°  = S F(ᾱ)/(λ(c + S)),               α°  = α_{σ/S}(w̄),                      S = S_{k−1},  c = ρ/λ
//	w_k = (S F(ᾱ) + a F(α°))/(λ(c + S')),  α_k = α_{σ/S'}((S w̄ + a w°)/S'),     S' = S + a,  a = a_k.
//
// λ/2 |w|² belongs to the projections rather than to the operator. They stay closed forms, no Lipschitz constant of
// the term λw shortens the steps, and the curvature of the sum in w grows: it is λ(c + S). In the paper |w| is
// bounded instead. Here no ball is needed: w enters the bound at F(ᾱ)/λ only.
//
// Steps. |F(α) − F(β)| ≤ R ‖α − β‖ and ‖α − β‖² = mean |α_i − β_i|₁² ≤ 2 mean KL(α_i, β_i). So if
//
//	a_k² R² ≤ σ λ (c + S_{k−1}),                                           (1)
//
// the minimum Φ_k of the sum and the proxes has Φ_k ≥ Φ_{k−1} + g_k(w_k, α_k) (both cross terms of correction minus
// prediction are below the divergences), and therefore Φ_k ≥ Σ_{t ≤ k} a_t (λ/2 |w_t|² − ⟨l, α_t⟩). Divided by S =
// S_k that is an excessive gap,
//
//	mean λ/2 |w_t|² + mean φ_μ(A_i w̄) − μ mean log|Y_i|  ≤  ⟨l, ᾱ⟩ − |F(ᾱ)|²/(2(λ + ρ/S)),   μ = σ/S,      (2)
//
// φ_μ being the hinge smoothed with the temperature μ, which is at least the hinge. As P(w̄) is at most the left side
// plus μ mean log|Y_i|,
//
//	P(w̄) − D(ᾱ) ≤ c/(c + S) · |F(ᾱ)|²/(2λ) + σ/S · mean log|Y_i|,          (3)
//
// with |F(ᾱ)|²/(2λ) ≤ min(R²/(2λ), P(0) + P(w̄) − D(ᾱ)). At k = 1 equality in (1) with a = 1 is σλc = R², and c
// balances the proxes: it minimises (3) for large S, c = √(2 mean log|Y_i|) R/(λB), B = min(R/λ, √(2P(0)/λ)) being a
// bound of |w|. Scale multiplies R.
//
//   - Step = constant, a = 1, are the papers' steps: a gap of R B √(2 mean log|Y_i|)/k, to first order.
//   - growing is equality in (1), a_k = √(1 + S_{k−1}/c). Strong convexity in w makes S_k ≈ k + k²/(4c), a gap of
//     O(1/k²).
//   - adaptive lengthens the step by a quarter after each iteration, and halves it until (2) holds, or (1) for the R
//     of Scale = 1.
//
// The last two are ours. (2) is tested at no cost, the mean φ_μ(A_i w̄) being the value of the next inference.
//
// An epoch is an iteration: 2n calls of the exp-oracle and an AddAdjoint each; where steps are adaptive, as many per
// trial. Set-up costs 2n calls and a bound of R². State: 7 Dim floats and the partial sums of a gradient. With a
// kernel, w and F are coefficients. The run ends where (3) is below rounding.
type Extragradient struct {
	// constant: the published method, O(1/k); growing: uses the strong convexity of the regulariser, O(1/k²);
	// adaptive: longer steps by backtracking on the inequality that certifies the gap
	Step string `yaml:"step" jsonschema:"enum=constant,enum=growing,enum=adaptive"`
	// multiplies the Lipschitz constant R of the operator, the largest norm of a difference of features; below 1
	// steps are longer, and only adaptive ones certified
	Scale float64 `yaml:"scale" jsonschema:"exclusiveMinimum=0,maximum=1"`
}

var _ solvers.Trainer = (*Extragradient)(nil)

// NewExtragradient returns an Extragradient with its default settings.
func NewExtragradient() *Extragradient { return &Extragradient{Step: "constant", Scale: 1} }

// Needs implements Solver: the hinge, whose label loss is over parts, marginals, best labellings and a bound of the
// features.
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
