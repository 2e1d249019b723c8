package simplicial

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// rsdLeastLambda is a small multiplier λ_i. If the search of fitOne falls below it, fitOne tries λ_i = 0.
const rsdLeastLambda = 1e-9

// rsdProximal is the dual function Q_n of the proximal problem (P_n) of RSD, together with the results of its last
// evaluation. (P_n) is (P) plus γ/2 |θ − θⁿ|² with the centre θⁿ. The dual function is
//
//	Q_n(μ, ω, λ) = ω − Σ_i λ_i + Σ_i q_iⁿ(μ_i, λ_i) − |σ|²/(2η),
//	q_iⁿ(μ_i, λ_i) = min_{θ_i} f_i(θ_i) + μ_i·θ_i + λ_i Σ_j exp(θ_ij) + γ/2 |θ_i − θ_iⁿ|²,
//
// where models.Generative defines f_i and η, and λ_i is the multiplier of the constraint Σ_j exp(θ_ij) ≤ 1. A dual
// point z consists of μ. If the penalty is quadratic, the sums σ_k = Σ_s β_k(s), one for each example, follow μ in z
// (see rsdPoint). θ̄_i are the minimisers in q_iⁿ. The first derivatives are equation (21) of the paper of Yu,
// Bertsekas and Rousu. The second derivatives in (μ_ij, λ_i) are
//
//	−v vᵀ / (λ_i eˣ + γ + f″),   v = (1, eˣ),   x = θ̄_ij.
//
// The second derivative in (λ_i, λ_i) is the sum of these entries over j. f″ is the second derivative of the term f_ij
// at x. These formulas replace (23), (25) and (26) of that paper: (23) has the denominator λ + γ eˣ, which finite
// differences do not confirm.
type rsdProximal struct {
	g      *models.Distributions
	gamma  float64   // γ, the weight of the proximal term
	centre []float64 // θⁿ, the centre of the proximal term
	x      []float64 // θ̄, the minimisers in the q_iⁿ
	exp    []float64 // exp θ̄, by component
	weight []float64 // minus the second derivative of Q_n in each component of z: 1/(λ_i eˣ + γ + f″), then 1/η
	slope  []float64 // the gradient of Q_n in z: θ̄, then −σ/η
	mass   []float64 // Σ_j exp θ̄_ij, the sum of the probabilities, of each vector θ̄_i
	q      []float64 // the term q_iⁿ of each vector θ_i
	size   float64   // sum of the magnitudes of the terms of Q_n, which bounds its rounding error
}

// newRSDProximal returns the dual function of a proximal problem, for dual points z of length width. width is at least
// the length of the centre.
func newRSDProximal(g *models.Distributions, gamma float64, centre []float64, width int) *rsdProximal {
	d := &rsdProximal{g: g, gamma: gamma, centre: make([]float64, len(centre)), exp: make([]float64, len(centre)),
		weight: make([]float64, width), slope: make([]float64, width), mass: make([]float64, g.Vectors()),
		q: make([]float64, g.Vectors())}
	d.x = d.slope[:len(centre)]
	copy(d.centre, centre)
	copy(d.x, centre)
	return d
}

// at evaluates the dual function Q_n and its derivatives at (z, ω, λ), and returns the value of Q_n.
func (d *rsdProximal) at(z []float64, omega float64, lambda []float64) float64 {
	d.size = math.Abs(omega) + dualspace.Sum(lambda)
	for i, l := range lambda {
		d.size += d.vector(i, z, l)
	}
	for k := len(d.x); k < len(z); k++ {
		d.slope[k], d.weight[k] = -z[k]/d.g.Eta, 1/d.g.Eta
	}
	return d.total(z, omega, lambda)
}

// total returns the value of the dual function Q_n, computed from the stored terms q_iⁿ (see rsdProximal).
func (d *rsdProximal) total(z []float64, omega float64, lambda []float64) float64 {
	value := omega
	for i, l := range lambda {
		value += d.q[i] - l
	}
	for _, sigma := range z[len(d.x):] {
		value -= sigma * sigma / (2 * d.g.Eta)
	}
	return value
}

// vector evaluates q_iⁿ(μ_i, λ), the term of vector θ_i in the dual function Q_n. The search for the minimisers θ̄_ij
// starts from the previous minimisers. vector returns the sum of the magnitudes of the terms, which bounds the rounding
// error.
func (d *rsdProximal) vector(i int, mu []float64, lambda float64) (size float64) {
	var value, mass float64
	for j := d.g.First[i]; j < d.g.First[i+1]; j++ {
		var x, exp, curvature, term float64
		if d.g.Terms == nil {
			c := d.g.Prior[j]
			x, exp, _ = rsdRoot(mu[j]-c-d.gamma*d.centre[j], lambda, d.gamma, d.x[j])
			term = -c * x
		} else {
			x, exp, curvature = rsdRootOf(d.g.Terms, j, mu[j], lambda, d.gamma, d.centre[j], d.x[j])
			term, _, _ = d.g.Terms.At(j, x)
		}
		d.x[j], d.exp[j], d.weight[j] = x, exp, 1/(lambda*exp+d.gamma+curvature)
		far := x - d.centre[j]
		value += term + mu[j]*x + lambda*exp + d.gamma/2*far*far
		size += math.Abs(term) + math.Abs(mu[j]*x)
		mass += exp
	}
	d.mass[i], d.q[i] = mass, value
	return size
}

// fit maximises the dual function Q_n over each multiplier λ_i ≥ 0, with z fixed. Then θ̄ is feasible up to rounding:
// the mass Σ_j exp θ̄_ij decreases as λ_i grows, and at the maximum it is 1, or below 1 with λ_i = 0. The last
// evaluation must have been at z and lambda.
//
// fit applies Newton's method to log mass as a function of log λ_i, within an interval that contains the solution λ*.
// If γ has little influence, the mass is almost λ*/λ_i, so this function is almost linear.
func (d *rsdProximal) fit(z, lambda []float64) {
	for i := range lambda {
		d.fitOne(i, z, lambda)
	}
}

// fitOne maximises the dual function Q_n over one multiplier λ_i (see fit).
func (d *rsdProximal) fitOne(i int, z, lambda []float64) {
	lo, hi := 0.0, math.Inf(1)
	zeroTried := false
	for range rsdNewtonSteps {
		l, mass := lambda[i], d.mass[i]
		if math.Abs(mass-1) <= rsdUlps*0x1p-53 || mass < 1 && l == 0 {
			return
		}
		if mass > 1 {
			lo = l
			zeroTried = zeroTried || l == 0
		} else {
			hi = l
		}
		var curvature float64 // minus the derivative of mass with respect to λ_i
		for j := d.g.First[i]; j < d.g.First[i+1]; j++ {
			curvature += d.weight[j] * d.exp[j] * d.exp[j]
		}
		next := l * math.Exp(max(-10, min(math.Log(mass)*mass/(l*curvature), 10)))
		if !(next > lo && next < hi) { // also true if next is NaN, which happens if l is 0
			if math.IsInf(hi, 1) {
				next = 2*lo + 1e-3
			} else {
				next = lo + (hi-lo)/2
			}
		}
		if next < rsdLeastLambda && !zeroTried {
			next = 0
		}
		if next == l {
			return
		}
		lambda[i] = next
		d.vector(i, z, next)
	}
}
