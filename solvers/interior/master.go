package interior

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	steps     = 100   // largest number of Newton steps for one centre
	centred   = 1e-12 // a point counts as a centre if half of its squared Newton decrement is at most this
	armijo    = 0.01  // a step must decrease F_τ by at least this share of the predicted decrease
	shortest  = 1e-10 // shortest step length in the line search
	ridge     = 1e-14 // number added to the Hessian's diagonal, as a share of its largest element
	halfInner = 0.1   // at the start, log Σ_j exp(θ_ij) = −halfInner for each vector θ_i, inside the feasible set
)

// master minimises the function F_τ of Barrier over (θ, ξ) by Newton's method with a line search. Let s = ξ_b − g·θ − o
// be the slack of a plane ξ_b ≥ g·θ + o of block b, and let 1/s² be the weight of the plane. The constraint ξ_b ≥ 0
// counts as the plane 0·θ + 0 of its block. The ξ are eliminated from the Newton system. The remaining matrix for θ is
//
//	τ diag f″ + Σ_b Σ 1/s² (g − ḡ_b)(g − ḡ_b)ᵀ + Σ_i [(1/L²) ππᵀ + (1/−L)(diag π − ππᵀ)],
//
// where ḡ_b is the weighted mean of g over the planes of block b, L = log Σ_j exp(θ_ij) < 0 and π = exp(θ_i − L).
type master struct {
	g      *models.Distributions
	theta  []float64 // the present log-probabilities θ
	xi     []float64 // the present bound ξ_b on the penalty of each block
	tau    float64   // the factor τ in F_τ
	planes []plane

	gradient []float64   // gradient of F_τ in θ
	rows     []float64   // (g − ḡ_b)/s, a row for each plane
	hessian  []float64   // lower triangle of the matrix for θ
	step     []float64   // Newton step in θ
	stepXi   []float64   // Newton step in ξ
	trial    []float64   // θ that the line search tries
	trialXi  []float64   // ξ that the line search tries
	sums     []blockSums // sums over the planes of each block
}

// plane is the constraint ξ_b ≥ g·θ + o on the penalty ξ_b of block b.
type plane struct {
	b     int
	slope []float64 // g, the slope of the plane
	at0   float64   // o, the value of the plane at θ = 0
	slack float64   // ξ_b − g·θ − o at the last call of slacks
}

// blockSums contains sums over the planes of a block, including the plane of ξ_b ≥ 0. s is the slack of a plane.
type blockSums struct {
	inverse, square float64   // Σ 1/s and Σ 1/s² over the planes
	mean            []float64 // mean of the slopes of the planes, with the weights 1/s²
}

func newMaster(g *models.Distributions, start []float64, blocks int) *master {
	n := len(start)
	m := &master{g: g, theta: make([]float64, n), xi: make([]float64, blocks), gradient: make([]float64, n),
		hessian: make([]float64, n*n), step: make([]float64, n), stepXi: make([]float64, blocks),
		trial: make([]float64, n), trialXi: make([]float64, blocks), sums: make([]blockSums, blocks)}
	for j, x := range start {
		m.theta[j] = x - halfInner
	}
	for b := range m.sums {
		m.sums[b].mean = make([]float64, n)
	}
	return m
}

// constraints returns the number of constraints: one for each plane, each ξ_b ≥ 0 and each vector θ_i.
func (m *master) constraints() int { return len(m.planes) + len(m.xi) + m.g.Vectors() }

// add adds the plane ξ_b ≥ slope·θ + at0 of block b, and increases ξ_b so that the slack of the plane is positive.
func (m *master) add(b int, slope []float64, at0 float64) {
	m.planes = append(m.planes, plane{b: b, slope: append([]float64(nil), slope...), at0: at0})
	least := max(0, dualspace.Dot(slope, m.theta)+at0)
	if room := max(1/max(m.tau, 1), 1e-6*(1+math.Abs(least))); m.xi[b] < least+room {
		m.xi[b] = least + room
	}
}

// solve computes the centre, which minimises F_τ (see Barrier). It reports whether the result is close enough to the
// centre.
func (m *master) solve() bool {
	value := m.value(m.theta, m.xi)
	for range steps {
		decrement, ok := m.newton()
		if !ok {
			return false
		}
		if decrement/2 <= centred {
			return true
		}
		length := 1.0
		for ; length > shortest; length /= 2 {
			floats.AddScaledTo(m.trial, m.theta, length, m.step)
			floats.AddScaledTo(m.trialXi, m.xi, length, m.stepXi)
			if v := m.value(m.trial, m.trialXi); v <= value-armijo*length*decrement {
				value = v
				break
			}
		}
		if length <= shortest { // rounding errors hide any decrease; accept a point near the centre
			return decrement/2 <= 1e-3
		}
		m.theta, m.trial = m.trial, m.theta
		m.xi, m.trialXi = m.trialXi, m.xi
	}
	return true
}

// value returns the function F_τ of Barrier at (theta, xi), or +∞ outside the domain of F_τ.
func (m *master) value(theta, xi []float64) float64 {
	v := m.g.Term(theta)
	for _, x := range xi {
		v += x
	}
	v *= m.tau
	for _, x := range xi {
		v -= math.Log(max(0, x))
	}
	for i := range m.planes {
		p := &m.planes[i]
		v -= math.Log(max(0, xi[p.b]-dualspace.Dot(p.slope, theta)-p.at0))
	}
	for i := range m.g.Vectors() {
		v -= math.Log(max(0, -logMass(theta[m.g.First[i]:m.g.First[i+1]])))
	}
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// newton computes the Newton step of F_τ, and returns the squared Newton decrement, which is minus the slope of F_τ
// along the step. ok is false if the matrix has no Cholesky factor or the decrement is NaN.
func (m *master) newton() (decrement float64, ok bool) {
	m.slacks()
	n := len(m.theta)
	m.rows = models.Resize(m.rows, len(m.planes)*n+len(m.xi)*n)
	clear(m.gradient)
	at := 0
	row := func(g []float64, slack float64, mean []float64) {
		r := m.rows[at : at+n]
		at += n
		for j := range r {
			r[j] = -mean[j] / slack
			if g != nil {
				r[j] += g[j] / slack
			}
		}
	}
	for b := range m.sums {
		row(nil, m.xi[b], m.sums[b].mean)
	}
	for i := range m.planes {
		p := &m.planes[i]
		row(p.slope, p.slack, m.sums[p.b].mean)
		floats.AddScaled(m.gradient, 1/p.slack, p.slope)
	}
	blas64.Syrk(blas.Trans, 1, blas64.General{Rows: at / n, Cols: n, Stride: n, Data: m.rows[:at]}, 0,
		blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: m.hessian})
	m.terms()
	// The gradient of F_τ in ξ_b is τ − Σ 1/s, for the slacks s of the planes of block b. The elimination of ξ_b adds this
	// gradient times the mean slope of the block to the gradient in θ.
	right := m.step
	copy(right, m.gradient)
	for b := range m.sums {
		s := &m.sums[b]
		floats.AddScaled(right, m.tau-s.inverse, s.mean)
	}
	dualspace.Scale(right, -1)
	t, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: m.hessian})
	if !ok {
		return 0, false
	}
	lapack64.Potrs(t, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: m.step})
	decrement = -dualspace.Dot(m.gradient, m.step)
	for b := range m.sums {
		s := &m.sums[b]
		m.stepXi[b] = dualspace.Dot(s.mean, m.step) - (m.tau-s.inverse)/s.square
		decrement -= (m.tau - s.inverse) * m.stepXi[b]
	}
	return decrement, !math.IsNaN(decrement)
}

// slacks computes the slacks of the planes, and the blockSums of each block.
func (m *master) slacks() {
	for b := range m.sums {
		s := &m.sums[b]
		s.inverse, s.square = 1/m.xi[b], 1/(m.xi[b]*m.xi[b])
		clear(s.mean)
	}
	for i := range m.planes {
		p := &m.planes[i]
		p.slack = m.xi[p.b] - dualspace.Dot(p.slope, m.theta) - p.at0
		s := &m.sums[p.b]
		s.inverse += 1 / p.slack
		s.square += 1 / (p.slack * p.slack)
		floats.AddScaled(s.mean, 1/(p.slack*p.slack), p.slope)
	}
	for b := range m.sums {
		dualspace.Scale(m.sums[b].mean, 1/m.sums[b].square)
	}
}

// terms adds the derivatives of τ Σ f_i(θ_i) and of the barriers −log(−log Σ_j exp(θ_ij)) to the gradient and the
// Hessian of F_τ.
func (m *master) terms() {
	n, largest := len(m.theta), 0.0
	for i := range m.g.Vectors() {
		lo, hi := m.g.First[i], m.g.First[i+1]
		l := logMass(m.theta[lo:hi])
		for j := lo; j < hi; j++ {
			slope, curvature := slopeOf(m.g, j, m.theta[j])
			pj := math.Exp(m.theta[j] - l)
			m.gradient[j] += m.tau*slope - pj/l
			m.hessian[j*n+j] += m.tau*curvature - pj/l
			for k := lo; k <= j; k++ {
				m.hessian[j*n+k] += (1/(l*l) + 1/l) * pj * math.Exp(m.theta[k]-l)
			}
			largest = max(largest, m.hessian[j*n+j])
		}
	}
	for j := range n {
		m.hessian[j*n+j] += ridge * largest
	}
}

// slopeOf returns the first and second derivative at x of the term of the objective for component j of θ.
func slopeOf(g *models.Distributions, j int, x float64) (slope, curvature float64) {
	if g.Terms == nil {
		return -g.Prior[j], 0
	}
	_, slope, curvature = g.Terms.At(j, x)
	return slope, curvature
}

// logMass returns log Σ_j exp(x_j).
func logMass(x []float64) float64 { return floats.LogSumExp(x) }
