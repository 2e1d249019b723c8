package interior

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// factorise computes the Cholesky factor of λI + 1/n Σ_i A_iᵀ(diag d_i − d_i d_iᵀ/Σ_c d_ic) A_i, with the diagonal of
// the sum over i multiplied by 1 + ridge. Without this factor, λ could be lost in rounding errors in directions in
// which the sum is 0, such as an equal change of the weights of all classes. factorise returns false if the matrix is
// still not positive definite.
func (st *svmState) factorise() bool {
	dim := st.p.Dim
	for b := range st.blocks {
		clear(st.blocks[b].matrix)
	}
	st.each(func(x *svmBlock, i int) {
		m := &st.examples[i]
		m.addCurvature(x.matrix, dim, 1/float64(len(st.examples)), st.ratios(x, i), x.square)
	})
	clear(st.matrix)
	for b := range st.blocks {
		floats.AddScaled(st.matrix, 1, st.blocks[b].matrix)
	}
	for j := range dim {
		st.matrix[j*dim+j] = st.matrix[j*dim+j]*(1+ridge) + st.p.Lambda
	}
	_, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: dim, Stride: dim, Data: st.matrix})
	return ok
}

// ratios returns d_ic = α_ic/s_ic for the classes c of example i.
func (st *svmState) ratios(x *svmBlock, i int) []float64 {
	alpha, slack := st.layout.Of(st.alpha, i), st.layout.Of(st.slack, i)
	d := x.d[:len(alpha)]
	for c, a := range alpha {
		d[c] = a / slack[c]
	}
	return d
}

// solve computes the changes of a Newton step that changes α_ic s_ic by change_ic, to first order. Let ρ_ic = s_ic −
// ξ_i + h_ic be the error of s_ic (see margins for h_ic), d_ic = α_ic/s_ic, e_ic = change_ic/s_ic + d_ic ρ_ic, and g =
// A_i Δw with the entry g_t of class t. Then
//
//	Δξ_i = (Σ_c e_ic − Σ_c d_ic (g_t − g_c))/Σ_c d_ic,   Δs_ic = Δξ_i + g_t − g_c − ρ_ic,
//	Δα_ic = e_ic − d_ic (Δξ_i + g_t − g_c),   r = λ(w(α) − w) − 1/n Σ_i A_iᵀ(e_i − d_i Σ_c e_ic/Σ_c d_ic).
func (st *svmState) solve() {
	n := float64(len(st.examples))
	st.each(func(x *svmBlock, i int) {
		h, d := st.margins(x, i, st.w), st.ratios(x, i)
		dAlpha, dSlack := st.layout.Of(st.to.alpha, i), st.layout.Of(st.to.slack, i)
		change, slack := st.layout.Of(st.to.product, i), st.layout.Of(st.slack, i)
		sumE, sumD := 0.0, 0.0
		for c, q := range change {
			fault := slack[c] - st.xi[i] + h[c]
			dAlpha[c] = q/slack[c] + d[c]*fault // e_ic; the method finish replaces it
			dSlack[c] = -fault
			sumE += dAlpha[c]
			sumD += d[c]
		}
		st.to.xi[i] = sumE / sumD // without the part that depends on Δw
		v, rest := x.v[:len(d)], 0.0
		t := st.p.Examples[i].Truth[0]
		for c := range v {
			v[c] = dAlpha[c] - d[c]*st.to.xi[i]
			if c != t {
				rest += v[c]
			}
		}
		v[t] = -rest // so that the sum is 0 in spite of rounding
		st.examples[i].addAdjoint(x.vector, -1/n, v)
	})
	dw := st.to.w
	st.sum(dw)
	for j := range dw {
		dw[j] += st.p.Lambda * (st.of[j] - st.w[j])
	}
	dim := st.p.Dim
	lapack64.Potrs(blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: dim, Stride: dim, Data: st.matrix},
		blas64.General{Rows: dim, Cols: 1, Stride: 1, Data: dw})
	st.each(func(x *svmBlock, i int) { st.finish(x, i) })
}

// finish computes Δξ_i, Δs_i and Δα_i from Δw (see solve).
func (st *svmState) finish(x *svmBlock, i int) {
	d, g := st.ratios(x, i), x.theta[:st.examples[i].k]
	st.examples[i].score(g, st.to.w)
	truth := g[st.p.Examples[i].Truth[0]]
	sumD, sumG := 0.0, 0.0
	for c := range g {
		g[c] = truth - g[c]
		sumD += d[c]
		sumG += d[c] * g[c]
	}
	st.to.xi[i] -= sumG / sumD
	dAlpha, dSlack := st.layout.Of(st.to.alpha, i), st.layout.Of(st.to.slack, i)
	for c := range g {
		change := st.to.xi[i] + g[c]
		dAlpha[c] -= d[c] * change
		dSlack[c] += change
	}
}
