package simplicial

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

const (
	rsdNewtonSteps = 100 // largest number of Newton steps for one component; a few suffice
	rsdUlps        = 4   // |f(x)| at which rsdRoot ends, in units of 2⁻⁵³ times the magnitudes of the terms of f
	rsdExpCap      = 300 // eˣ is computed only for x up to this bound, so that eˣ and its square stay finite
)

// rsdRoot solves equation (20) of the paper of Yu, Bertsekas and Rousu, the optimality condition of one component x =
// θ_ij in q_iⁿ (see rsdProximal) if the term f_i is −c_i·θ_i,
//
//	f(x) = r + λ eˣ + γ x = 0,   r = μ − c − γ θⁿ,
//
// by Newton's method from x. It returns the root, exp(root), and the number of steps. f is increasing and convex. So
// the iterates decrease towards the root once one iterate is to the right of the root. A step from the left of the root
// goes too far to the right, by an unbounded distance where λ eˣ is small. If x is left of the root x*, the first
// iterate is therefore the smaller of two upper bounds on x*. The bounds follow from
//
//	γ x* ≤ −r − λ eˣ,   λ exp(x*) ≤ −r − γ x.
//
// At a start x > 0, eˣ may be infinite. Such an x is replaced by 0, or by log(−r/λ) if the root is positive.
func rsdRoot(r, lambda, gamma, x float64) (root, exp float64, steps int) {
	if !(lambda > 0) {
		x = -r / gamma
		return x, math.Exp(min(x, rsdExpCap)), 1
	}
	if x > 0 {
		x = max(0, math.Log(max(-r, lambda)/lambda))
	}
	exp = math.Exp(x)
	f := r + lambda*exp + gamma*x
	if f < 0 {
		x = min(x-f/gamma, math.Log((-r-gamma*x)/lambda))
		exp = math.Exp(x)
		f = r + lambda*exp + gamma*x
		steps++
	}
	for steps < rsdNewtonSteps && math.Abs(f) > rsdUlps*0x1p-53*(math.Abs(r)+lambda*exp+gamma*math.Abs(x)) {
		next := x - f/(lambda*exp+gamma)
		if next == x {
			break
		}
		exp = rsdExp(exp, x, next)
		x = next
		f = r + lambda*exp + gamma*x
		steps++
	}
	return x, exp, steps
}

// rsdExp returns exp(next), given exp = exp(x). If next is close to x, as in the last steps of most searches, rsdExp
// uses a power series.
func rsdExp(exp, x, next float64) float64 {
	d := next - x
	if math.Abs(d) > 1e-3 {
		return math.Exp(next)
	}
	return exp * (1 + d*(1+d/2*(1+d/3*(1+d/4*(1+d/5)))))
}

// rsdRootOf solves the same optimality condition as rsdRoot, but for any convex term t of component j,
//
//	f(x) = slope(x) + μ + λ eˣ + γ (x − θⁿ) = 0,
//
// where slope is the derivative of the term, and the argument centre is θⁿ. The search begins at the argument x, or at
// 0 if x > 0. f is increasing but may not be convex. If a Newton step leaves the interval in which f changes its sign,
// or does not halve |f|, the middle of the interval replaces it. While the interval is unbounded on the side of the
// root, steps are limited to a length that doubles each time. rsdRootOf returns the root, its exponential, and the
// second derivative of the term.
func rsdRootOf(t models.Convex, j int, mu, lambda, gamma, centre, x float64) (root, exp, curvature float64) {
	at := func(x float64) (f, exp, curvature float64) {
		_, slope, curvature := t.At(j, x)
		exp = math.Exp(min(x, rsdExpCap))
		return slope + mu + lambda*exp + gamma*(x-centre), exp, curvature
	}
	if x > 0 {
		x = 0
	}
	lo, hi, reach := math.Inf(-1), math.Inf(1), 1.0
	f, exp, curvature := at(x)
	for range 2 * rsdNewtonSteps {
		if f == 0 {
			break
		}
		if f > 0 {
			hi = x
		} else {
			lo = x
		}
		next := x - f/(curvature+lambda*exp+gamma)
		if !(next > lo && next < hi) { // also true if next is NaN, because the derivative of f is 0
			switch {
			case math.IsInf(hi, 1):
				next = math.Inf(1)
			case math.IsInf(lo, -1):
				next = math.Inf(-1)
			default:
				next = lo + (hi-lo)/2
			}
		}
		if out := next - x; math.IsInf(hi, 1) && out > reach || math.IsInf(lo, -1) && -out > reach {
			next = x + math.Copysign(reach, out)
			reach *= 2
		}
		if next == x {
			break
		}
		g, e, c := at(next)
		if math.Abs(g) > math.Abs(f)/2 && !math.IsInf(lo, -1) && !math.IsInf(hi, 1) {
			if g > 0 {
				hi = min(hi, next)
			} else {
				lo = max(lo, next)
			}
			if middle := lo + (hi-lo)/2; middle > lo && middle < hi {
				next = middle
				g, e, c = at(next)
			}
		}
		x, f, exp, curvature = next, g, e, c
	}
	return x, exp, curvature
}
