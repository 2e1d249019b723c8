package solvers

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// egrMarginals keeps the marginals of α_k of each example, as algorithm 2 does, to see what the additive updates
// α_{k+1} = (1 − τ) α_k + τ α̃ do to them in fixed precision, which the paper asks (section 6). The method does without them.
type egrMarginals struct {
	p      *models.Problem
	narrow bool      // store float32
	start  []int     // offset of example i's parts; n+1 values
	alpha  []float64 // of α_k, rounded to float32 if narrow
	gibbs  []float64 // of the last α_μ(w)
}

func newEGRMarginals(p *models.Problem, narrow bool) *egrMarginals {
	m := &egrMarginals{p: p, narrow: narrow, start: make([]int, len(p.Examples)+1)}
	for i := range p.Examples {
		m.start[i+1] = m.start[i] + p.Examples[i].Features.Parts()
	}
	m.alpha, m.gibbs = make([]float64, m.start[len(p.Examples)]), make([]float64, m.start[len(p.Examples)])
	return m
}

// keep stores the marginals of α_μ(w) of example i.
func (m *egrMarginals) keep(i int, mu []float64) { copy(m.gibbs[m.start[i]:m.start[i+1]], mu) }

// mix is α ← (1 − τ) α + τ α̃, operation by operation in the precision of the store.
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

// report computes D(α_k) anew from the marginals, and how far they are from being marginals.
func (m *egrMarginals) report(dual float64, yield func(string, float64)) {
	least, worst, known := math.Inf(1), 0.0, true
	features := make([]float64, m.p.Dim)
	var loss float64
	var v []float64
	n := float64(len(m.p.Examples))
	for i := range m.p.Examples {
		e := &m.p.Examples[i]
		mu := m.alpha[m.start[i]:m.start[i+1]]
		v = models.Resize(v, len(mu))
		for r, x := range mu {
			least = min(least, x)
			v[r] = -x
		}
		if known = known && e.Polytope != nil; known {
			worst = max(worst, e.Polytope.Infeasibility(mu))
		}
		for _, r := range e.Truth {
			v[r]++
		}
		e.Features.AddAdjoint(features, 1/n, v)
		loss += dot(e.Cost, mu)
	}
	yield("marginal_least", least)
	if known {
		yield("infeasibility", worst)
	}
	yield("dual_drift", loss/n-m.p.NormSq(features)/(2*m.p.Lambda)-dual)
}
