package simplicial

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// barrier solves problem (P) of RSD (see models.Generative for its symbols) with one constraint for each labelling, by
// a logarithmic barrier and Newton's method on (θ, ε). barrier uses neither the dual nor any code of the solver. It
// minimises
//
//	τ (Σ f_i(θ_i) + η Σ h(ε_k)) − Σ log(ε_k − a·θ − b) − Σ_i log(−log Σ_j exp θ_ij)
//
// The objective of (P) at the minimiser exceeds the optimum of (P) by at most (number of constraints)/τ.
type barrier struct {
	p    *models.Generative
	list []margin
	tau  float64
	x    []float64 // the variables: the log-probabilities θ, then the slacks ε
}

// barrierOptimum returns the optimal value of problem (P) of RSD, up to an error of about 1e-9, and its minimiser θ.
func barrierOptimum(tb testing.TB, p *models.Generative) (value float64, theta []float64) {
	tb.Helper()
	b := &barrier{p: p, list: margins(p), tau: 1, x: make([]float64, p.Dim()+len(p.Examples))}
	p.Distributions.Uniform(b.x[:p.Dim()])
	for j := range p.Dim() {
		b.x[j] -= 0.1
	}
	for _, m := range b.list {
		at := &b.x[p.Dim()+m.k]
		*at = max(*at, dualspace.Dot(m.a, b.x[:p.Dim()])+m.b+1)
	}
	constraints := float64(len(b.list) + p.Distributions.Vectors())
	for ; constraints/b.tau > 1e-9; b.tau *= 4 {
		for step := 0; ; step++ {
			if step == 200 {
				tb.Fatal("the barrier method does not converge")
			}
			if b.newton(tb) < 1e-5 {
				break
			}
		}
	}
	return b.objective(b.x), b.x[:p.Dim()]
}

func (b *barrier) objective(x []float64) float64 {
	g := b.p.Distributions
	v := g.Term(x[:b.p.Dim()])
	for _, e := range x[b.p.Dim():] {
		if g.Quadratic {
			v += g.Eta / 2 * e * e
		} else {
			v += g.Eta * e
		}
	}
	return v
}

// value returns the barrier function (see barrier) at x, or +Inf if x is outside the domain of the function.
func (b *barrier) value(x []float64) float64 {
	v := b.tau * b.objective(x)
	for _, m := range b.list {
		v -= math.Log(max(0, x[b.p.Dim()+m.k]-dualspace.Dot(m.a, x[:b.p.Dim()])-m.b))
	}
	g := b.p.Distributions
	for i := range g.Vectors() {
		sum := 0.0
		for _, y := range x[g.First[i]:g.First[i+1]] {
			sum += math.Exp(y)
		}
		v -= math.Log(max(0, -math.Log(sum)))
	}
	return v
}

// newton makes a Newton step with a line search, and returns half of the squared Newton decrement, gᵀH⁻¹g/2 for
// gradient g and Hessian H.
func (b *barrier) newton(tb testing.TB) float64 {
	p, g, n := b.p, b.p.Distributions, len(b.x)
	grad, h := make([]float64, n), mat.NewSymDense(n, nil)
	add := func(i, j int, v float64) { h.SetSym(i, j, h.At(i, j)+v) }
	for j := range p.Dim() {
		slope, curvature := 0.0, 0.0
		if g.Terms == nil {
			slope = -g.Prior[j]
		} else {
			_, slope, curvature = g.Terms.At(j, b.x[j])
		}
		grad[j] += b.tau * slope
		add(j, j, b.tau*curvature)
	}
	for k := range p.Examples {
		at := p.Dim() + k
		if g.Quadratic {
			grad[at] += b.tau * g.Eta * b.x[at]
			add(at, at, b.tau*g.Eta)
		} else {
			grad[at] += b.tau * g.Eta
		}
	}
	for _, m := range b.list {
		at := p.Dim() + m.k
		s := 1 / (b.x[at] - dualspace.Dot(m.a, b.x[:p.Dim()]) - m.b)
		grad[at] -= s
		add(at, at, s*s)
		for i, a := range m.a {
			if a == 0 {
				continue
			}
			grad[i] += s * a
			add(i, at, -s*s*a)
			for j := i; j < p.Dim(); j++ {
				add(i, j, s*s*a*m.a[j])
			}
		}
	}
	// add the derivatives of −log(−L) for L = log Σ_j exp θ_ij. With π the softmax of θ_i, L has the gradient π and the
	// Hessian diag π − ππᵀ. So −log(−L) has the gradient π/(−L) and the Hessian (diag π − ππᵀ)/(−L) + ππᵀ/L²
	for i := range g.Vectors() {
		lo, hi := g.First[i], g.First[i+1]
		sum := 0.0
		for _, y := range b.x[lo:hi] {
			sum += math.Exp(y)
		}
		s := -1 / math.Log(sum)
		for j := lo; j < hi; j++ {
			pj := math.Exp(b.x[j]) / sum
			grad[j] += s * pj
			add(j, j, s*pj)
			for l := j; l < hi; l++ {
				add(j, l, (s*s-s)*pj*math.Exp(b.x[l])/sum)
			}
		}
	}
	var c mat.Cholesky
	if !c.Factorize(h) {
		tb.Fatal("the barrier method's Hessian is singular")
	}
	step := mat.NewVecDense(n, nil)
	if err := c.SolveVecTo(step, mat.NewVecDense(n, grad)); err != nil && step.AtVec(0) != step.AtVec(0) {
		tb.Fatal(err)
	}
	decrement := dualspace.Dot(grad, step.RawVector().Data)
	before, next := b.value(b.x), make([]float64, n)
	for length := 1.0; length > 1e-12; length /= 2 {
		for j := range next {
			next[j] = b.x[j] - length*step.AtVec(j)
		}
		if v := b.value(next); v <= before-1e-4*length*decrement {
			copy(b.x, next)
			return decrement / 2
		}
	}
	return 0 // rounding errors prevent further progress
}
