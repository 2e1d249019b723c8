package interior

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// bound returns a lower bound on the optimum P* of the objective. Each plane ξ_b ≥ g·θ + o has a slack s and the
// multiplier β = 1/(τ s), where τ is the factor in F_τ (see Barrier). If the multipliers are scaled so that their sum
// is at most 1 in each block, then with sums over all planes
//
//	P* ≥ Σ β o + Σ_i min {f_i(θ_i) + z_i·θ_i: Σ_j exp(θ_ij) ≤ 1},   z = Σ β g.
//
// For any convex f_i, an expansion at the centre θ̂ gives a lower bound on the minimum over θ_i. Let L(θ) = log Σ_j
// exp(θ_ij). At the centre, r = ∇f_i + z_i is about −λ π, where π = exp(θ̂_i − L). Let λ be the largest number such
// that e = r + λ π ≤ 0. L is convex, and every feasible θ has L(θ) ≤ 0 and θ ≤ 0. So
//
//	f_i(θ) + z·θ ≥ f_i(θ̂) + z·θ̂ + (e − λ π)·(θ − θ̂) ≥ f_i(θ̂) + z·θ̂ + λ L(θ̂) − Σ_j |e_j| |θ̂_j|.
//
// The bound is −∞ if some λ is negative, which happens far from a centre.
func (m *master) bound() float64 {
	m.slacks()
	value, z := 0.0, m.step
	clear(z)
	total := make([]float64, len(m.xi))
	for i := range m.planes {
		total[m.planes[i].b] += 1 / (m.tau * m.planes[i].slack)
	}
	for i := range m.planes {
		p := &m.planes[i]
		beta := 1 / (m.tau * p.slack * max(1, total[p.b]))
		value += beta * p.at0
		floats.AddScaled(z, beta, p.slope)
	}
	value += m.g.Term(m.theta) + dualspace.Dot(z, m.theta)
	for i := range m.g.Vectors() {
		lo, hi := m.g.First[i], m.g.First[i+1]
		l, lambda := logMass(m.theta[lo:hi]), math.Inf(1)
		for j := lo; j < hi; j++ {
			slope, _ := slopeOf(m.g, j, m.theta[j])
			lambda = min(lambda, -(slope+z[j])*math.Exp(l-m.theta[j]))
		}
		if !(lambda >= 0) {
			return math.Inf(-1)
		}
		value += lambda * l
		for j := lo; j < hi; j++ {
			slope, _ := slopeOf(m.g, j, m.theta[j])
			e := slope + z[j] + lambda*math.Exp(m.theta[j]-l)
			value -= math.Abs(e) * math.Abs(m.theta[j])
		}
	}
	return value
}
