package solvertest

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/models"
)

// enumeration is a structured problem in which all labellings are listed. Each labelling y of each example i has a
// label loss and the vector δ_iy = ψ(y) − ψ(y_i), its features minus the features of the true labelling y_i. The true
// labelling comes first. With τ = Temp and κ = Margin of models.Loss, the risk is
//
//	P(w) = λ/2 |w|² + 1/n Σ_i τ log Σ_y exp((δ_iy·w + κ loss_iy)/τ).
//
// The optimal w is in the span of the δ. So w and the δ are stored as coordinates in an orthonormal basis of this span.
type enumeration struct {
	delta [][][]float64 // δ_iy (see enumeration), indexed by example i, labelling y and coordinate
	loss  [][]float64
	dim   int // dimension of the span of all δ_iy
}

// enumerate returns the enumeration of the given labellings. The first labelling of each example must be the true one.
func enumerate(all [][]labelling) *enumeration {
	names := map[string]int{}
	for _, list := range all {
		for _, y := range list {
			for _, name := range slices.Sorted(maps.Keys(y.features)) {
				if _, ok := names[name]; !ok {
					names[name] = len(names)
				}
			}
		}
	}
	e := &enumeration{}
	var basis [][]float64
	for _, list := range all {
		var delta [][]float64
		var loss []float64
		for _, y := range list {
			row := make([]float64, len(names))
			for name, v := range y.features {
				row[names[name]] += v
			}
			for name, v := range list[0].features {
				row[names[name]] -= v
			}
			var at []float64
			at, basis = coordinates(row, basis)
			delta, loss = append(delta, at), append(loss, y.loss)
		}
		e.delta, e.loss = append(e.delta, delta), append(e.loss, loss)
	}
	e.dim = len(basis)
	for _, list := range e.delta {
		for y := range list { // append zeros to coordinates that were computed before the basis was complete
			list[y] = append(list[y], make([]float64, e.dim-len(list[y]))...)
		}
	}
	return e
}

// coordinates returns the coordinates of v in an orthonormal basis. If v is not in the span of the basis, coordinates
// adds a vector to the basis by the Gram-Schmidt method. It orthogonalises v twice to reduce rounding errors.
func coordinates(v []float64, basis [][]float64) (at []float64, grown [][]float64) {
	rest := slices.Clone(v)
	at = make([]float64, len(basis))
	for range 2 {
		for b, u := range basis {
			c := inner(u, rest)
			at[b] += c
			for j, x := range u {
				rest[j] -= c * x
			}
		}
	}
	norm := math.Sqrt(inner(rest, rest))
	if norm <= 1e-9*math.Sqrt(inner(v, v)) {
		return at, basis
	}
	for j := range rest {
		rest[j] /= norm
	}
	return append(at, norm), append(basis, rest)
}

// optimum returns an interval that contains min P, the minimum of the risk of enumeration.
func (e *enumeration) optimum(loss models.Loss, lambda float64) (low, high float64) {
	if loss.Temp == 0 {
		return e.interiorPoint(loss.Margin, lambda)
	}
	return newton(e.dim, lambda, func(w, g []float64, hessian *mat.SymDense) float64 {
		return e.derivatives(w, loss.Temp, loss.Margin, lambda, g, hessian)
	})
}

// derivatives returns the risk P(w) of enumeration. If g and hessian are not nil, it sets them to the gradient and the
// Hessian.
func (e *enumeration) derivatives(w []float64, tau, kappa, lambda float64, g []float64, hessian *mat.SymDense) float64 {
	n := float64(len(e.delta))
	value := lambda / 2 * inner(w, w)
	if g != nil {
		for j, v := range w {
			g[j] = lambda * v
			hessian.SetSym(j, j, lambda)
		}
	}
	for i, delta := range e.delta {
		s := make([]float64, len(delta))
		for y, d := range delta {
			s[y] = (inner(d, w) + kappa*e.loss[i][y]) / tau
		}
		p, logZ := softmax(s)
		value += tau * logZ / n
		if g == nil {
			continue
		}
		mean := e.spread(hessian, i, p, 1/(tau*n))
		for j, v := range mean {
			g[j] += v / n
		}
	}
	return value
}

// spread adds to h the weighted covariance of the δ_iy of example i, times c. p are the weights of the labellings;
// their sum need not be 1. spread returns the weighted sum m:
//
//	h ← h + c (Σ_y p_y δ_y δ_yᵀ − m mᵀ/Σ_y p_y),   m = Σ_y p_y δ_y
func (e *enumeration) spread(h *mat.SymDense, i int, p []float64, c float64) (mean []float64) {
	mean = make([]float64, e.dim)
	to := h.RawSymmetric()
	var sum float64
	for y, d := range e.delta[i] {
		v := blas64.Vector{N: len(d), Data: d, Inc: 1}
		blas64.Syr(c*p[y], v, to)
		blas64.Axpy(p[y], v, blas64.Vector{N: len(mean), Data: mean, Inc: 1})
		sum += p[y]
	}
	blas64.Syr(-c/sum, blas64.Vector{N: len(mean), Data: mean, Inc: 1}, to)
	return mean
}

// bounds returns the primal of the hinge at w, and the dual at the weights a of the labellings. The weights of each
// example must sum to 1/n. D(a) = κ Σ a_iy loss_iy − λ/2 |w(a)|², where w(a) = −1/λ Σ a_iy δ_iy.
func (e *enumeration) bounds(w []float64, a [][]float64, kappa, lambda float64) (primal, dual float64) {
	of := make([]float64, e.dim)
	primal = lambda / 2 * inner(w, w)
	for i, delta := range e.delta {
		top := math.Inf(-1)
		for y, d := range delta {
			top = math.Max(top, inner(d, w)+kappa*e.loss[i][y])
			dual += kappa * a[i][y] * e.loss[i][y]
			for j, x := range d {
				of[j] -= a[i][y] * x / lambda
			}
		}
		primal += top / float64(len(e.delta))
	}
	return primal, dual - lambda/2*inner(of, of)
}

// labelling is one labelling of an example: its features, which may have any names, and its label loss.
type labelling struct {
	features map[string]float64
	loss     float64
}

// tuples ranges over all l-tuples of the numbers 0 to k−1. It reuses the slice.
func tuples(l, k int) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		v := make([]int32, l)
		for {
			if !yield(v) {
				return
			}
			i := l - 1
			for ; i >= 0 && int(v[i]) == k-1; i-- {
				v[i] = 0
			}
			if i < 0 {
				return
			}
			v[i]++
		}
	}
}
