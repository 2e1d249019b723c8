package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// dcdPairs is the dual point of DCD for two classes, where it has one variable an example, the mass a_i of the wrong
// class. With z_i = A_iᵀ(1_truth − 1_other), and κ_i the label loss of the wrong class less that of the true one,
//
//	D(a) = 1/n Σ_i κ_i a_i − λ/2 |w|² + const,   w = 1/(λn) Σ_i a_i z_i,   n ∂D/∂a_i = g_i = κ_i − w·z_i,
//
// and the best a_i is a_i + λn g_i/|z_i|² or the nearer end of 0 ≤ a_i ≤ 1. g_i is the score of the wrong class less
// that of the true one.
type dcdPairs struct {
	p      *models.Risk
	lambda float64
	differences
	pairs []dcdPair
	w     []float64 // w(a) at lambda
	cost  float64   // Σ_i κ_i a_i
	base  float64   // Σ_i of the label losses of the true classes

	theta []float64 // scratch for the max-oracle
	y     models.Vertex
}

// dcdPair is all of an example but its row, in one place.
type dcdPair struct {
	a, cost, norm float64 // a_i, κ_i, |z_i|²
	max           models.MaxOracle
}

// newDCDPairs starts from the true labellings: no oracle call.
func newDCDPairs(p *models.Risk) *dcdPairs {
	st := &dcdPairs{p: p, lambda: p.Lambda, differences: newDifferences(p), pairs: make([]dcdPair, len(p.Examples)),
		w: make([]float64, p.Dim), theta: make([]float64, 2)}
	for i := range st.pairs {
		e := &p.Examples[i]
		truth, other := binaryCosts(e)
		st.base += p.Loss.Margin * truth
		st.pairs[i] = dcdPair{cost: p.Loss.Margin * (other - truth), max: e.Max,
			norm: 2 * e.Features.(models.Isotropic).ScaleSq()}
	}
	return st
}

func (st *dcdPairs) visit(i int) (violation, lead float64) {
	e := &st.pairs[i]
	score := st.dot(i, st.w)
	g := e.cost - score
	st.theta[1] = g
	st.y, _ = e.max.Max(st.y, st.theta) // g > 0 says the same, but a visit is a call of the oracle
	if !(math.Abs(g) > dcdTol*max(math.Abs(e.cost), math.Abs(score))) {
		if e.a == 0 || e.a == 1 {
			return 0, math.Abs(g)
		}
		return 0, math.Inf(-1)
	}
	if e.a == 0 && g < 0 || e.a == 1 && g > 0 {
		return 0, math.Abs(g)
	}
	lambdaN := st.lambda * float64(len(st.pairs))
	next := min(1, max(0, e.a+lambdaN*g/e.norm))
	change := next - e.a
	e.a = next
	st.cost += e.cost * change
	st.addTo(st.w, i, change/lambdaN)
	return math.Abs(g), 0
}

func (st *dcdPairs) weights() []float64 { return st.w }

func (st *dcdPairs) refresh() {
	clear(st.w)
	st.cost = 0
	c := 1 / (st.lambda * float64(len(st.pairs)))
	for i, e := range st.pairs {
		if e.a > 0 {
			st.cost += e.cost * e.a
			st.addTo(st.w, i, c*e.a)
		}
	}
}

func (st *dcdPairs) scale(lambda float64) {
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
}

func (st *dcdPairs) dual() float64 {
	return (st.base+st.cost)/float64(len(st.pairs)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}
