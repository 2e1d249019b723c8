package simplicial

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// rsdInside is a factor that keeps dual points inside the domain of the dual of (P) (see rsdBound). On the boundary of
// the domain, no θ_ij attains the minimum in q_i.
const rsdInside = 1 - 1e-9

// conjugate returns max_{λ ≥ 0} q_i(μ_i, λ) − λ for vector θ_i, whose terms may be any convex functions (see rsdBound).
// q_i is concave in λ. Its derivative Σ_j exp(θ_ij) decreases, and is 1 at the best λ. Any other λ gives a lower bound
// on (P) too, so the search need not be exact.
func (b *rsdBound) conjugate(i int, z []float64) float64 {
	value, mass := b.conjugates(i, z, b.lambda[i])
	lo, hi := 0.0, math.Inf(1)
	for range 2 * rsdBisections {
		if math.Abs(mass-1) <= 1e-14 {
			break
		}
		if mass > 1 {
			lo = b.lambda[i]
		} else {
			hi = b.lambda[i]
		}
		next := lo + (hi-lo)/2
		if math.IsInf(hi, 1) {
			next = 2*lo + 1
		}
		if next == b.lambda[i] || hi < 1e-12 {
			break
		}
		b.lambda[i] = next
		value, mass = b.conjugates(i, z, next)
	}
	return value - b.lambda[i]
}

// conjugates returns q_i(μ_i, λ) (see rsdBound) and Σ_j exp(θ_ij). It writes the minimisers θ_ij into theta.
func (b *rsdBound) conjugates(i int, z []float64, lambda float64) (value, mass float64) {
	for j := b.g.First[i]; j < b.g.First[i+1]; j++ {
		v, x, exp := rsdConjugate(b.g.Terms, j, z[j], lambda, b.theta[j])
		b.theta[j] = x
		value += v
		mass += exp
	}
	return value, mass
}

// rsdConjugate returns min_{x ≤ 0} f(x) + μ x + λ eˣ for the term f of component j, the minimiser x, and eˣ. The search
// for x begins at start.
func rsdConjugate(t models.Convex, j int, mu, lambda, start float64) (value, x, exp float64) {
	_, slope, _ := t.At(j, 0)
	x, exp = 0, 1
	if slope+mu+lambda > 0 {
		x, exp, _ = rsdRootOf(t, j, mu, lambda, 0, 0, min(start, -1e-3))
	}
	v, _, _ := t.At(j, x)
	return v + mu*x + lambda*exp, x, exp
}
