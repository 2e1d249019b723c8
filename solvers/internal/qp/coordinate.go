package qp

import (
	"math/rand/v2"
	"slices"
)

// Coordinate is dual coordinate ascent block by block. A visit to block i computes v_k = d_k − w·g_k of its columns
// and, if gap_i > tol, improves the block by minimal steps before it carries the change of α over to w. A step takes
// t from one variable of the block to another, where the slack α_0 = Cap − Σ_k α_k with g_0 = 0 and d_0 = 0 is one of
// them:
//
//	α_a ← α_a + t,  α_b ← α_b − t,   t = min(α_b, (v_a − v_b) / |g_a − g_b|²),
//
// with a = argmax v, and the b of largest gain t (v_a − v_b) − ½ t² |g_a − g_b|² (near the second-order choice of Fan,
// Chen and Lin 2005). A block whose gap_i was small is left out until all are small; those left over are visited in an
// order drawn from Seed. The end is a sweep over all blocks that finds every gap_i ≤ tol and so moves nothing.
//
// A visit costs the non-zeros of the block's columns, a step the number of its columns. The Gram matrix of a block is
// kept while it is narrow. A value is for one Solve at a time.
type Coordinate struct {
	Seed uint64
	Stop func() bool // nil, or polled by Solve, which returns as soon as it is true

	list       []int32
	v, old     []float64
	rowA, rowB []float64
}

var _ Solver = (*Coordinate)(nil)

const (
	wideBlock = 128   // columns of a block from which its Gram matrix is not kept: below, it is at most 512 bytes a column
	maxSteps  = 10000 // of Solve, for each column: a guard only
)

// Solve implements Solver; it counts the minimal steps.
func (c *Coordinate) Solve(b *Blocks, tol float64) (steps int) {
	rng := rand.New(rand.NewPCG(c.Seed, 1))
	most := maxSteps * (b.Len() + 100)
	list := c.everyBlock(b)
	all, floor := true, b.Resolution()
	for steps < most {
		violated := list[:0]
		for _, i := range list {
			if c.Stop != nil && c.Stop() {
				return steps
			}
			if n := c.visit(b, &b.blocks[i], max(tol, floor)); n > 0 {
				violated = append(violated, i)
				steps += n
			}
		}
		switch {
		case len(violated) > 0:
			list, all = violated, false
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		case all:
			return steps
		default:
			list = c.everyBlock(b)
			all, floor = true, b.Resolution()
		}
	}
	return steps
}

// everyBlock lists the blocks that have columns, for a sweep over a w that has not drifted far.
func (c *Coordinate) everyBlock(b *Blocks) []int32 {
	if b.changes > b.Len() {
		b.sumW()
	}
	c.list = c.list[:0]
	for i := range b.blocks {
		if len(b.blocks[i].columns) > 0 {
			c.list = append(c.list, int32(i))
		}
	}
	return c.list
}

// visit improves a block whose gap exceeds tol, and returns its steps.
func (c *Coordinate) visit(b *Blocks, own *block, tol float64) (steps int) {
	n := len(own.columns)
	c.v = slices.Grow(c.v[:0], n)[:n]
	free := b.capacity
	for p, k := range own.columns {
		c.v[p] = b.loss[k] - b.dot(k, b.w)
		free -= own.alpha[p]
	}
	free = max(free, 0)
	if _, gap := own.gap(c.v, b.capacity); !(gap > tol) {
		return 0
	}
	c.old = append(c.old[:0], own.alpha...)
	b.extendGram(own)
	for steps < 10+4*n {
		a, gap := own.gap(c.v, b.capacity)
		if !(gap > tol/2) { // other blocks will raise it again
			break
		}
		if !c.step(b, own, a, &free) {
			break
		}
		steps++
	}
	for p, k := range own.columns {
		if change := own.alpha[p] - c.old[p]; change != 0 {
			b.add(b.w, change, k)
			b.changes++
		}
	}
	return steps
}

// gap returns gap_i, and the column of the largest v, −1 for the slack.
func (o *block) gap(v []float64, capacity float64) (a int, gap float64) {
	a = -1
	most, held := 0.0, 0.0
	for p, x := range v {
		if x > most {
			a, most = p, x
		}
		held += o.alpha[p] * x
	}
	return a, most - held/capacity
}

// step moves α to column a from the variable that gains most by it. −1 is the slack, whose α is free. It reports
// whether anything gains.
func (c *Coordinate) step(b *Blocks, own *block, a int, free *float64) bool {
	c.rowA = b.gramRow(c.rowA, own, a)
	va, norm := 0.0, 0.0
	if a >= 0 {
		va, norm = c.v[a], b.norm[own.columns[a]]
	}
	from, t, gain := -1, 0.0, 0.0
	if a >= 0 && *free > 0 {
		t, gain = bestStep(*free, va, norm, norm)
	}
	for p, alpha := range own.alpha {
		if alpha > 0 && c.v[p] < va {
			sum := norm + b.norm[own.columns[p]]
			if s, g := bestStep(alpha, va-c.v[p], sum-2*c.rowA[p], sum); g > gain {
				from, t, gain = p, s, g
			}
		}
	}
	if !(gain > 0) {
		return false
	}
	c.rowB = b.gramRow(c.rowB, own, from)
	for p := range c.v {
		c.v[p] -= t * (c.rowA[p] - c.rowB[p])
	}
	own.shift(a, t, free)
	own.shift(from, -t, free)
	return true
}

func (o *block) shift(p int, t float64, free *float64) {
	if p < 0 {
		*free += t
	} else {
		o.alpha[p] += t
	}
}

// bestStep maximises t·slope − ½ t²·curvature over 0 ≤ t ≤ most. The curvature is a difference of terms that add up to
// sum, so rounding leaves a little where it should be 0.
func bestStep(most, slope, curvature, sum float64) (t, gain float64) {
	curvature = max(curvature, 1e-14*sum)
	t = most
	if slope < most*curvature {
		t = slope / curvature
	}
	return t, t * (slope - t*curvature/2)
}

// extendGram computes what the Gram matrix of a block lacks.
func (b *Blocks) extendGram(own *block) {
	if len(own.columns) > wideBlock {
		own.gram, own.known = nil, 0
		return
	}
	for ; own.known < len(own.columns); own.known++ {
		k := own.columns[own.known]
		if own.known > 0 {
			dense := b.spread(k)
			for _, l := range own.columns[:own.known] {
				own.gram = append(own.gram, b.dot(l, dense))
			}
			b.unspread(k)
		}
		own.gram = append(own.gram, b.norm[k])
	}
}

// gramRow writes g_a·g_p for all columns p of a block into dst, zeros for the slack.
func (b *Blocks) gramRow(dst []float64, own *block, a int) []float64 {
	n := len(own.columns)
	dst = slices.Grow(dst[:0], n)[:n]
	switch {
	case a < 0:
		clear(dst)
	case own.known == n:
		copy(dst, own.row(a))
		for p := a + 1; p < n; p++ {
			dst[p] = own.gram[p*(p+1)/2+a]
		}
	default:
		dense := b.spread(own.columns[a])
		for p, l := range own.columns {
			dst[p] = b.dot(l, dense)
		}
		b.unspread(own.columns[a])
	}
	return dst
}
