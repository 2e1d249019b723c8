package interior

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// svmState contains the variables of SVM. The field layout gives the index of each class of each example in the vectors
// α and s.
type svmState struct {
	p        *models.Risk
	layout   dualspace.Layout
	examples []linear

	w            []float64 // w, which is w(α) up to rounding errors
	of           []float64 // w(α)
	alpha, slack []float64 // α and s, all positive
	xi           []float64 // ξ, one for each example
	mu           float64   // the mean of α_ic s_ic
	to, kept     direction // the last direction of solve, and an earlier one
	matrix       []float64 // the Cholesky factor of the matrix for Δw
	blocks       []svmBlock
}

// svmBlock contains the sums over the examples of a block, and working memory.
type svmBlock struct {
	matrix, vector []float64
	primal, dual   float64 // sums of max_c h_ic and of α_i·Δ_i (see evaluate)
	mu             float64 // sum of α_ic s_ic
	theta, h, v, d []float64
	square         []float64 // working memory of addCurvature: k² floats for k classes
}

// newSVMState returns a state with uniform distributions α_i. In each example, ξ_i exceeds its least value by at least
// the range of the h_ic (see evaluate), so that the products α_ic s_ic of the example have about equal size.
func newSVMState(p *models.Risk) *svmState {
	n := len(p.Examples)
	st := &svmState{p: p, layout: dualspace.NewLayout(p), examples: make([]linear, n), w: make([]float64, p.Dim),
		of: make([]float64, p.Dim), xi: make([]float64, n), matrix: make([]float64, p.Dim*p.Dim),
		blocks: make([]svmBlock, min(svmBlocks, n))}
	var all []int32
	for j := range p.Dim {
		all = append(all, int32(j))
	}
	for i := range st.examples {
		st.examples[i], _ = newLinear(&p.Examples[i], all)
	}
	st.alpha, st.slack = st.layout.Zeros(), st.layout.Zeros()
	for _, d := range []*direction{&st.to, &st.kept} {
		*d = direction{make([]float64, p.Dim), st.layout.Zeros(), st.layout.Zeros(), st.layout.Zeros(), make([]float64, n)}
	}
	for b := range st.blocks {
		x := &st.blocks[b]
		x.matrix, x.vector = make([]float64, p.Dim*p.Dim), make([]float64, p.Dim)
		st.layout.Scratch(&x.theta, &x.h, &x.v, &x.d)
		x.square = make([]float64, st.layout.Largest*st.layout.Largest)
	}
	for i := range st.examples {
		alpha := st.layout.Of(st.alpha, i)
		for c := range alpha {
			alpha[c] = 1 / float64(len(alpha))
		}
	}
	st.weights()
	copy(st.w, st.of)
	st.each(func(x *svmBlock, i int) {
		h := st.margins(x, i, st.w)
		top, low := slices.Max(h), slices.Min(h)
		st.xi[i] = 2*top - low + 1
		for c, s := 0, st.layout.Of(st.slack, i); c < len(s); c++ {
			s[c] = st.xi[i] - h[c]
		}
	})
	return st
}

// each calls f for each example. The blocks of examples run in parallel.
func (st *svmState) each(f func(x *svmBlock, i int)) {
	st.p.InBlocks(len(st.examples), len(st.blocks), func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			f(&st.blocks[b], i)
		}
	})
}

// sum adds the vectors of all blocks into dst and clears them.
func (st *svmState) sum(dst []float64) {
	clear(dst)
	for b := range st.blocks {
		floats.AddScaled(dst, 1, st.blocks[b].vector)
		clear(st.blocks[b].vector)
	}
}

// weights computes w(α).
func (st *svmState) weights() {
	c := 1 / (st.p.Lambda * float64(len(st.examples)))
	st.each(func(x *svmBlock, i int) {
		alpha := st.layout.Of(st.alpha, i)
		v := x.v[:len(alpha)]
		for c, a := range alpha {
			v[c] = -a
		}
		t := st.p.Examples[i].Truth[0]
		v[t] = 0
		for c, a := range alpha {
			if c != t {
				v[t] += a
			}
		}
		st.examples[i].addAdjoint(x.vector, c, v)
	})
	st.sum(st.of)
}

// margins returns h_ic = Δ_ic + θ_c − θ_t for the classes c of example i, where θ are its scores at w.
func (st *svmState) margins(x *svmBlock, i int, w []float64) []float64 {
	e, m := &st.p.Examples[i], &st.examples[i]
	h := x.h[:m.k]
	m.score(h, w)
	truth := h[e.Truth[0]]
	for c := range h {
		h[c] += st.p.Loss.Margin*e.Cost[c] - truth
	}
	return h
}

// evaluate computes w(α) and μ. It returns P(w) = λ/2|w|² + 1/n Σ_i max_c h_ic and D(α) = 1/n Σ_i α_i·Δ_i −
// λ/2|w(α)|².
func (st *svmState) evaluate() (primal, dual float64) {
	st.weights()
	for b := range st.blocks {
		st.blocks[b].primal, st.blocks[b].dual, st.blocks[b].mu = 0, 0, 0
	}
	st.each(func(x *svmBlock, i int) {
		x.primal += slices.Max(st.margins(x, i, st.w))
		slack, cost := st.layout.Of(st.slack, i), st.p.Examples[i].Cost
		for c, a := range st.layout.Of(st.alpha, i) {
			x.dual += a * st.p.Loss.Margin * cost[c]
			x.mu += a * slack[c]
		}
	})
	st.mu = 0
	for b := range st.blocks {
		primal += st.blocks[b].primal
		dual += st.blocks[b].dual
		st.mu += st.blocks[b].mu
	}
	st.mu /= float64(len(st.alpha))
	n, half := float64(len(st.examples)), st.p.Lambda/2
	return half*dualspace.Dot(st.w, st.w) + primal/n, dual/n - half*dualspace.Dot(st.of, st.of)
}
