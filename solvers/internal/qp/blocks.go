// Package qp solves the quadratic programmes of the cutting-plane methods. Blocks is the dual problem of the n-slack
// method; Coordinate and Decomposition solve this problem. Simplex is the dual problem of the 1-slack method. The
// package does not use the types of examples, losses or oracles.
//
//	b := qp.NewBlocks(dim, n, c/n)
//	b.Add(i, g, d) // a violated constraint of example i: w·g ≥ d − ξ_i
//	(&qp.Coordinate{Seed: 1}).Solve(b, eps/2)
//	w := b.W()
package qp

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Blocks is the working set of the n-slack method (Joachims, Finley and Yu 2009, algorithm 1). It contains constraints
// w·g_k ≥ d_k − ξ_i, stored as columns g_k with losses d_k. The columns of example i are block i. The dual problem is
// to maximise
//
//	D(α) = d·α − ½ |Σ_k α_k g_k|²   over α ≥ 0, Σ_{k ∈ block i} α_k ≤ Cap for every i,   Cap = C/n.
//
// Blocks stores w = Σ_k α_k g_k. Let v_k = d_k − w·g_k. Then the duality gap is Cap times the sum over the blocks of
//
//	gap_i = max(0, max_{k ∈ i} v_k) − Σ_{k ∈ i} α_k v_k / Cap.
//
// The columns are stored one after the other, in the order of Add. Several goroutines may read a Blocks at once.
type Blocks struct {
	capacity float64   // Cap, the bound on the sum of α in a block
	w        []float64 // the weights, Σ_k α_k g_k
	changes  int       // number of changes of w since w was last recomputed from α
	blocks   []block

	start  []int     // column g_k is index[start[k]:start[k+1]], value[start[k]:start[k+1]]
	index  []int32   // the features with non-zero values, column by column
	value  []float64 // the values of the features in index
	loss   []float64 // the losses d_k of the columns
	norm   []float64 // |g_k|²
	idle   []int32   // for each column: number of the last consecutive calls of Age that found α_k = 0
	serial []uint32  // for each column: number of earlier calls of Add, which identifies the column after Age
	added  uint32    // number of calls of Add
	aged   int       // number of calls of Age that removed columns

	dense []float64 // working memory of spread: all 0, except between spread and unspread; nil before the first spread
}

// block lists the columns of one example. gram is the lower triangle of the Gram matrix (the inner products) of the
// block's first `known` columns, row by row. Coordinate adds the missing rows.
type block struct {
	columns []int32   // the numbers of the block's columns in Blocks
	alpha   []float64 // the dual variables α of these columns
	gram    []float64
	known   int
}

// Solver improves the dual variables α of a Blocks until gap_i ≤ tol for every block i (see Blocks), so that the
// duality gap is at most n·Cap·tol = C·tol. It also ends if rounding errors allow no further ascent. Solve returns the
// number of steps. D(α) does not decrease.
type Solver interface {
	Solve(b *Blocks, tol float64) (steps int)
}

// NewBlocks returns a working set without columns. w = 0 has dim dimensions. The argument blocks is the number of
// blocks, and the blocks have the numbers 0 to blocks − 1. capacity is Cap.
func NewBlocks(dim, blocks int, capacity float64) *Blocks {
	checkCapacity(capacity)
	return &Blocks{capacity: capacity, w: make([]float64, dim), blocks: make([]block, blocks), start: []int{0}}
}

// Carry saves or loads the state that later calls depend on. Gram matrices are not saved; they are recomputed when
// needed.
func (b *Blocks) Carry(to *solvers.State) {
	columns, alpha := make([][]int32, len(b.blocks)), make([][]float64, len(b.blocks))
	for i := range b.blocks {
		columns[i], alpha[i] = b.blocks[i].columns, b.blocks[i].alpha
	}
	to.Carry(&columns, &alpha)
	if to.Loading() {
		for i := range b.blocks {
			b.blocks[i] = block{columns: columns[i], alpha: alpha[i]}
		}
	}
	to.Carry(&b.capacity, &b.w, &b.changes, &b.start, &b.index, &b.value, &b.loss, &b.norm, &b.idle, &b.serial, &b.added,
		&b.aged)
}

func checkCapacity(c float64) {
	if !(c > 0) || math.IsInf(c, 1) {
		panic(fmt.Sprintf("qp: capacity is %v: want a positive finite number", c))
	}
}

// Len returns the number of columns.
func (b *Blocks) Len() int { return len(b.loss) }

// Add appends the column g with loss d and α = 0 to a block. It copies g.
func (b *Blocks) Add(block int, g models.Sparse, d float64) {
	if len(g.Index) != len(g.Value) {
		panic("qp: len(g.Index) != len(g.Value)")
	}
	norm, last := 0.0, int32(-1)
	for j, f := range g.Index {
		if f <= last || int(f) >= len(b.w) {
			panic(fmt.Sprintf("qp: index %d after %d: indices must increase and be below %d", f, last, len(b.w)))
		}
		last = f
		norm += g.Value[j] * g.Value[j]
	}
	own := &b.blocks[block]
	own.columns = append(own.columns, int32(b.Len()))
	own.alpha = append(own.alpha, 0)
	b.index = append(b.index, g.Index...)
	b.value = append(b.value, g.Value...)
	b.start = append(b.start, len(b.index))
	b.loss = append(b.loss, d)
	b.norm = append(b.norm, norm)
	b.idle = append(b.idle, 0)
	b.serial = append(b.serial, b.added)
	b.added++
}

// W returns w itself, not a copy: the next Solve or SetCapacity changes it.
func (b *Blocks) W() []float64 { return b.w }

// Alpha returns the dual variables α of a block's columns, in the order in which the columns were added, without the
// columns that Age removed. The slice is not a copy.
func (b *Blocks) Alpha(block int) []float64 { return b.blocks[block].alpha }

// Value returns D(α), the dual objective (see Blocks).
func (b *Blocks) Value() float64 {
	value := 0.0
	for i := range b.blocks {
		own := &b.blocks[i]
		for p, k := range own.columns {
			value += own.alpha[p] * b.loss[k]
		}
	}
	norm := 0.0
	for _, x := range b.w {
		norm += x * x
	}
	return value - norm/2
}

// Resolution returns an estimate of the rounding error of a violation v_k = d_k − w·g_k. A smaller violation or gap
// cannot be distinguished from 0.
func (b *Blocks) Resolution() float64 {
	loss, norm, sum := 0.0, 0.0, 0.0
	for i := range b.blocks {
		own := &b.blocks[i]
		for p, k := range own.columns {
			g := math.Sqrt(b.norm[k])
			loss, norm, sum = max(loss, math.Abs(b.loss[k])), max(norm, g), sum+own.alpha[p]*g
		}
	}
	return 1e-15 * (loss + norm*sum)
}

// Gap returns the largest gap_i = max(0, max_{k ∈ i} v_k) − Σ_{k ∈ i} α_k v_k / Cap over the blocks i, where v_k = d_k
// − w·g_k.
func (b *Blocks) Gap() float64 {
	worst := 0.0
	for i := range b.blocks {
		own := &b.blocks[i]
		top, sum := 0.0, 0.0
		for p, k := range own.columns {
			v := b.loss[k] - b.dot(k, b.w)
			top, sum = max(top, v), sum+own.alpha[p]*v
		}
		worst = max(worst, top-sum/b.capacity)
	}
	return worst
}

// Slack returns the slack of a block i, ξ_i = max(0, max_{k ∈ i} d_k − w·g_k).
func (b *Blocks) Slack(block int) float64 {
	xi := 0.0
	for _, k := range b.blocks[block].columns {
		xi = max(xi, b.loss[k]-b.dot(k, b.w))
	}
	return xi
}

// NonZero returns the number of columns with α > 0 (the support vectors).
func (b *Blocks) NonZero() int {
	count := 0
	for i := range b.blocks {
		for _, a := range b.blocks[i].alpha {
			if a > 0 {
				count++
			}
		}
	}
	return count
}

// SetCapacity sets Cap, the largest sum of α in a block, to c, and scales α and w in proportion. The scaled α is a warm
// start for the problem with the new C.
func (b *Blocks) SetCapacity(c float64) {
	checkCapacity(c)
	scale := c / b.capacity
	b.capacity = c
	for i := range b.blocks {
		for p := range b.blocks[i].alpha {
			b.blocks[i].alpha[p] *= scale
		}
	}
	for f := range b.w {
		b.w[f] *= scale
	}
}

// dot returns g_k·x for column k.
func (b *Blocks) dot(k int32, x []float64) float64 {
	lo, hi := b.start[k], b.start[k+1]
	index, value := b.index[lo:hi], b.value[lo:hi]
	value = value[:len(index)]
	even, odd := 0.0, 0.0 // two independent sums, which the processor can compute in parallel
	j := 0
	for ; j+1 < len(index); j += 2 {
		even += value[j] * x[index[j]]
		odd += value[j+1] * x[index[j+1]]
	}
	if j < len(index) {
		even += value[j] * x[index[j]]
	}
	return even + odd
}

// add adds c times the column g_k to x.
func (b *Blocks) add(x []float64, c float64, k int32) {
	lo, hi := b.start[k], b.start[k+1]
	value := b.value[lo:hi]
	for j, f := range b.index[lo:hi] {
		x[f] += c * value[j]
	}
}

// spread returns the column g_k as a dense vector. Call unspread(k) when the vector is no longer used.
func (b *Blocks) spread(k int32) []float64 {
	if b.dense == nil {
		b.dense = make([]float64, len(b.w))
	}
	b.add(b.dense, 1, k)
	return b.dense
}

// unspread sets the dense vector that spread(k) returned to 0 again.
func (b *Blocks) unspread(k int32) {
	for _, f := range b.index[b.start[k]:b.start[k+1]] {
		b.dense[f] = 0
	}
}

// sumW recomputes w = Σ α_k g_k, because rounding errors add up over many small changes of w.
func (b *Blocks) sumW() {
	clear(b.w)
	for i := range b.blocks {
		own := &b.blocks[i]
		for p, k := range own.columns {
			if own.alpha[p] > 0 {
				b.add(b.w, own.alpha[p], k)
			}
		}
	}
	b.changes = 0
}
