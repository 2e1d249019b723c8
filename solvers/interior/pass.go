package interior

import (
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// pass evaluates the penalties of blocks of examples and their gradients. models.Generative defines a_k(s), b_k(s), η
// and h. Let v_k = max_s θ·a_k(s) + b_k(s), and let s_k be the maximiser. Then the penalty of a block and its gradient
// are
//
//	G_b(θ) = η Σ_{k in b} h(max(0, v_k)),   ∇G_b(θ) = η Σ_{k in b} h′(max(0, v_k)) a_k(s_k).
//
// With the slack-rescaled loss, v_k = max_s b_k(s) (1 + θ·a_k(s)), and the terms of the gradient have the factor
// b_k(s_k).
type pass struct {
	p      *models.Generative
	blocks []block
}

// block contains the penalty of a block b of examples at the θ of the last call of at, and working memory.
type block struct {
	value   float64   // the penalty G_b(θ)
	slope   []float64 // ∇G_b(θ)
	scratch dualspace.Difference
}

func newPass(p *models.Generative, blocks int) *pass {
	s := &pass{p: p, blocks: make([]block, blocks)}
	for b := range s.blocks {
		s.blocks[b].slope = make([]float64, p.Dim())
	}
	return s
}

// at evaluates the penalties of all blocks, and the gradients of the penalties, at θ.
func (s *pass) at(theta []float64) {
	s.p.InBlocks(len(s.p.Examples), len(s.blocks), func(b, lo, hi int) {
		x := &s.blocks[b]
		x.value = 0
		clear(x.slope)
		for k := lo; k < hi; k++ {
			s.example(x, theta, &s.p.Examples[k])
		}
		dualspace.Scale(x.slope, s.p.Eta)
	})
}

// example adds the penalty of example e, and the gradient of this penalty, to the block x.
func (s *pass) example(x *block, theta []float64, e *models.Example) {
	d := &x.scratch
	d.Theta = models.Resize(d.Theta, e.Features.Parts())
	e.Features.Score(d.Theta, theta)
	y, loss, margin := s.p.Loss.Violated(d.Y, e, d.Theta)
	d.Y = y
	v := s.p.Loss.Violation(loss, margin)
	if !(v > 0) {
		return
	}
	x.value += s.p.Penalty(v)
	c := 1.0
	if s.p.Quadratic {
		c = v
	}
	if s.p.Loss.Slack {
		c *= loss
	}
	e.Features.AddAdjoint(x.slope, -c, d.Indicators(e, y))
}
