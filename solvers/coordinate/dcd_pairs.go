package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// dcdPairs is the dual point of DCD for two classes. It has one variable for each example: the mass a_i that the
// distribution of example i has on the wrong class. Let z_i = A_iᵀ(1_truth − 1_other), which is the row x_i of features
// or −x_i, and let κ_i be the label loss of the wrong class minus the label loss of the true class. Then
//
//	D(a) = 1/n Σ_i κ_i a_i − λ/2 |w|² + const,   w = 1/(λn) Σ_i a_i z_i,   n ∂D/∂a_i = g_i = κ_i − w·z_i,
//
// The best new value of a_i is a_i + λn g_i/|z_i|², clipped to [0, 1]. g_i is the score of the wrong class plus its
// label loss, minus the same sum for the true class. So the sign of g_i shows which class the max-oracle returns.
type dcdPairs struct {
	lambda float64
	step   float64 // 1/(λn): if a_i increases by δ, w changes by δ·step·z_i
	pairs  []dcdPair
	w      []float64 // the weights w(a) for λ = lambda
	base   float64   // sum over i of the label losses of the true classes
}

// dcdPair contains all data of an example that a visit reads, in one place in memory.
type dcdPair struct {
	x          models.Row
	sign       float64 // 1 or −1: the feature difference z_i is sign times the row x_i
	a          float64 // a_i, the mass of the wrong class
	cost, rate float64 // difference κ_i of the label losses; step size λn/|z_i|²
}

// newDCDPairs returns the dual point with all mass on the true labellings. It calls no oracle.
func newDCDPairs(p *models.Risk) *dcdPairs {
	st := &dcdPairs{lambda: p.Lambda, step: 1 / (p.Lambda * float64(len(p.Examples))),
		pairs: make([]dcdPair, len(p.Examples)), w: make([]float64, p.Dim)}
	for i := range st.pairs {
		e := &p.Examples[i]
		truth, other := binaryCosts(e)
		st.base += p.Loss.Margin * truth
		x, sign, norm := differenceRow(e)
		st.pairs[i] = dcdPair{x: x, sign: sign, cost: p.Loss.Margin * (other - truth), rate: 1 / (st.step * norm)}
	}
	return st
}

// differenceRow returns z_i (see dcdPairs) as a row x with a sign, and |z_i|². x is the row of the data if the features
// have one, and otherwise a copy.
func differenceRow(e *models.Example) (x models.Row, sign, norm float64) {
	if f, ok := e.Features.(models.RowMap); ok {
		if x, half, ok := f.Row(); ok && math.Abs(half) == 0.5 {
			return x, float64(2*e.Truth[0]-1) * 2 * half, 2 * f.ScaleSq()
		}
	}
	v := [2]float64{-1, -1}
	v[e.Truth[0]] = 1
	var z models.Sparse
	e.Features.(models.SparseMap).Adjoint(&z, v[:])
	z = z.Clone()
	return models.Row(z), 1, z.NormSq()
}

func (st *dcdPairs) visit(i int) (violation, lead float64) {
	e := &st.pairs[i]
	score := e.sign * e.x.Dot(st.w)
	g := e.cost - score
	if !(math.Abs(g) > dcdTol*max(math.Abs(e.cost), math.Abs(score))) {
		if e.a == 0 || e.a == 1 {
			return 0, math.Abs(g)
		}
		return 0, math.Inf(-1)
	}
	if e.a == 0 && g < 0 || e.a == 1 && g > 0 {
		return 0, math.Abs(g)
	}
	next := min(1, max(0, e.a+g*e.rate))
	e.x.AddTo(st.w, st.step*e.sign*(next-e.a))
	e.a = next
	return math.Abs(g), 0
}

func (st *dcdPairs) fetch(soon, later int) {
	prefetch.Value(&st.pairs[later])
	st.pairs[soon].x.Fetch()
}

func (st *dcdPairs) weights() []float64 { return st.w }

func (st *dcdPairs) refresh() {
	clear(st.w)
	for i := range st.pairs {
		if e := &st.pairs[i]; e.a > 0 {
			e.x.AddTo(st.w, st.step*e.sign*e.a)
		}
	}
}

func (st *dcdPairs) scale(lambda float64) {
	dualspace.Scale(st.w, st.lambda/lambda)
	for i := range st.pairs {
		st.pairs[i].rate *= lambda / st.lambda
	}
	st.lambda, st.step = lambda, 1/(lambda*float64(len(st.pairs)))
}

func (st *dcdPairs) dual() float64 {
	cost := st.base
	for i := range st.pairs {
		cost += st.pairs[i].cost * st.pairs[i].a
	}
	return cost/float64(len(st.pairs)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}
