package saddle

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// egrMarginals stores the marginals of EGR's dual point α_k for each example, as algorithm 2 of Zhang, Saha and
// Vishwanathan (2011) does. It measures the rounding errors that the additive updates α_{k+1} = (1 − τ) α_k + τ α̃
// cause in a given precision. Section 6 of that paper asks about these errors. EGR itself does not need these
// marginals.
type egrMarginals struct {
	p      *models.Risk
	narrow bool // whether the marginals are stored as float32
	dualspace.Layout
	alpha []float64 // marginals of α_k, rounded to float32 if narrow
	gibbs []float64 // marginals of the last α_μ(w), the maximiser of the smoothed problem, which is the next α̃
}

func newEGRMarginals(p *models.Risk, narrow bool) *egrMarginals {
	m := &egrMarginals{p: p, narrow: narrow, Layout: dualspace.NewLayout(p)}
	m.alpha, m.gibbs = m.Zeros(), m.Zeros()
	return m
}

// keep stores the marginals of example i's α_μ(w), the maximiser of the smoothed problem (see EGR).
func (m *egrMarginals) keep(i int, mu []float64) { copy(m.Of(m.gibbs, i), mu) }

// mix replaces the stored marginals of α by the marginals of (1 − τ) α + τ α̃. Each operation has the precision in
// which the marginals are stored.
func (m *egrMarginals) mix(tau float64) {
	if m.narrow {
		t, rest := float32(tau), 1-float32(tau)
		for r, x := range m.gibbs {
			m.alpha[r] = float64(rest*float32(m.alpha[r]) + t*float32(x))
		}
		return
	}
	for r, x := range m.gibbs {
		m.alpha[r] = (1-tau)*m.alpha[r] + tau*x
	}
}

// report yields three statistics: the smallest stored marginal, the largest violation of a linear equality on marginals
// (if the equalities are known), and the dual objective at the stored marginals minus the argument dual.
func (m *egrMarginals) report(dual float64, yield func(string, float64)) {
	least, worst, known := math.Inf(1), 0.0, true
	var loss float64
	for i := range m.p.Examples {
		e, mu := &m.p.Examples[i], m.Of(m.alpha, i)
		for _, x := range mu {
			least = min(least, x)
		}
		if known = known && e.Polytope != nil; known {
			worst = max(worst, e.Polytope.Infeasibility(mu))
		}
		loss += dualspace.Dot(e.Cost, mu)
	}
	features := make([]float64, m.p.Dim) // F(α), the mean expected feature difference, which is w(α) at λ = 1
	m.Weights(features, 1, m.p, m.alpha, make([]float64, m.Largest))
	yield("marginal_least", least)
	if known {
		yield("infeasibility", worst)
	}
	yield("dual_drift", loss/float64(len(m.p.Examples))-m.p.NormSq(features)/(2*m.p.Lambda)-dual)
}
