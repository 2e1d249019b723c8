package qp

import (
	"math"
	"slices"
)

// Decomposition is the generic decomposition method of SVM-light (Joachims 1999, sections 2 to 4), the kind of solver
// that the n-slack method had in the cutting-plane paper. It keeps v_k = d_k − w·g_k of all columns. A step chooses the
// Pairs blocks of largest violation
//
//	max(0, max_{k ∈ i} v_k) − min_{k ∈ i, α_k > 0} v_k        (the slack, v = 0, counts as a column)
//
// among those with gap_i > tol, one pair (a, b) of columns in each, and maximises D over the amounts t that move from
// b to a, a box-constrained quadratic programme with slopes v_a − v_b and curvatures (g_a − g_b)·(g_a' − g_b'). Then
//
//	v_k ← v_k − Σ_pairs t (g_a·g_k − g_b·g_k)   for every column k.
//
// The rows of the Gram matrix that this takes are cached up to CacheBytes, the least recently used dropped first.
//
// A step costs the number of all columns for each pair, and for each row not in the cache all their non-zeros; so the
// cost grows faster than the number of columns, as the paper's did. The end is certified with w and v computed afresh.
// A value is for one Solve at a time, and keeps its cache for the next.
type Decomposition struct {
	Pairs      int // of columns that a step works on; 0 is 1, the maximal violating pair
	CacheBytes int // of memory for rows of the Gram matrix; 0 is 100 MB
	// Stop is nil, or polled by Solve, which returns as soon as it is true.
	Stop func() bool

	order []int32 // columns, block by block
	spans []span
	v     []float64 // by column
	alpha []float64 // by place in order
	pairs []pair
	rows  rowCache
}

var _ Solver = (*Decomposition)(nil)

// span is a block that has columns: places first to last of order.
type span struct {
	block       int32
	first, last int32
	free        float64 // α of the slack
}

// Solve implements Solver; it counts the steps.
func (s *Decomposition) Solve(b *Blocks, tol float64) (steps int) {
	s.load(b)
	for range maxSteps / 10 { // of 10 steps for each column, before w and v are computed afresh
		before, tol := steps, max(tol, b.Resolution())
		for steps < before+10*(b.Len()+100) && s.choose(b.capacity, tol) && s.step(b) {
			if steps++; s.Stop != nil && s.Stop() {
				s.store(b)
				return steps
			}
		}
		if steps == before {
			break // w and v are fresh, and leave nothing to do
		}
		s.store(b)
		s.gradient(b)
	}
	return steps
}

// load copies α, block by block, and computes w and v.
func (s *Decomposition) load(b *Blocks) {
	s.order, s.spans, s.alpha = s.order[:0], s.spans[:0], s.alpha[:0]
	for i := range b.blocks {
		own := &b.blocks[i]
		if len(own.columns) == 0 {
			continue
		}
		free := b.capacity
		for _, a := range own.alpha {
			free -= a
		}
		first := int32(len(s.order))
		s.order, s.alpha = append(s.order, own.columns...), append(s.alpha, own.alpha...)
		s.spans = append(s.spans, span{int32(i), first, int32(len(s.order)), max(free, 0)})
	}
	bytes := s.CacheBytes
	if bytes <= 0 {
		bytes = 100 << 20
	}
	s.rows.follow(b, bytes, 2*max(1, s.Pairs))
	b.sumW()
	s.gradient(b)
}

func (s *Decomposition) gradient(b *Blocks) {
	s.v = slices.Grow(s.v[:0], b.Len())[:b.Len()]
	for k := range s.v {
		s.v[k] = b.loss[k] - b.dot(int32(k), b.w)
	}
}

// store writes α back and sums w.
func (s *Decomposition) store(b *Blocks) {
	for _, sp := range s.spans {
		copy(b.blocks[sp.block].alpha, s.alpha[sp.first:sp.last])
	}
	b.sumW()
}

// choose finds the pairs of largest violation, in falling order, of blocks whose gap exceeds tol. It reports whether
// there are any.
func (s *Decomposition) choose(capacity, tol float64) bool {
	most := max(1, s.Pairs)
	s.pairs = s.pairs[:0]
	for i, sp := range s.spans {
		up, down := int32(-1), int32(-1)
		high, low, held := 0.0, 0.0, 0.0
		if !(sp.free > 0) {
			low = math.Inf(1)
		}
		for p := sp.first; p < sp.last; p++ {
			v := s.v[s.order[p]]
			if v > high {
				up, high = p, v
			}
			if a := s.alpha[p]; a > 0 {
				held += a * v
				if v < low {
					down, low = p, v
				}
			}
		}
		if !(high-held/capacity > tol) {
			continue
		}
		at := len(s.pairs)
		for at > 0 && s.pairs[at-1].violation < high-low {
			at--
		}
		if at < most {
			s.pairs = slices.Insert(s.pairs[:min(len(s.pairs), most-1)], at,
				pair{span: i, up: up, down: down, violation: high - low})
		}
	}
	return len(s.pairs) > 0
}

// step maximises D over the chosen pairs and reports whether that gains anything.
func (s *Decomposition) step(b *Blocks) bool {
	for i := range s.pairs {
		q := &s.pairs[i]
		q.low, q.high = -s.variable(q, q.up), s.variable(q, q.down)
		if q.up >= 0 {
			q.rowUp = s.rows.get(b, s.order[q.up])
		}
		if q.down >= 0 {
			q.rowDown = s.rows.get(b, s.order[q.down])
		}
	}
	gain := s.ascend(b)
	for i := range s.pairs {
		if q := &s.pairs[i]; q.t != 0 {
			s.shift(q, q.up, q.t)
			s.shift(q, q.down, -q.t)
			subtract(s.v, q.t, q.rowUp, q.rowDown)
		}
	}
	return gain > 0
}

// variable returns α at a place, or that of the slack.
func (s *Decomposition) variable(q *pair, p int32) float64 {
	if p < 0 {
		return s.spans[q.span].free
	}
	return s.alpha[p]
}

func (s *Decomposition) shift(q *pair, p int32, t float64) {
	if p < 0 {
		s.spans[q.span].free += t
	} else {
		s.alpha[p] += t
	}
}
