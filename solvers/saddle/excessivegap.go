package saddle

import "iter"

// Saddle is a problem for ExcessiveGap,
//
//	min_w J(w) = f(w) + max_{α ∈ Q} [⟨A w, α⟩ − g(α)],   max_{α ∈ Q} D(α) = −g(α) + min_w [⟨A w, α⟩ + f(w)],
//
// by what the method asks of f, g, A and a prox-function d of Q, of which its rate depends on the choice. f is
// ρ-strongly convex; g is convex and has a gradient with Lipschitz constant L_g; d is σ-strongly convex on the
// compact convex Q, and 0 at its minimum. Vectors are overwritten, and have the lengths that Size returns.
type Saddle interface {
	// Size returns the lengths of w and of α.
	Size() (w, alpha int)
	// Centre stores α_0 = argmin d.
	Centre(alpha []float64)
	// Lipschitz is L/σ, L = |A|²/ρ + L_g, |A| being the largest ⟨A w, α⟩ at norms of 1, or an upper bound of it: (16).
	Lipschitz() float64
	// Dual stores w(α) = argmin_w [⟨A w, α⟩ + f(w)], (14a), and ∇D(α) = A w(α) − ∇g(α), (15), and returns D(α).
	Dual(w, gradient, alpha []float64) float64
	// Smoothed stores α_μ(w) = argmax_{α ∈ Q} [⟨A w, α⟩ − g(α) − μ d(α)], (14b), and returns f(w) plus that maximum,
	// J_μ(w).
	Smoothed(alpha, w []float64, mu float64) float64
	// Project stores V(α, v) = argmin_{β ∈ Q} [d(β) − ⟨∇d(α) − v, β⟩], the Bregman projection.
	Project(to, alpha, v []float64)
}

// GapIterate is an iterate of ExcessiveGap. The next one overwrites W and Alpha.
type GapIterate struct {
	K        int       // from 1
	W, Alpha []float64 // w_k and α_k
	Mu       float64   // μ_k
	Smoothed float64   // J_{μ_k}(w_k), which is at most Dual
	Dual     float64   // D(α_k)
}

// ExcessiveGap is excessive gap minimisation with Bregman projections for any f, g, d and A (Zhang, Saha and
// Vishwanathan 2011, algorithm 1). From w_1 = w(α_0), μ_1 = L/σ and α_1 = V(α_0, −∇D(α_0)/μ_1), with τ = 2/(k + 3),
//
//	α̂       = (1 − τ) α_k + τ α_{μ_k}(w_k)
//	w_{k+1} = (1 − τ) w_k + τ w(α̂)
//	α̃       = V(α_{μ_k}(w_k), −τ/((1 − τ) μ_k) ∇D(α̂))
//	α_{k+1} = (1 − τ) α_k + τ α̃
//	μ_{k+1} = (1 − τ) μ_k
//
// It keeps J_{μ_k}(w_k) ≤ D(α_k) (theorem 5), and so J(w_k) − D(α_k) ≤ μ_k max d, μ_k = 6 (L/σ)/((k + 1)(k + 2))
// (theorem 4). It goes on until the caller stops.
//
// An iteration calls Smoothed and Project once and Dual twice, once for the iterate's D. State: 3 vectors as w and 6 as
// α. EGR is this method for max-margin Markov networks with the relative entropy, where α has a component for each
// labelling: it keeps expectations in place of α.
func ExcessiveGap(s Saddle) iter.Seq[GapIterate] {
	return func(yield func(GapIterate) bool) {
		dim, dual := s.Size()
		w, towards, unused := make([]float64, dim), make([]float64, dim), make([]float64, dim)
		alpha, hat, smooth := make([]float64, dual), make([]float64, dual), make([]float64, dual)
		gradient, next, ignored := make([]float64, dual), make([]float64, dual), make([]float64, dual)
		step := func(c float64) { // gradient ← −c ∇D
			for j, v := range gradient {
				gradient[j] = -c * v
			}
		}
		mu := s.Lipschitz()
		s.Centre(hat)
		s.Dual(w, gradient, hat)
		step(1 / mu)
		s.Project(alpha, hat, gradient)
		for k := 1; ; k++ {
			at := GapIterate{K: k, W: w, Alpha: alpha, Mu: mu}
			at.Smoothed = s.Smoothed(smooth, w, mu)
			at.Dual = s.Dual(unused, ignored, alpha)
			if !yield(at) {
				return
			}
			tau := 2 / float64(k+3)
			for j, a := range alpha {
				hat[j] = (1-tau)*a + tau*smooth[j]
			}
			s.Dual(towards, gradient, hat)
			step(tau / ((1 - tau) * mu))
			s.Project(next, smooth, gradient)
			for j, x := range towards {
				w[j] = (1-tau)*w[j] + tau*x
			}
			for j, x := range next {
				alpha[j] = (1-tau)*alpha[j] + tau*x
			}
			mu *= 1 - tau
		}
	}
}
