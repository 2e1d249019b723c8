package solvertest

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// interior is a point at which all inequalities of two programmes are strict: the quadratic programme of the hinge (see
// enumeration for δ, loss and κ),
//
//	min λ/2 |w|² + 1/n Σ_i ξ_i   subject to   s_iy = ξ_i − δ_iy·w − κ loss_iy ≥ 0
//
// and its dual, whose variables a_iy ≥ 0 sum to 1/n over the labellings of each example.
type interior struct {
	w, xi []float64
	s, a  [][]float64
}

// interiorPoint returns an interval that contains min P for the hinge. It follows the central path s_iy a_iy = μ (see
// interior) while μ decreases to 0, with one Newton step for each μ. The step length is 0.995 of the distance to the
// nearest constraint, but at most 1.
func (e *enumeration) interiorPoint(kappa, lambda float64) (low, high float64) {
	p := e.inside(kappa)
	low, high = math.Inf(-1), math.Inf(1)
	unit, _ := e.bounds(make([]float64, e.dim), p.a, kappa, lambda) // P(0), the primal at w = 0
	for range 200 {
		primal, dual := e.bounds(p.w, p.a, kappa, lambda)
		low, high = math.Max(low, dual), math.Min(high, primal)
		if high-low <= certified/10*unit {
			break
		}
		if !e.advance(p, kappa, lambda) {
			break
		}
	}
	return low, high
}

// inside returns the start of interiorPoint. There w = 0, all s_iy are positive, and all labellings of an example have
// the same weight a_iy.
func (e *enumeration) inside(kappa float64) *interior {
	n := len(e.delta)
	p := &interior{w: make([]float64, e.dim), xi: make([]float64, n), s: make([][]float64, n), a: make([][]float64, n)}
	for i, loss := range e.loss {
		for _, c := range loss {
			p.xi[i] = math.Max(p.xi[i], 1+kappa*c)
		}
		for _, c := range loss {
			p.s[i] = append(p.s[i], p.xi[i]-kappa*c)
			p.a[i] = append(p.a[i], 1/float64(n*len(loss)))
		}
	}
	return p
}

// advance makes one Newton step (see interiorPoint), where μ is a tenth of the present mean of s_iy a_iy. It reports
// whether the linear system has a solution. With d = a/s and b = μ/s,
//
//	Δa = b − a − d Δs,   Δs = Δξ_i − δ·Δw,   Δξ_i = (Σ_y b + m_i·Δw − 1/n) / Σ_y d,   m_i = Σ_y d δ,
//	(λI + Σ_i [Σ_y d δδᵀ − m_i m_iᵀ/Σ_y d]) Δw = −λw − Σ_iy b δ + Σ_i m_i (Σ_y b − 1/n)/Σ_y d.
func (e *enumeration) advance(p *interior, kappa, lambda float64) bool {
	n := len(e.delta)
	mu, count := 0.0, 0
	for i := range p.s {
		mu += inner(p.s[i], p.a[i])
		count += len(p.s[i])
	}
	mu *= 0.1 / float64(count)
	h, right := mat.NewSymDense(e.dim, nil), make([]float64, e.dim)
	for j, v := range p.w {
		h.SetSym(j, j, lambda)
		right[j] = -lambda * v
	}
	m, rest, sum := make([][]float64, n), make([]float64, n), make([]float64, n)
	for i, delta := range e.delta {
		d := make([]float64, len(delta))
		rest[i] = -1 / float64(n)
		for y, s := range p.s[i] {
			d[y] = p.a[i][y] / s
			sum[i] += d[y]
			rest[i] += mu / s
			for j, x := range delta[y] {
				right[j] -= mu / s * x
			}
		}
		m[i] = e.spread(h, i, d, 1)
		for j, x := range m[i] {
			right[j] += x * rest[i] / sum[i]
		}
	}
	var chol mat.Cholesky
	dw := mat.NewVecDense(e.dim, nil)
	if !chol.Factorize(h) || chol.SolveVecTo(dw, mat.NewVecDense(e.dim, right)) != nil {
		return false
	}
	step := dw.RawVector().Data
	ds, da, dxi := make([][]float64, n), make([][]float64, n), make([]float64, n)
	way := 1.0
	for i, delta := range e.delta {
		dxi[i] = (rest[i] + inner(m[i], step)) / sum[i]
		for y, s := range p.s[i] {
			a := p.a[i][y]
			u := dxi[i] - inner(delta[y], step)
			v := mu/s - a - a/s*u
			ds[i], da[i] = append(ds[i], u), append(da[i], v)
			way = math.Min(way, 0.995*math.Min(toWall(s, u), toWall(a, v)))
		}
	}
	for j, v := range step {
		p.w[j] += way * v
	}
	for i := range p.s {
		p.xi[i] += way * dxi[i]
		for y := range p.s[i] {
			p.s[i][y] += way * ds[i][y]
			p.a[i][y] += way * da[i][y]
		}
	}
	return true
}

// toWall returns the step length c > 0 for which x + c v = 0, where x > 0. It returns +Inf if v ≥ 0.
func toWall(x, v float64) float64 {
	if v >= 0 {
		return math.Inf(1)
	}
	return -x / v
}
