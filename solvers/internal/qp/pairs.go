package qp

import "math"

// pair is a move of the amount t from the variable down of a block to the variable up. down and up are indices of
// Decomposition.order, or −1 for the slack variable.
type pair struct {
	span           int // index of the block in Decomposition.spans
	up, down       int32
	violation      float64   // v of up minus v of down (see Decomposition)
	low, high, t   float64   // the amount t and its limits: low ≤ t ≤ high
	rowUp, rowDown []float64 // rows of the Gram matrix for up and down; nil for the slack variable
}

// ascend maximises the dual objective D over the amounts t of the pairs by coordinate ascent. It returns the increase
// of D. With one pair, the first round of coordinate ascent gives the exact maximum.
func (s *Decomposition) ascend(b *Blocks) (gain float64) {
	for range 100 {
		round := 0.0
		for i := range s.pairs {
			q := &s.pairs[i]
			slope := q.violation
			for j := range s.pairs {
				if r := &s.pairs[j]; r.t != 0 {
					slope -= r.t * s.curvature(q, r)
				}
			}
			curvature := max(s.curvature(q, q), 1e-14*(s.norm(b, q.up)+s.norm(b, q.down)))
			next := min(max(q.t+slope/max(curvature, math.SmallestNonzeroFloat64), q.low), q.high)
			t := next - q.t
			q.t = next
			round += t * (slope - t*curvature/2)
		}
		gain += round
		if len(s.pairs) == 1 || round <= 1e-3*gain {
			break
		}
	}
	return gain
}

// curvature returns (g_up − g_down)·(g_up' − g_down') for the columns up and down of the pair q, and up' and down' of
// the pair r.
func (s *Decomposition) curvature(q, r *pair) (h float64) {
	if r.up >= 0 {
		k := s.order[r.up]
		h += entry(q.rowUp, k) - entry(q.rowDown, k)
	}
	if r.down >= 0 {
		k := s.order[r.down]
		h -= entry(q.rowUp, k) - entry(q.rowDown, k)
	}
	return h
}

// entry returns entry k of a row of the Gram matrix, or 0 if row is nil: the slack variable has no row.
func entry(row []float64, k int32) float64 {
	if row == nil {
		return 0
	}
	return row[k]
}

// norm returns |g|² of the column order[p], or 0 if p is −1, the slack variable.
func (s *Decomposition) norm(b *Blocks, p int32) float64 {
	if p < 0 {
		return 0
	}
	return b.norm[s.order[p]]
}

// subtract subtracts t (a − b) from v. A nil row counts as zeros.
func subtract(v []float64, t float64, a, b []float64) {
	switch {
	case a == nil:
		for k, x := range b[:len(v)] {
			v[k] += t * x
		}
	case b == nil:
		for k, x := range a[:len(v)] {
			v[k] -= t * x
		}
	default:
		b = b[:len(v)]
		for k, x := range a[:len(v)] {
			v[k] -= t * (x - b[k])
		}
	}
}
