package models

import "sync"

// Sums over examples are computed in fixed blocks, and the sums of the blocks are added in order, so the bits of a
// result do not depend on the number of workers. A gradient needs one partial vector per block, so it uses fewer blocks
// if vectors are long.
const (
	valueBlocks    = 64      // blocks of a sum of numbers
	gradientBlocks = 8       // largest number of blocks of a gradient
	gradientFloats = 1 << 24 // largest total length of partial vectors, except that two vectors are always allowed
)

// workspace is the scratch memory of a loop over a block of examples: scores, marginals, a labelling, and sums over the
// examples.
type workspace struct {
	theta, mu           []float64
	y                   Vertex
	features            []float64 // Σ A_iᵀ(μ_i − 1_{y_i})/n (see Risk.Gradient), or another vector of length Dim
	loss, entropy, cost float64
}

// sums has the settings and the memory with which an objective sums over its examples.
type sums struct {
	workers int                // number of goroutines; 0 means 1
	clocked func(share func()) // runs and measures the share of the work of each additional goroutine; nil: not measured
	spaces  *sync.Pool         // pool of workspaces, shared by copies of the objective; nil: no reuse
	pairs   *pairs             // shared by copies of the objective with the same examples; nil: not used
}

func newSums() sums { return sums{spaces: new(sync.Pool), pairs: new(pairs)} }

// space returns a workspace, if possible one from an earlier pass over the same task. Reuse matters since batch methods
// make one or two passes per iteration, and the partial gradients are long. The garbage collector can free unused
// workspaces, unlike the memory in a scratch.Pool.
func (p *sums) space() *workspace {
	if p.spaces != nil {
		if x, ok := p.spaces.Get().(*workspace); ok {
			return x
		}
	}
	return new(workspace)
}

// done returns a workspace to the pool.
func (p *sums) done(x *workspace) {
	if p.spaces != nil {
		p.spaces.Put(x)
	}
}

// InBlocks calls the package's function InBlocks with the number of goroutines that Parallel has set.
func (p *sums) InBlocks(n, blocks int, f func(block, lo, hi int)) {
	if p.clocked == nil {
		InBlocks(n, blocks, p.workers, f)
		return
	}
	inBlocks(n, blocks, p.workers, p.clocked, f)
}

// inPieces cuts the n components of a vector into pieces and calls f for each piece. It uses several goroutines only if
// the vector is long.
func (p *sums) inPieces(n int, f func(lo, hi int)) {
	if n < 1<<15 {
		f(0, n)
		return
	}
	p.InBlocks(n, valueBlocks, func(_, lo, hi int) { f(lo, hi) })
}

// losses returns Σ_i f(φ_i(A_i w)), where φ_i is the loss of example i and A_i its feature map. The parameter named of
// is this function f. If it is nil, losses adds the losses themselves.
func (p *sums) losses(examples []Example, loss Loss, w []float64, of func(float64) float64) float64 {
	var blocks [valueBlocks]float64
	if p.pairs != nil && loss.Temp == 0 && !loss.Slack && of == nil {
		if rows := p.pairs.of(examples); rows != nil {
			p.InBlocks(len(rows), valueBlocks, func(b, lo, hi int) {
				for i := lo; i < hi; i++ {
					blocks[b] += rows[i].hinge(loss.Margin, w)
				}
			})
			return total(blocks[:])
		}
	}
	p.InBlocks(len(examples), valueBlocks, func(b, lo, hi int) {
		x := p.space()
		defer p.done(x)
		for i := lo; i < hi; i++ {
			e := &examples[i]
			x.theta = Resize(x.theta, e.Features.Parts())
			e.Features.Score(x.theta, w)
			var v float64
			v, x.y = loss.value(e, x.theta, x.y)
			if of != nil {
				v = of(v)
			}
			blocks[b] += v
		}
	})
	return total(blocks[:])
}
