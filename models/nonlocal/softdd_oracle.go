package nonlocal

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// softDecomposition finds the best labelling of a chain under soft constraints a_j·U(y) ≤ b_j, with a penalty c_j ≥ 0
// for each unit by which one is violated (Anzaroot et al. 2014),
//
//	max_y θ·1_y − Σ_j c_j max(0, a_j·U(y) − b_j),
//
// by dual decomposition. As c max(0, z) = max {λ z : 0 ≤ λ ≤ c}, each such λ gives an upper bound,
//
//	D(λ) = max_y [θ·1_y − Σ_j λ_j a_j·U(y)] + Σ_j λ_j b_j,
//
// at the price of one call of the max-oracle of the chain, whose labelling y is a candidate. From λ = 0,
//
//	λ_j ← min(c_j, max(0, λ_j + η (a_j·U(y) − b_j))),   η = (D(λ) − best value)/((1 + m) Σ_j (a_j·U(y) − b_j)²)
//
// which is the step of Polyak (1969), the sum over those j whose λ_j can move that way, made smaller with the number m
// of times that D has risen (Rush and Collins 2012). The best candidate is optimal as soon as the lowest bound is its
// value; otherwise it is the best found in maxCalls calls. Hard constraints would differ only in that λ has no upper
// limit.
type softDecomposition struct {
	k           int // labels
	list        []Measurement
	constraints []softConstraint // the same
	pairs       bool             // whether any of them counts pairs of labels
	maxCalls    int
	pool        scratch.Pool[softScratch]
}

// softConstraint is a·U(y) ≤ b in whole numbers; U is the totals of energy.Totals.
type softConstraint struct {
	index, value []int // of a
	bound        int   // b
}

type softScratch struct {
	lambda, change []float64 // of each constraint: λ_j, and a_j·U(y) − b_j if λ_j can move that way, or 0
	totals         []int     // U(y)
	excess         []int     // a_j·U(y) − b_j
	shift          []float64 // Σ_j λ_j a_j
	tilted         []float64 // scores of the chain's parts
	y, best        models.Vertex
	bestExcess     []int // of the best labelling
}

// newSoftDecomposition takes measurements that hold where a·U − b ≥ 1: as constraints, −a·U ≤ −(1 + b).
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

func whole(x float64) int {
	if x != math.Trunc(x) {
		panic(fmt.Sprintf("nonlocal: soft constraints: a measurement has the number %v: want whole ones", x))
	}
	return int(x)
}

// softTolerance is the distance of bound and value, relative to the bound, that counts as rounding.
const softTolerance = 1e-11

// met reports whether a value has met its upper bound, up to rounding.
func met(value, bound float64) bool { return bound-value <= softTolerance*max(1, math.Abs(bound)) }

// solve writes the best labelling of l positions that it finds into s.best and s.bestExcess, and returns its value
// and the lowest bound. theta is of the chain's parts, then −c_j; penalties below 0 count as 0.
func (d *softDecomposition) solve(s *softScratch, base models.MaxOracle, theta []float64, l int) (value,
	bound float64) {
	j := len(d.constraints)
	parts := len(theta) - j
	if nodes := l * d.k; parts < nodes || (parts-nodes)%(d.k*d.k) != 0 {
		panic(fmt.Sprintf("nonlocal: soft constraints: %d part scores are not those of %d positions with %d labels and %d "+
			"constraints", len(theta), l, d.k, j))
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

// measure writes a_j·U(y) − b_j for the labels whose parts y has. If a cost is given, labels that cost something are
// left out: a true label with a cost is one that the base has no name for.
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

// penalty returns Σ_j c_j max(0, z_j) for tail scores −c_j.
func penalty(excess []int, tail []float64) float64 {
	var p float64
	for i, z := range excess {
		if z > 0 && tail[i] < 0 {
			p -= tail[i] * float64(z)
		}
	}
	return p
}

// step moves λ so that D would fall by so much if it were linear. It returns false if no λ_j can move: then the
// labelling is optimal.
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

// tilt returns θ − Σ_j λ_j a_j.
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
