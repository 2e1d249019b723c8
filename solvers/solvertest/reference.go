package solvertest

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// certified is the largest width of the interval around a reference optimum, as a share of P(0), the primal at w = 0.
const certified = 1e-8

// newton minimises a λ-strongly convex P by damped Newton steps from 0. It returns an interval that contains min P. The
// lower end follows from P(w) − min P ≤ |∇P(w)|²/2λ. derivatives returns P(w). If g and hessian are not nil,
// derivatives also sets them to the gradient and the Hessian; hessian is 0 on entry.
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

// softmax returns exp(s)/Z and log Z, where Z = Σ exp(s).
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

// inner returns the inner product a·b.
func inner(a, b []float64) float64 {
	var s float64
	for j, v := range a {
		s += v * b[j]
	}
	return s
}
