package nonlocal

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// softDecomposition finds the best labelling of a chain under soft constraints a_j·U(y) ≤ b_j, with a penalty c_j ≥ 0
// for each unit of violation (Anzaroot et al. 2014),
//
//	max_y θ·1_y − Σ_j c_j max(0, a_j·U(y) − b_j),
//
// by dual decomposition. As c max(0, z) = max {λ z : 0 ≤ λ ≤ c}, each λ with 0 ≤ λ_j ≤ c_j gives an upper bound,
//
//	D(λ) = max_y [θ·1_y − Σ_j λ_j a_j·U(y)] + Σ_j λ_j b_j,
//
// at the cost of one call of the max-oracle of the chain. The labelling y of this call is a candidate. The updates from
// λ = 0 are
//
//	λ_j ← min(c_j, max(0, λ_j + η (a_j·U(y) − b_j))),   η = (D(λ) − best value)/((1 + m) Σ_j (a_j·U(y) − b_j)²)
//
// where η is the step size of Polyak (1969). The sum is over the j whose λ_j can move in this direction. The step
// decreases with the number m of times that D has increased (Rush and Collins 2012). If the lowest bound equals the
// value of the best candidate, this candidate is optimal. Otherwise the result is the best candidate found in maxCalls
// calls. Hard constraints would differ only in that λ has no upper limit.
type softDecomposition struct {
	k           int // number of labels
	list        []Measurement
	constraints []softConstraint // the measurements of list as constraints
	pairs       bool             // whether a constraint depends on counts of pairs of labels
	maxCalls    int
	pool        scratch.Pool[softScratch]
}

// softConstraint is the constraint a·U(y) ≤ b in whole numbers, where U(y) are the totals of energy.Totals.
type softConstraint struct {
	index, value []int // indices and values of the non-zeros of a
	bound        int   // b, the bound
}

type softScratch struct {
	lambda, change []float64 // for each constraint j: λ_j; and a_j·U(y) − b_j, or 0 if λ_j cannot move in this direction
	totals         []int     // U(y), the totals of a labelling y
	excess         []int     // a_j·U(y) − b_j for each constraint j (see softDecomposition)
	shift          []float64 // Σ_j λ_j a_j, which tilt subtracts from the scores of labels and pairs
	tilted         []float64 // tilted scores θ − Σ_j λ_j a_j of the chain's parts
	y, best        models.Vertex
	bestExcess     []int // a_j·U(y) − b_j for the best labelling y found so far
}

// newSoftDecomposition turns measurements a·U − b ≥ 1 (see Measurement) into constraints −a·U ≤ −(1 + b).
func newSoftDecomposition(k int, list []Measurement, maxCalls int) *softDecomposition {
	d := &softDecomposition{k: k, list: list, maxCalls: maxCalls, constraints: make([]softConstraint, len(list))}
	for j, m := range list {
		c := &d.constraints[j]
		c.bound = -1 - whole(m.B)
		for i, r := range m.Row.Index {
			c.index, c.value = append(c.index, int(r)), append(c.value, -whole(m.Row.Value[i]))
			d.pairs = d.pairs || int(r) >= k
		}
	}
	return d
}

// whole returns x as an integer. It panics if x is not a whole number.
func whole(x float64) int {
	if x != math.Trunc(x) {
		panic(fmt.Sprintf("nonlocal: soft constraints: a measurement has the number %v: want whole numbers", x))
	}
	return int(x)
}

// softTolerance is the largest difference between bound and value, relative to the bound, that counts as a rounding
// error.
const softTolerance = 1e-11

// met reports whether a value equals its upper bound, up to rounding.
func met(value, bound float64) bool { return bound-value <= softTolerance*max(1, math.Abs(bound)) }

// solve writes the best labelling of l positions that it finds to s.best and s.bestExcess. It returns the value of this
// labelling and the lowest bound. theta has the scores of the chain's parts, then −c_j for each constraint, where c_j
// is its penalty. Negative penalties count as 0.
func (d *softDecomposition) solve(s *softScratch, base models.MaxOracle, theta []float64, l int) (value,
	bound float64) {
	j := len(d.constraints)
	parts := len(theta) - j
	if nodes := l * d.k; parts < nodes || (parts-nodes)%(d.k*d.k) != 0 {
		panic(fmt.Sprintf("nonlocal: soft constraints: no sequence of %d positions with %d labels and %d constraints "+
			"has %d part scores", l, d.k, j, len(theta)))
	}
	scores, tail := theta[:parts], theta[parts:]
	s.lambda, s.change = scratch.Grow(s.lambda, j), scratch.Grow(s.change, j)
	clear(s.lambda)
	value, bound = math.Inf(-1), math.Inf(1)
	tilted, last, rises := scores, math.Inf(1), 0
	for call := 1; ; call++ {
		var top float64
		s.y, top = base.Max(s.y, tilted)
		d.measure(s, s.y[:l], nil)
		if v := s.y.Dot(scores) - penalty(s.excess, tail); call == 1 || v > value {
			value = v
			s.best, s.bestExcess = append(s.best[:0], s.y...), append(s.bestExcess[:0], s.excess...)
		}
		for i, c := range d.constraints {
			top += s.lambda[i] * float64(c.bound)
		}
		bound = min(bound, top)
		if top > last {
			rises++
		}
		last = top
		if call >= d.maxCalls || met(value, bound) ||
			!d.step(s, tail, (top-value)/float64(1+rises)) {
			return value, bound
		}
		tilted = d.tilt(s, scores, l)
	}
}

// measure writes a_j·U(y) − b_j to s.excess, for each constraint j (see softDecomposition). y has one part for each
// position: the part of its label. If cost is not nil, measure ignores the labels in y with a positive cost. For a true
// labelling y these are the labels that the base does not know.
func (d *softDecomposition) measure(s *softScratch, y models.Vertex, cost []float64) {
	k := d.k
	s.totals = scratch.Grow(s.totals, k+k*k)
	clear(s.totals)
	before := -1
	for t, r := range y {
		label := r - t*k
		if cost != nil && cost[r] != 0 {
			before = -1
			continue
		}
		s.totals[label]++
		if before >= 0 {
			s.totals[k+before*k+label]++
		}
		before = label
	}
	s.excess = scratch.Grow(s.excess, len(d.constraints))
	for j, c := range d.constraints {
		z := -c.bound
		for i, r := range c.index {
			z += c.value[i] * s.totals[r]
		}
		s.excess[j] = z
	}
}

// penalty returns Σ_j c_j max(0, z_j), where z_j is the excess of constraint j and c_j its penalty. tail has the
// numbers −c_j, which are the scores of the constraints' parts.
func penalty(excess []int, tail []float64) float64 {
	var p float64
	for i, z := range excess {
		if z > 0 && tail[i] < 0 {
			p -= tail[i] * float64(z)
		}
	}
	return p
}

// step moves λ so that the bound D(λ) would decrease by fall if D were linear (see softDecomposition). It returns false
// if no λ_j can move. The labelling is optimal then.
func (d *softDecomposition) step(s *softScratch, tail []float64, fall float64) bool {
	var norm float64
	for i, z := range s.excess {
		s.change[i] = 0
		if z < 0 && s.lambda[i] > 0 || z > 0 && s.lambda[i] < -tail[i] {
			s.change[i] = float64(z)
			norm += float64(z * z)
		}
	}
	if norm == 0 {
		return false
	}
	for i, z := range s.change {
		if z != 0 {
			s.lambda[i] = min(-tail[i], max(0, s.lambda[i]+fall/norm*z))
		}
	}
	return true
}

// tilt returns the scores θ − Σ_j λ_j a_j, whose best labelling gives the bound D(λ) (see softDecomposition).
func (d *softDecomposition) tilt(s *softScratch, scores []float64, l int) []float64 {
	k := d.k
	s.shift = scratch.Grow(s.shift, k+k*k)
	clear(s.shift)
	for i, lambda := range s.lambda {
		if lambda == 0 {
			continue
		}
		c := &d.constraints[i]
		for n, r := range c.index {
			s.shift[r] += lambda * float64(c.value[n])
		}
	}
	s.tilted = append(s.tilted[:0], scores...)
	for t := range l {
		subtract(s.tilted[t*k:(t+1)*k], s.shift[:k])
	}
	if d.pairs {
		for pairs := s.tilted[l*k:]; len(pairs) > 0; pairs = pairs[k*k:] {
			subtract(pairs[:k*k], s.shift[k:])
		}
	}
	return s.tilted
}

func subtract(dst, x []float64) {
	for i, v := range x {
		dst[i] -= v
	}
}
