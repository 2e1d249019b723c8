package simplicial

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
)

const (
	rsdBisections = 30   // largest number of steps of a search that shrinks an interval, as in rsdFall
	rsdClose      = 1e-7 // rsdFall ends when its interval is shorter than this share of the initial interval
)

// rsdBound stores the best certified lower bound so far on the optimum of (P), the problem that RSD solves. The bound
// is the value of the dual of (P) at a dual point (μ, σ, ω) (see rsdPoint) in the domain of the dual. This value is
//
//	ω + Σ_i max_{λ_i ≥ 0} (q_i(μ_i, λ_i) − λ_i) − |σ|²/(2η),
//	q_i(μ_i, λ_i) = min_{θ_i ≤ 0} f_i(θ_i) + μ_i·θ_i + λ_i Σ_j exp(θ_ij).
//
// models.Generative defines f_i and η. λ_i is the multiplier of the constraint Σ_j exp(θ_ij) ≤ 1.
//
// For f_i = −c_i·θ_i the domain is μ_i ≤ c_i. Let d = c_i − μ_i, s = Σ_j d_j, and H be the entropy. Then the best λ_i
// is s, the maximum is s H(d/s), and θ_ij = log(d_j/s). For other terms f_i, Newton's method computes the minimum over
// each component θ_ij.
//
// The solutions z̄ of the master problems (see rsdMaster) are in the polyhedron D of rsdPoint but seldom in the domain.
// D is convex, and the origin is in D and in the domain. So improve searches two line segments that end in z̄: one from
// the origin and one from the best point so far. On each segment, improve finds the last point in the domain, and
// maximises the value of the dual up to this point. Let Δμ, Δσ and Δω be the end minus the start of a segment. The
// derivative of the value along the segment is Δω + θ·Δμ − σ·Δσ/η.
type rsdBound struct {
	g      *models.Distributions // the terms f_i of the objective and η
	theta  []float64             // the minimisers θ_ij in q_i at the dual point of the last evaluation
	lambda []float64             // the last multipliers λ_i, from which the method conjugate starts its search
	best   rsdPoint              // the dual point of the best bound
	value  float64               // the best bound so far
	origin []float64             // a dual point of zeros, the start of a segment
	here   []float64             // the dual point of the last evaluation
	delta  []float64             // end minus start of the segment that towards searches
}

func newRSDBound(g *models.Distributions, dim, width int) *rsdBound {
	b := &rsdBound{g: g, theta: make([]float64, dim), lambda: make([]float64, g.Vectors()),
		best:   rsdPoint{z: make([]float64, width)},
		origin: make([]float64, width), here: make([]float64, width), delta: make([]float64, width)}
	for i := range b.lambda {
		b.lambda[i] = 1
	}
	b.value = b.at(b.origin, 0)
	return b
}

// improve searches for a better bound on two segments that end in the dual point (z, ω): one from the origin and one
// from the point of the best bound so far.
func (b *rsdBound) improve(z []float64, omega float64) {
	b.towards(b.origin, 0, z, omega)
	b.towards(b.best.z, b.best.omega, z, omega)
}

// towards maximises the value of the dual of (P) on the segment from a point in its domain to the point (z, ω), which
// may be outside the domain. If the maximum exceeds the best bound so far, towards stores the maximum and its point.
func (b *rsdBound) towards(from []float64, fromOmega float64, z []float64, omega float64) {
	for j, x := range z {
		b.delta[j] = x - from[j]
	}
	deltaOmega := omega - fromOmega
	slope := func(t float64) float64 { return b.slopeAt(from, deltaOmega, fromOmega, t) }
	lo, hi := 0.0, b.reach(from)
	if !(hi > 0) {
		return
	}
	if lo = rsdFall(slope, hi); lo == 0 {
		return
	}
	floats.AddScaledTo(b.here, from, lo, b.delta)
	if value := b.at(b.here, fromOmega+lo*deltaOmega); value > b.value {
		b.value = value
		copy(b.best.z, b.here)
		b.best.omega = fromOmega + lo*deltaOmega
	}
}

// rsdFall returns the point of [0, hi] where the decreasing function f becomes negative. It returns 0 if f(0) ≤ 0, and
// hi if f(hi) ≥ 0. It uses the method of false position in the Illinois variant: if an end of the interval stays the
// same in two steps, the value at this end is halved. Where f is infinite, rsdFall uses bisection.
func rsdFall(f func(t float64) float64, hi float64) float64 {
	low, high := f(0), 0.0
	if !(low > 0) {
		return 0
	}
	if high = f(hi); high >= 0 {
		return hi
	}
	lo, most, side := 0.0, hi, 0
	for range rsdBisections {
		t := lo + (hi-lo)*low/(low-high)
		if !(t > lo && t < hi) || math.IsInf(low-high, 0) {
			t = lo + (hi-lo)/2
		}
		v := f(t)
		switch {
		case v >= 0:
			if lo, low = t, v; side > 0 {
				high /= 2
			}
			side = 1
		default:
			if hi, high = t, v; side < 0 {
				low /= 2
			}
			side = -1
		}
		if hi-lo <= rsdClose*most {
			break
		}
	}
	return lo
}

// reach returns the largest t in [0, 1] such that the point from + t·delta is in the domain of the dual of (P). A dual
// point is in the domain if, for each component θ_ij, the function f_ij(x) + μ_ij x has a finite minimum over x ≤ 0.
func (b *rsdBound) reach(from []float64) float64 {
	most := 1.0
	for j := range b.theta {
		if !(b.delta[j] > 0) {
			continue
		}
		if b.g.Terms == nil {
			most = min(most, (b.g.Prior[j]-from[j])/b.delta[j])
		} else if room := -b.g.Terms.Tail(j) - from[j]; !math.IsInf(room, 1) {
			most = min(most, rsdInside*room/b.delta[j])
		}
	}
	return most
}

// slopeAt returns the derivative in t of the dual's value at the point from + t·delta, whose ω is fromOmega +
// t·deltaOmega.
func (b *rsdBound) slopeAt(from []float64, deltaOmega, fromOmega, t float64) float64 {
	floats.AddScaledTo(b.here, from, t, b.delta)
	b.at(b.here, fromOmega+t*deltaOmega)
	slope := deltaOmega
	for j, x := range b.theta {
		if d := b.delta[j]; d != 0 { // if d is 0, skip x, which may be −∞: 0·∞ is NaN
			slope += d * x
		}
	}
	for k := len(b.theta); k < len(from); k++ {
		slope -= b.here[k] * b.delta[k] / b.g.Eta
	}
	return slope
}

// at returns the value of the dual of (P) at a point in its domain, for the best multipliers λ (see rsdBound). It
// writes the minimisers θ_ij into theta.
func (b *rsdBound) at(z []float64, omega float64) float64 {
	value := omega
	for i := range b.g.Vectors() {
		if b.g.Terms == nil {
			value += b.entropy(i, z)
		} else {
			value += b.conjugate(i, z)
		}
	}
	for k := len(b.theta); k < len(z); k++ {
		value -= z[k] * z[k] / (2 * b.g.Eta)
	}
	return value
}

// entropy returns the term of vector θ_i in the dual of (P) if f_i = −c_i·θ_i. This term is s H(d/s), with d = c_i −
// μ_i, s = Σ_j d_j and the entropy H. It writes the minimisers log(d_j/s) into theta.
func (b *rsdBound) entropy(i int, z []float64) float64 {
	lo, hi := b.g.First[i], b.g.First[i+1]
	var s, value float64
	for j := lo; j < hi; j++ {
		b.theta[j] = max(0, b.g.Prior[j]-z[j])
		s += b.theta[j]
	}
	for j := lo; j < hi; j++ {
		if d := b.theta[j]; d > 0 {
			b.theta[j] = math.Log(d / s)
			value -= d * b.theta[j]
		} else {
			b.theta[j] = math.Inf(-1)
		}
	}
	return value
}

// estimate returns the number that the paper of Yu, Bertsekas and Rousu shows as a lower bound on (P): the value of the
// dual at the point (z, ω) with the multipliers lambda, where each vector μ_i of z is clipped to its domain. For f_i =
// −c_i·θ_i, the clipped vector is min(μ_i, c_i). The clipped point may be outside the polyhedron D of rsdPoint, so the
// value may exceed the optimum and is no bound. violated is the number of vectors μ_i that had to be clipped.
func (b *rsdBound) estimate(z []float64, omega float64, lambda []float64) (value float64, violated int) {
	value = omega
	for i, l := range lambda {
		value -= l
		outside := false
		for j := b.g.First[i]; j < b.g.First[i+1]; j++ {
			if b.g.Terms == nil {
				d := b.g.Prior[j] - z[j]
				outside = outside || d < 0
				value += rsdDualTerm(d, l)
				continue
			}
			mu := z[j]
			if room := -b.g.Terms.Tail(j); mu > room {
				mu, outside = rsdInside*room, true
			}
			v, _, _ := rsdConjugate(b.g.Terms, j, mu, l, -1)
			value += v
		}
		if outside {
			violated++
		}
	}
	for k := len(b.theta); k < len(z); k++ {
		value -= z[k] * z[k] / (2 * b.g.Eta)
	}
	return value, violated
}

// rsdDualTerm returns min_{x ≤ 0} −d x + λ eˣ. This is one component of q_i (see rsdBound) for f_i = −c_i·θ_i, with d =
// c_ij − μ_ij. There is no minimum for d < 0; rsdDualTerm then uses d = 0. λ may be any number.
func rsdDualTerm(d, lambda float64) float64 {
	switch {
	case lambda < d || lambda <= 0: // the minimum is at x = 0
		return lambda
	case d <= 0:
		return 0
	}
	return d - d*math.Log(d/lambda)
}
