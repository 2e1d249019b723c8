package simplicial

import (
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// rsdBlocks is the number of blocks into which a pass over examples is cut, so that sums do not depend on the workers.
const rsdBlocks = 16

// rsdDirection solves the direction-finding problems: one loss-augmented inference for each example,
//
//	v_k = max_s θ·a_k(s) + b_k(s),   s_k its maximiser,   (z, ω) = Σ_k β_k (a_k(s_k), b_k(s_k)),
//
// β_k = η where v_k > 0. That is the point of D where θ·μ + ω is largest, with the value η Σ_k v_k; (12) leaves out η.
// Where the penalty is quadratic, −|σ|²/(2η) belongs to what is maximised, and is kept as it is: β_k = η v_k, and the
// value is η/2 Σ_k v_k². So no bound of β is needed. With the slack-rescaled loss the vectors are b_k(s) (a_k(s), 1).
type rsdDirection struct {
	p      *models.Generative
	width  int
	blocks []rsdDirectionBlock
	calls  int // examples visited so far
}

// rsdDirectionBlock is the sums over a block of examples, and working memory.
type rsdDirectionBlock struct {
	z       []float64
	omega   float64
	penalty float64
	scratch dualspace.Difference
}

func newRSDDirection(p *models.Generative, blocks, width int) *rsdDirection {
	return &rsdDirection{p: p, width: width, blocks: make([]rsdDirectionBlock, blocks)}
}

// penalty returns η Σ h(v_k) over the examples lo to hi − 1 at θ.
func (d *rsdDirection) penalty(theta []float64, lo, hi int) float64 {
	return d.pass(theta, lo, hi, false)
}

// find returns the penalty, and also stores the points of the blocks.
func (d *rsdDirection) find(theta []float64, lo, hi int) float64 {
	return d.pass(theta, lo, hi, true)
}

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
	beta := 1.0 // of η, which is multiplied in the end only, so that counts stay whole numbers and cancel to exact zeros
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

// total writes the sum of the points of the blocks into z, and returns its ω.
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

// block writes the point of one block into z, and returns its ω. It is in D as well, since β_k = 0 is allowed for all
// others.
func (d *rsdDirection) block(b int, z []float64) (omega float64) {
	eta := d.p.Eta
	for j, x := range d.blocks[b].z {
		z[j] = eta * x
	}
	return eta * d.blocks[b].omega
}
