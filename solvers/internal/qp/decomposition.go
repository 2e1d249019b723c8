package qp

import (
	"math"
	"slices"
)

// Decomposition is the generic decomposition method of SVM-light (Joachims 1999, sections 2 to 4). Joachims, Finley and
// Yu (2009) used this kind of solver for the n-slack method. Decomposition stores v_k = d_k − w·g_k for all columns k.
// A step chooses the Pairs blocks of largest violation
//
//	max(0, max_{k ∈ i} v_k) − min_{k ∈ i, α_k > 0} v_k        (the slack variable, with v = 0, counts as a column)
//
// among the blocks with gap_i > tol (see Blocks for gap_i, v and D), and one pair (a, b) of columns in each chosen
// block. Then it maximises D jointly over the amounts t, one for each pair, that it moves from α_b to α_a. This is a
// box-constrained quadratic programme with slopes v_a − v_b, and with curvatures (g_a − g_b)·(g_a' − g_b') for two
// pairs (a, b) and (a', b'). Finally it updates
//
//	v_k ← v_k − Σ_pairs t (g_a·g_k − g_b·g_k)   for every column k.
//
// The update needs rows of the Gram matrix. These rows are cached in up to CacheBytes of memory; the least recently
// used row is removed first.
//
// A step costs, for each pair, a time proportional to the number of all columns. For each row that is not in the cache,
// it also costs a time proportional to the number of non-zeros of all columns. So the cost grows faster than the number
// of columns, as in Joachims, Finley and Yu (2009). Before Solve ends, it recomputes w and v and checks the gaps again.
// Only one goroutine may use a Decomposition at a time. The next Solve uses the same cache.
type Decomposition struct {
	Pairs      int // number of pairs of columns in a step; 0 means 1, the pair of largest violation
	CacheBytes int // memory for rows of the Gram matrix; 0 means 100 MB
	// Stop may be nil. Solve calls it after each step, and returns as soon as Stop returns true.
	Stop func() bool

	order []int32   // numbers of the columns in Blocks, block by block
	spans []span    // the blocks that have columns
	v     []float64 // the violation v_k of each column k
	alpha []float64 // alpha[p] is α of the column order[p]
	pairs []pair    // the pairs of the present step
	rows  rowCache  // rows of the Gram matrix
}

var _ Solver = (*Decomposition)(nil)

// span is a block that has columns. Its columns are order[first:last].
type span struct {
	block       int32
	first, last int32
	free        float64 // value of the block's slack variable
}

// Solve implements Solver. It returns the number of steps (see Decomposition).
func (s *Decomposition) Solve(b *Blocks, tol float64) (steps int) {
	s.load(b)
	for range maxSteps / 10 { // each round makes up to about 10 steps per column, and then recomputes w and v
		before, tol := steps, max(tol, b.Resolution())
		for steps < before+10*(b.Len()+100) && s.choose(b.capacity, tol) && s.step(b) {
			if steps++; s.Stop != nil && s.Stop() {
				s.store(b)
				return steps
			}
		}
		if steps == before {
			break // with w and v just recomputed, no block has a gap above tol
		}
		s.store(b)
		s.gradient(b)
	}
	return steps
}

// load copies α from b, block by block, and computes w and v.
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

// gradient computes v_k = d_k − w·g_k of all columns k.
func (s *Decomposition) gradient(b *Blocks) {
	s.v = slices.Grow(s.v[:0], b.Len())[:b.Len()]
	for k := range s.v {
		s.v[k] = b.loss[k] - b.dot(int32(k), b.w)
	}
}

// store copies α back to b, and computes w from α.
func (s *Decomposition) store(b *Blocks) {
	for _, sp := range s.spans {
		copy(b.blocks[sp.block].alpha, s.alpha[sp.first:sp.last])
	}
	b.sumW()
}

// choose finds the pairs of largest violation (see Decomposition) among the blocks whose gap exceeds tol, and sorts the
// pairs by decreasing violation. It reports whether there is any pair.
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

// step maximises the dual objective D over the amounts t that the chosen pairs move, updates v, and reports whether D
// increases.
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

// variable returns the α of the column order[p], or the value of the slack variable if p is −1.
func (s *Decomposition) variable(q *pair, p int32) float64 {
	if p < 0 {
		return s.spans[q.span].free
	}
	return s.alpha[p]
}

// shift adds t to the α of the column order[p], or to the slack variable if p is −1.
func (s *Decomposition) shift(q *pair, p int32, t float64) {
	if p < 0 {
		s.spans[q.span].free += t
	} else {
		s.alpha[p] += t
	}
}
