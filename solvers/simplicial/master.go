package simplicial

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

const (
	rsdMasterSteps = 200   // largest number of steps for one master problem
	rsdArmijo      = 1e-4  // a step must increase Q_n by at least this share of the predicted increase
	rsdHalvings    = 50    // largest number of halvings of a step
	rsdActive      = 1e-6  // a step moves a variable to 0 if its value is at most this and its gradient at most 0
	rsdMasterRound = 1e-15 // rounding error of Q_n, as a share of the magnitudes of its terms
)

// rsdMaster solves the master problems of RSD, (10) and (11) of the paper of Yu, Bertsekas and Rousu. It maximises the
// dual function Q_n of rsdProximal over the convex hulls of points (z^j, ω^j), and over the multipliers λ of the
// constraints that probabilities sum to one:
//
//	max Q_n(z, ω, λ),   (z, ω) = offset + Σ_j α_j (z^j, ω^j),   α ≥ 0, λ ≥ 0.
//
// There is one simplex, or one for each working set (see rsdSets). The weights α_j of the points of each simplex sum to
// 1. The offset is the sum of the present points of the simplices that this master problem keeps fixed; without such
// simplices it is 0.
//
// rsdMaster uses the two-metric projected Newton method (Bertsekas 1982, sections 2 and 4). In each simplex, the
// largest weight is replaced by 1 minus the sum of the other weights. While a step keeps this weight positive,
// non-negativity of the other weights is the only constraint. Variables near 0 with a gradient of at most 0 are moved
// to 0. The other variables are moved by a Newton step. Then all variables are projected to non-negative values. The
// step is halved until the increase is at least a share rsdArmijo of the increase that the gradient predicts along the
// projected arc. After each step, λ is fitted to z exactly, which costs little because Q_n is a separable sum over i. A
// master problem starts from the previous weights and λ.
//
// Cost: let m be the number of points with positive weight. A step costs m²Dim/2 operations for the product of the
// matrix of the points with its transpose, and m³/6 for the Cholesky factor of this product. Each trial of a step
// length costs m Dim operations.
type rsdMaster struct {
	dual   *rsdProximal // the dual function Q_n
	stop   func() bool  // may be nil; if stop returns true before a step, the master problem ends
	lambda []float64    // the present multipliers λ_i of the constraints that probabilities sum to one
	z      []float64    // z of the present point (z, ω)
	omega  float64      // ω of the present point
	value  float64      // the dual function Q_n at z, ω and λ
	gap    float64      // first-order bound on the further increase of Q_n over the simplices
	steps  int          // number of steps so far
	trials int          // number of evaluations of Q_n so far

	vars     []rsdVariable // the weights α_j that a step moves
	offset   []float64     // z of the offset (see rsdMaster)
	offsetW  float64       // ω of the offset
	stepL    []float64     // the full step of λ
	fixedL   []bool        // for each i: whether the step moves λ_i to 0
	oldL     []float64     // λ before the step
	gradient []float64     // gradient of Q_n in λ
	newton   rsdNewton
}

// rsdVariable is a variable of the master problem: the weight of a point that is not the point of largest weight in its
// simplex.
type rsdVariable struct {
	point    *rsdPoint
	largest  *rsdPoint
	gradient float64 // derivative of Q_n in the direction from largest to point
	step     float64 // the change of the weight in a full step
	old      float64 // the weight before the step
	fixed    bool    // whether the step moves the weight to 0
}

func newRSDMaster(dual *rsdProximal, width int) *rsdMaster {
	n := dual.g.Vectors()
	m := &rsdMaster{dual: dual, lambda: make([]float64, n), z: make([]float64, width), offset: make([]float64, width),
		stepL:  make([]float64, n),
		fixedL: make([]bool, n), oldL: make([]float64, n), gradient: make([]float64, n)}
	for i := range m.lambda {
		m.lambda[i] = 1
	}
	return m
}

// solve maximises the dual function Q_n over the weights of the given simplices and over λ (see rsdMaster). All other
// simplices are fixed, and the sum of their points is the offset. solve ends when the gradient shows that Q_n cannot
// increase by more than the tolerance.
func (m *rsdMaster) solve(simplices []*rsdSimplex, tolerance float64) {
	m.evaluate(simplices)
	m.fit()
	least := math.Inf(1)
	for range rsdMasterSteps {
		m.look(simplices)
		if m.gap <= tolerance || m.stop != nil && m.stop() {
			break
		}
		m.steps++
		if m.direct() <= m.round() { // the increase is below rounding errors; continue if the gap has halved
			if !(m.gap <= least/2) {
				break
			}
			least = m.gap
		}
		if !m.search(simplices) {
			break
		}
	}
	for _, s := range simplices {
		s.move()
	}
}

// round returns the size of the rounding errors in Q_n, the dual function that the master problem maximises.
func (m *rsdMaster) round() float64 { return rsdMasterRound * m.dual.size }

// refresh adapts the master problem to a new centre: it evaluates Q_n, fits the multipliers λ again, and updates the
// value.
func (m *rsdMaster) refresh() {
	m.dual.at(m.z, m.omega, m.lambda)
	m.fit()
}

// fit maximises Q_n over the multipliers λ, with z fixed, and updates the value. The last evaluation must have been at
// z.
func (m *rsdMaster) fit() {
	m.dual.fit(m.z, m.lambda)
	m.value = m.dual.total(m.z, m.omega, m.lambda)
}

// evaluate computes z and ω from the weights of the points, and returns the dual function Q_n there.
func (m *rsdMaster) evaluate(simplices []*rsdSimplex) float64 {
	copy(m.z, m.offset)
	m.omega = m.offsetW
	for _, s := range simplices {
		for _, p := range s.points {
			if p.alpha > 0 {
				floats.AddScaled(m.z, p.alpha, p.z)
				m.omega += p.alpha * p.omega
			}
		}
	}
	m.trials++
	return m.dual.at(m.z, m.omega, m.lambda)
}

// look lists the variables with their gradients, and marks the variables that the next step is to move to 0. It also
// computes the gap: a first-order bound on the further increase of Q_n over the simplices.
func (m *rsdMaster) look(simplices []*rsdSimplex) {
	m.vars, m.gap = m.vars[:0], 0
	for _, s := range simplices {
		largest := s.pick()
		along := largest.omega + floats.Dot(m.dual.slope, largest.z)
		top, mean := 0.0, 0.0
		for _, p := range s.points {
			if p == largest {
				continue
			}
			g := p.omega + floats.Dot(m.dual.slope, p.z) - along
			top = max(top, g)
			mean += p.alpha * g
			m.vars = append(m.vars, rsdVariable{point: p, largest: largest, gradient: g})
		}
		m.gap += top - mean
	}
	small := min(rsdActive, m.gap/(1+math.Abs(m.value)))
	for j := range m.vars {
		v := &m.vars[j]
		v.fixed = v.point.alpha <= small && v.gradient <= 0
	}
	for i, mass := range m.dual.mass {
		m.gradient[i] = mass - 1
		m.fixedL[i] = m.lambda[i] <= small && mass < 1
	}
}

// direct computes the steps of all variables, which are the weights in vars and the multipliers λ. It returns the
// increase that a full Newton step is predicted to give: half of gradient times step, summed over the variables that
// are not moved to 0.
func (m *rsdMaster) direct() (predicted float64) {
	m.newton.solve(m.dual, m.vars, m.gradient, m.fixedL, m.stepL)
	for j := range m.vars {
		if v := &m.vars[j]; v.fixed {
			v.step = -v.point.alpha
		} else {
			predicted += v.gradient * v.step / 2
		}
	}
	for i, l := range m.lambda {
		if m.fixedL[i] {
			m.stepL[i] = -l
		} else {
			predicted += m.gradient[i] * m.stepL[i] / 2
		}
	}
	return predicted
}

// search halves the step length along the projected arc (see rsdMaster) until the dual function Q_n increases by at
// least the share rsdArmijo of the predicted increase, and then makes this step. It reports whether it found such a
// step; if not, the variables are unchanged.
func (m *rsdMaster) search(simplices []*rsdSimplex) bool {
	length := 1.0
	for j := range m.vars {
		m.vars[j].old = m.vars[j].point.alpha
		length = min(length, 1/max(1, m.vars[j].step))
	}
	copy(m.oldL, m.lambda)
	for range rsdHalvings {
		if promised, inside := m.moveTo(simplices, length); inside {
			if value := m.evaluate(simplices); value >= m.value+rsdArmijo*promised-m.round() {
				m.fit()
				return true
			}
		}
		length /= 2
	}
	m.moveTo(simplices, 0)
	m.evaluate(simplices)
	return false
}

// moveTo sets the variables to old + length·step, projected to non-negative values. It returns the increase that the
// gradient predicts, and whether the weight of each simplex's point largest stays positive.
func (m *rsdMaster) moveTo(simplices []*rsdSimplex, length float64) (promised float64, inside bool) {
	for i := range m.lambda {
		m.lambda[i] = max(0, m.oldL[i]+length*m.stepL[i])
		if m.fixedL[i] {
			promised += m.gradient[i] * (m.lambda[i] - m.oldL[i])
		} else {
			promised += m.gradient[i] * length * m.stepL[i]
		}
	}
	for j := range m.vars {
		v := &m.vars[j]
		v.point.alpha = max(0, v.old+length*v.step)
		if v.fixed {
			promised += v.gradient * (v.point.alpha - v.old)
		} else {
			promised += v.gradient * length * v.step
		}
	}
	inside = true
	for _, s := range simplices {
		inside = s.balance() && inside
	}
	return promised, inside
}
