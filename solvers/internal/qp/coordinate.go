package qp

import (
	"math/rand/v2"
	"slices"
)

// Coordinate is dual coordinate ascent, block by block. A visit to block i computes v_k = d_k − w·g_k for the block's
// columns k. If gap_i > tol (see Blocks for gap_i), the visit improves the block by minimal steps, and then updates w
// by the change of α. A minimal step moves an amount t from one variable α_b of the block to another variable α_a. The
// slack variable α_0 = Cap − Σ_k α_k, with g_0 = 0 and d_0 = 0, is also one of the variables of the block:
//
//	α_a ← α_a + t,  α_b ← α_b − t,   t = min(α_b, (v_a − v_b) / |g_a − g_b|²),
//
// where a = argmax v, and b has the largest gain t (v_a − v_b) − ½ t² |g_a − g_b|² (similar to the second-order choice
// of Fan, Chen and Lin 2005). After a visit that finds gap_i ≤ tol, a block is skipped until all blocks have a small
// gap. The other blocks are visited in a random order drawn from Seed. Solve ends with a sweep over all blocks that
// finds gap_i ≤ tol everywhere, and so changes nothing.
//
// The cost of a visit is proportional to the number of non-zeros of the block's columns. The cost of a step is
// proportional to the number of these columns. The Gram matrix of a block is stored while the block has at most 128
// columns. Only one goroutine may use a Coordinate at a time.
type Coordinate struct {
	Seed uint64      // seed of the random order in which blocks are visited
	Stop func() bool // may be nil; Solve calls it often, and returns as soon as Stop returns true

	list       []int32   // the blocks of the present sweep
	v          []float64 // the violations v_k of the columns of the visited block
	old        []float64 // α of the block before the visit
	rowA, rowB []float64 // rows of the block's Gram matrix for the columns a and b of a step
}

var _ Solver = (*Coordinate)(nil)

const (
	// wideBlock is the largest number of columns of a block whose Gram matrix is stored. The matrix then takes at most
	// about 512 bytes for each column.
	wideBlock = 128
	maxSteps  = 10000 // limit on the steps of Solve, for each column; in practice it is not reached
)

// Solve implements Solver. It returns the number of minimal steps (see Coordinate).
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

// everyBlock returns the blocks that have columns, for a full sweep. If w has changed often since it was last
// recomputed from α, everyBlock first recomputes w to remove rounding errors.
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

// visit improves the block own if its gap exceeds tol, and returns the number of minimal steps.
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
		if !(gap > tol/2) { // tol/2, because visits to other blocks will increase this gap again
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

// gap returns gap_i of the block (see Blocks), and the index a of the block's column with the largest v. If no v is
// positive, a is −1, the index of the slack variable.
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

// step makes a minimal step (see Coordinate): it moves α to column a from the variable that gives the largest gain. a
// is −1 for the slack variable, whose value is *free. step returns false if no move increases the dual objective.
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

// shift adds t to the α of column p of the block, or to *free if p is −1, the slack variable.
func (o *block) shift(p int, t float64, free *float64) {
	if p < 0 {
		*free += t
	} else {
		o.alpha[p] += t
	}
}

// bestStep maximises the gain t·slope − ½ t²·curvature over 0 ≤ t ≤ most. The curvature was computed as a difference of
// terms whose magnitudes add up to sum. Rounding can make the curvature too small or negative, so bestStep raises it to
// at least 1e-14·sum.
func bestStep(most, slope, curvature, sum float64) (t, gain float64) {
	curvature = max(curvature, 1e-14*sum)
	t = most
	if slope < most*curvature {
		t = slope / curvature
	}
	return t, t * (slope - t*curvature/2)
}

// extendGram computes the missing rows of a block's Gram matrix. If the block has more columns than wideBlock,
// extendGram removes the matrix instead.
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

// gramRow writes the inner products of column a with all columns of its block into dst, and returns dst. For a = −1,
// the slack variable, it writes zeros.
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
