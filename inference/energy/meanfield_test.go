package energy_test

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// pairs is the energy of mean-field inference (Vilnis et al. 2015, equation 9), for a base model with k labels at each
// position. It adds scores of pairs of positions. The energy is minus the expected sum of these scores if the labels of
// all positions are independent,
//
//	L(μ) = −Σ_ab Σ_yz θ_ab(y, z) μ_a(y) μ_b(z).
type pairs struct {
	k     int
	terms []pair
}

// pair holds the scores θ_ab(y, z) of the label y at position a and the label z at position b. The label z varies
// fastest.
type pair struct {
	a, b   int
	scores []float64
}

// each calls f for each score θ_ab(y, z), with the indices of the two marginals μ_a(y) and μ_b(z).
func (e pairs) each(f func(score float64, at, other int)) {
	for _, p := range e.terms {
		for i, s := range p.scores {
			f(s, p.a*e.k+i/e.k, p.b*e.k+i%e.k)
		}
	}
}

// Value implements energy.Energy.
func (e pairs) Value(mu []float64) (v float64) {
	e.each(func(s float64, at, other int) { v -= s * mu[at] * mu[other] })
	return v
}

// AddGradient implements energy.Energy.
func (e pairs) AddGradient(g, mu []float64, c float64) {
	e.each(func(s float64, at, other int) {
		g[at] -= c * s * mu[other]
		g[other] -= c * s * mu[at]
	})
}

// Convex implements energy.Energy.
func (e pairs) Convex() bool { return false }

// TestMeanField checks the equations of naive mean field. If the base model has no transitions, a fixed point satisfies
//
//	μ_t(y) ∝ exp(θ_t(y) + Σ_u Σ_z θ_tu(y, z) μ_u(z))
func TestMeanField(t *testing.T) {
	const k, l = 3, 5
	rng := random(29)
	chain := chainOf(t, k, l, "tied")
	for range 5 {
		theta := make([]float64, chain.Features.Parts())
		copy(theta, examples.Normals(rng, l*k, 1))
		e := pairs{k: k}
		for a := range l {
			for b := range a {
				e.terms = append(e.terms, pair{a, b, examples.Normals(rng, k*k, 0.5)})
			}
		}
		p := &energy.Problem{Theta: theta, Oracle: chain.Exp, Energy: e}
		it := energy.Solve(p, energy.Damped{Rho: 0.5, MaxCalls: 3000, Tol: 1e-12})
		if r, _ := p.Certify(it.Mu); r > 1e-6 {
			t.Errorf("residual = %v, want at most 1e-6", r)
		}
		scores := append([]float64{}, theta[:l*k]...)
		e.each(func(s float64, at, other int) {
			scores[at] += s * it.Mu[other]
			scores[other] += s * it.Mu[at]
		})
		for pos := range l {
			sum := 0.0
			for _, s := range scores[pos*k : (pos+1)*k] {
				sum += math.Exp(s)
			}
			for y := range k {
				if d := math.Abs(math.Exp(scores[pos*k+y])/sum - it.Mu[pos*k+y]); d > 1e-6 {
					t.Errorf("position %d, label %d: error of the mean-field equation = %v, want at most 1e-6", pos, y, d)
				}
			}
		}
	}
}
