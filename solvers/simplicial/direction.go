package simplicial

import (
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// rsdBlocks is the number of blocks into which a pass over the examples is divided. It is fixed, so that the rounding
// of the sums does not depend on the number of workers.
const rsdBlocks = 16

// rsdDirection solves the direction-finding problems of RSD by one loss-augmented inference for each example k. With
// a_k(s), b_k(s), η and h of models.Generative, it computes
//
//	v_k = max_s θ·a_k(s) + b_k(s),   s_k its maximiser,   (z, ω) = Σ_k β_k (a_k(s_k), b_k(s_k)),
//
// where β_k = η if v_k > 0, and 0 otherwise. (z, ω) is the point of D (see rsdPoint) with the largest θ·μ + ω, which is
// η Σ_k max(0, v_k). Equation (12) of the paper of Yu, Bertsekas and Rousu leaves out η. If the penalty h is quadratic,
// the term −|σ|²/(2η) (see rsdPoint for σ) is part of the objective and is not linearised. Then β_k = η v_k for v_k >
// 0, and the value is η/2 Σ_k v_k² over these k. So β needs no upper bound. With the slack-rescaled loss, (a_k(s),
// b_k(s)) is replaced by b_k(s) (a_k(s), 1).
type rsdDirection struct {
	p      *models.Generative
	width  int                 // length of the vector z of a dual point
	blocks []rsdDirectionBlock // for each block of examples, the sums that the last pass computed
	calls  int                 // examples visited so far
}

// rsdDirectionBlock contains the sums over a block of examples (see rsdDirection), and working memory.
type rsdDirectionBlock struct {
	z       []float64 // the sum of the block's terms of z, divided by η
	omega   float64   // the sum of the block's terms of ω, divided by η
	penalty float64   // the penalty η Σ h(v_k) of the examples of the block
	scratch dualspace.Difference
}

func newRSDDirection(p *models.Generative, blocks, width int) *rsdDirection {
	return &rsdDirection{p: p, width: width, blocks: make([]rsdDirectionBlock, blocks)}
}

// penalty returns the penalty η Σ h(v_k) at θ of the examples k = lo, ..., hi − 1 (see rsdDirection).
func (d *rsdDirection) penalty(theta []float64, lo, hi int) float64 {
	return d.pass(theta, lo, hi, false)
}

// find returns the penalty η Σ h(v_k) at θ of the examples k = lo, ..., hi − 1 (see rsdDirection), as penalty does. It
// also stores the point (z, ω) of each block of examples.
func (d *rsdDirection) find(theta []float64, lo, hi int) float64 {
	return d.pass(theta, lo, hi, true)
}

// pass visits the examples k = lo, ..., hi − 1, and returns their penalty at theta. If points is true, it also stores
// the point (z, ω) of each block.
func (d *rsdDirection) pass(theta []float64, lo, hi int, points bool) float64 {
	d.calls += hi - lo
	d.p.InBlocks(hi-lo, len(d.blocks), func(b, from, to int) {
		block := &d.blocks[b]
		block.penalty = 0
		if points {
			block.z = models.Resize(block.z, d.width)
			clear(block.z)
			block.omega = 0
		}
		for k := lo + from; k < lo+to; k++ {
			d.example(block, theta, k, points)
		}
	})
	var sum float64
	for b := range d.blocks {
		sum += d.blocks[b].penalty
	}
	return sum
}

// example adds the penalty of example k at theta to its block and, if points is true, the example's term of (z, ω).
func (d *rsdDirection) example(block *rsdDirectionBlock, theta []float64, k int, points bool) {
	e, x, g := &d.p.Examples[k], &block.scratch, d.p.Distributions
	x.Theta = models.Resize(x.Theta, e.Features.Parts())
	e.Features.Score(x.Theta, theta)
	y, loss, margin := d.p.Loss.Violated(x.Y, e, x.Theta)
	x.Y = y
	v := d.p.Loss.Violation(loss, margin)
	block.penalty += g.Penalty(v)
	if !points || !(v > 0) {
		return
	}
	// beta is β_k/η. The methods total and block multiply the sums by η later. So, with beta = 1, the entries of
	// block.z are differences of counts of parts here. They are whole numbers, and opposite counts add up to exactly 0.
	beta := 1.0
	if g.Quadratic {
		beta = v
		block.z[d.p.Dim()+k] = beta
	}
	if d.p.Loss.Slack {
		block.omega += beta * loss
		beta *= loss
	} else {
		block.omega += beta * d.p.Loss.Margin * loss
	}
	if f, ok := e.Features.(models.SparseMap); ok {
		f.Add(block.z[:d.p.Dim()], beta, y)
		f.Add(block.z[:d.p.Dim()], -beta, e.Truth)
		return
	}
	e.Features.AddAdjoint(block.z[:d.p.Dim()], -beta, x.Indicators(e, y))
}

// total adds up the points (z, ω) of all blocks of examples. It writes the z of the sum into the argument z, and
// returns the ω.
func (d *rsdDirection) total(z []float64) (omega float64) {
	clear(z)
	eta := d.p.Eta
	for b := range d.blocks {
		for j, x := range d.blocks[b].z {
			z[j] += x
		}
		omega += d.blocks[b].omega
	}
	dualspace.Scale(z, eta)
	return eta * omega
}

// block writes the z of the point (z, ω) of block b of the examples into the argument z, and returns the ω. The point
// is in the polyhedron D of rsdPoint as well, since D allows the multipliers β_k = 0 for the examples of all other
// blocks.
func (d *rsdDirection) block(b int, z []float64) (omega float64) {
	eta := d.p.Eta
	for j, x := range d.blocks[b].z {
		z[j] = eta * x
	}
	return eta * d.blocks[b].omega
}
