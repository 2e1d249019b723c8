package solvertest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/models"
)

// certified is the width of the interval around a reference optimum, as a share of P(0).
const certified = 1e-8

// optimum brackets min P of the multiclass problem on the table. It works on the rows themselves and shares nothing
// with packages models and solvers: Newton's method if the loss is smooth, else dual block ascent.
func optimum(d *table, loss models.Loss, lambda float64) (low, high float64) {
	if loss.Temp > 0 {
		return newton(len(d.x[0])*d.k, lambda, func(w, g []float64, hessian *mat.SymDense) float64 {
			return d.derivatives(w, loss.Temp, loss.Margin, lambda, g, hessian)
		})
	}
	return blockAscent(d, loss.Margin, lambda)
}

// newton minimises a λ-strongly convex P by damped Newton steps from 0. P(w) − min P ≤ |∇P(w)|²/2λ: that is the lower
// end. derivatives returns P(w) and, if they are not nil, sets its gradient, and its Hessian which is 0 on entry.
func newton(dim int, lambda float64, derivatives func(w, g []float64, hessian *mat.SymDense) float64) (low,
	high float64) {
	w, g := make([]float64, dim), make([]float64, dim)
	low = math.Inf(-1)
	atZero := derivatives(w, nil, nil)
	for range 200 {
		hessian := mat.NewSymDense(dim, nil)
		high = derivatives(w, g, hessian)
		low = high - inner(g, g)/(2*lambda)
		if high-low <= certified/100*atZero {
			return low, high
		}
		var chol mat.Cholesky
		step := mat.NewVecDense(dim, nil)
		if !chol.Factorize(hessian) || chol.SolveVecTo(step, mat.NewVecDense(dim, g)) != nil {
			return low, high
		}
		next := make([]float64, dim)
		for size := 1.0; size > 1e-12; size /= 2 {
			for j := range next {
				next[j] = w[j] - size*step.AtVec(j)
			}
			if derivatives(next, nil, nil) < high {
				break
			}
		}
		copy(w, next)
	}
	return low, high
}

// derivatives returns the value of, and if they are not nil sets the gradient and Hessian of, with w_c at
// w[c·features],
//
//	P(w) = λ/2 |w|² + 1/n Σ τ log Σ_c exp((w_c·x_i + κ[c ≠ y_i])/τ) − w_{y_i}·x_i.
func (d *table) derivatives(w []float64, tau, kappa, lambda float64, g []float64, hessian *mat.SymDense) float64 {
	n, m := float64(len(d.x)), len(d.x[0])
	var value float64
	for j, v := range w {
		value += lambda / 2 * v * v
		if g != nil {
			g[j] = lambda * v
			hessian.SetSym(j, j, lambda)
		}
	}
	for i, x := range d.x {
		s := make([]float64, d.k)
		for c := range s {
			s[c] = inner(w[c*m:(c+1)*m], x)
		}
		gold := s[d.y[i]]
		for c := range s {
			if c != d.y[i] {
				s[c] += kappa
			}
			s[c] /= tau
		}
		p, logZ := softmax(s)
		value += (tau*logZ - gold) / n
		if g == nil {
			continue
		}
		for c := range p {
			slope := p[c]
			if c == d.y[i] {
				slope--
			}
			for j, v := range x {
				g[c*m+j] += slope * v / n
			}
			for b := 0; b <= c; b++ {
				curve := -p[b] * p[c]
				if b == c {
					curve += p[c]
				}
				addOuter(hessian, b*m, c*m, curve/(tau*n), x)
			}
		}
	}
	return value
}

// addOuter adds a·x xᵀ to the block of h that begins at row r ≤ column c.
func addOuter(h *mat.SymDense, r, c int, a float64, x []float64) {
	for i, u := range x {
		for j, v := range x {
			if r+i <= c+j {
				h.SetSym(r+i, c+j, h.At(r+i, c+j)+a*u*v)
			}
		}
	}
}

func softmax(s []float64) (p []float64, logZ float64) {
	top := math.Inf(-1)
	for _, v := range s {
		top = math.Max(top, v)
	}
	p = make([]float64, len(s))
	var z float64
	for c, v := range s {
		p[c] = math.Exp(v - top)
		z += p[c]
	}
	for c := range p {
		p[c] /= z
	}
	return p, top + math.Log(z)
}

func inner(a, b []float64) float64 {
	var s float64
	for j, v := range a {
		s += v * b[j]
	}
	return s
}
