package simplicial

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

const (
	rsdMasterSteps = 200   // at most
	rsdArmijo      = 1e-4  // share of the predicted increase that a step must reach
	rsdHalvings    = 50    // of a step
	rsdActive      = 1e-6  // at most: a weight so small counts as 0 where the gradient pushes it down
	rsdMasterRound = 1e-15 // share of the terms of Q_n that may be due to rounding
)

// rsdMaster maximises the dual function over the convex hulls of points and the multipliers λ of the sums to one
// (10), (11):
//
//	max Q_n(z, ω, λ),   (z, ω) = offset + Σ_j α_j (z^j, ω^j),   α in a simplex, or one in each of several, λ ≥ 0.
//
// It is the two-metric projected Newton method (Bertsekas 1982, sections 2 and 4). In each simplex the largest weight
// is 1 minus the others, which leaves non-negativity as the only constraint, as long as a step keeps it positive.
// Variables near 0 that the gradient pushes down are moved to 0, the others by a Newton step among themselves; then all
// are projected. Steps are halved until the increase is a share of what the gradient predicts along the arc. After
// each, λ is fitted to z exactly, which the separable sum over i makes cheap. It starts from the previous weights and
// λ.
//
// A step costs a product of a matrix of the points with its transpose, m²Dim/2, and its Cholesky factor, m³/6, m the
// number of points with weight; a trial of a length costs m Dim.
type rsdMaster struct {
	dual   *rsdProximal
	stop   func() bool // nil, or polled between steps
	lambda []float64
	z      []float64
	omega  float64
	value  float64 // Q_n at z, ω and λ
	gap    float64 // by how much the gradient says that Q_n can still grow over the simplices
	steps  int     // so far
	trials int     // evaluations so far

	vars     []rsdVariable
	offset   []float64
	offsetW  float64 // ω of the offset
	stepL    []float64
	fixedL   []bool // λ_i are moved to 0
	oldL     []float64
	gradient []float64 // in λ
	newton   rsdNewton
}

// rsdVariable is a weight other than the largest of its simplex.
type rsdVariable struct {
	point    *rsdPoint
	largest  *rsdPoint
	gradient float64 // along the point minus the largest
	step     float64
	old      float64
	fixed    bool // moved to 0
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

// solve maximises over the weights of the simplices (those of all others make up the offset) until the gradient allows
// an increase of no more than the tolerance.
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
		if m.direct() <= m.round() { // values no longer show whether a step is good; the gradient does
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

// round returns a difference of values that rounding alone can cause.
func (m *rsdMaster) round() float64 { return rsdMasterRound * m.dual.size }

// refresh adapts the master problem to a new centre: it fits λ again and evaluates Q_n.
func (m *rsdMaster) refresh() {
	m.dual.at(m.z, m.omega, m.lambda)
	m.fit()
}

// fit fits λ, after an evaluation, and updates the value.
func (m *rsdMaster) fit() {
	m.dual.fit(m.z, m.lambda)
	m.value = m.dual.total(m.z, m.omega, m.lambda)
}

// evaluate finds z and ω of the weights, and Q_n there.
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

// look finds the variables, their gradients, and which of them are moved to 0.
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

// direct finds the steps of all variables, and returns the increase that the gradient predicts for a whole one, half
// of it for those that a Newton step moves.
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

// search halves the step until Q_n grows as it should along the projected arc, and goes there. It reports whether it
// has gone.
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

// moveTo sets the variables to those at a length of the arc. It returns the increase that the gradient promises, and
// whether the largest weights stay positive.
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
