package cuttingplane

import (
	"errors"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// Numbers of blocks of examples, whose sums are added in order, so that the bits do not depend on the number of
// workers. Each block keeps a sum of Dim floats: there are fewer blocks where Dim is large.
const (
	separationBlocks = 64 // at most
	separationFewest = 2
	separationFloats = 1 << 24 // in all sums together, unless the fewest blocks need more
)

// separation finds the most violated joint constraint of the 1-slack method: for every example the labelling with the
// largest violation at w, from the oracle or from the labellings that it keeps of earlier calls. Its loops run in
// parallel over fixed blocks of examples.
type separation struct {
	p       *models.Risk
	size    int             // labellings kept per example; 0: only those of the last call
	kept    [][]labelling   // per example, the most recently used first
	chosen  []labelling     // of the last constraint composed; y is nil for the true labelling
	single  []models.Vertex // the labellings of one part, shared; empty if some true labelling has more
	blocks  []separationBlock
	largest float64 // label loss seen
	widest  float64 // |ψ|² seen by radius
}

// labelling is a wrong labelling and its label loss.
type labelling struct {
	y    models.Vertex
	loss float64
}

// separationBlock is the sums over a block of examples, and working memory.
type separationBlock struct {
	violation, loss float64
	features        []float64 // Σ a_i ψ_i(ȳ_i)
	largest         float64   // label loss seen
	scratch         dualspace.Difference
}

func newSeparation(p *models.Risk, size int) *separation {
	n := len(p.Examples)
	blocks := min(separationBlocks, max(separationFewest, separationFloats/max(1, p.Dim)))
	return &separation{p: p, size: size, kept: make([][]labelling, n), chosen: make([]labelling, n),
		single: singles(p), blocks: make([]separationBlock, blocks)}
}

// carry names what later calls depend on.
func (s *separation) carry(to *solvers.State) {
	for i := range s.kept {
		carryLabellings(to, &s.kept[i])
	}
	carryLabellings(to, &s.chosen)
	to.Carry(&s.largest, &s.widest)
}

func carryLabellings(to *solvers.State, list *[]labelling) {
	y, loss := make([]models.Vertex, len(*list)), make([]float64, len(*list))
	for k, l := range *list {
		y[k], loss[k] = l.y, l.loss
	}
	to.Carry(&y, &loss)
	if !to.Loading() {
		return
	}
	*list = make([]labelling, len(y))
	for k := range y {
		(*list)[k] = labelling{y[k], loss[k]}
	}
}

// call asks the oracle for each example and returns the violation of the joint constraint, 1/n Σ max(0, violation_i).
// A labelling that is more violated than the kept ones by more than `beats` is kept in place of the least recently
// used; otherwise the kept one is chosen.
func (s *separation) call(w []float64, beats float64) float64 {
	return s.overExamples(func(i int, x *dualspace.Difference) float64 {
		e := &s.p.Examples[i]
		x.Theta = models.Resize(x.Theta, e.Features.Parts())
		e.Features.Score(x.Theta, w)
		var loss, margin float64
		at, best := s.bestKept(i, x.Theta)
		x.Y, loss, margin = s.p.Loss.Violated(x.Y, e, x.Theta)
		v := s.p.Loss.Violation(loss, margin)
		switch {
		case !(v > 0) || math.IsInf(v, 0):
			s.chosen[i] = labelling{}
			return 0
		case s.size == 0:
			s.chosen[i] = labelling{s.stored(x.Y, s.chosen[i].y), loss}
		case at < 0 || v > best+beats:
			s.keep(i, labelling{s.stored(x.Y, nil), loss})
			s.chosen[i] = s.kept[i][0]
		default:
			s.choose(i, at)
			v = best
		}
		return v
	})
}

// best composes the constraint of the most violated kept labelling of each example, if its violation exceeds least.
// It returns the violation of the constraint.
func (s *separation) best(w []float64, least float64) float64 {
	return s.overExamples(func(i int, x *dualspace.Difference) float64 {
		s.chosen[i] = labelling{}
		if len(s.kept[i]) == 0 {
			return 0
		}
		e := &s.p.Examples[i]
		x.Theta = models.Resize(x.Theta, e.Features.Parts())
		e.Features.Score(x.Theta, w)
		at, v := s.bestKept(i, x.Theta)
		if at < 0 || !(v > least) {
			return 0
		}
		s.choose(i, at)
		return v
	})
}

// overExamples calls f to choose the labelling of each example, and adds up violations, label losses and features.
func (s *separation) overExamples(f func(i int, x *dualspace.Difference) float64) float64 {
	n := len(s.p.Examples)
	s.p.InBlocks(n, len(s.blocks), func(b, lo, hi int) {
		block := &s.blocks[b]
		if block.features == nil {
			block.features = make([]float64, s.p.Dim)
		}
		if b == 0 || block.violation > 0 { // constraint has not left it empty
			clear(block.features)
		}
		block.violation, block.loss = 0, 0
		for i := lo; i < hi; i++ {
			block.violation += f(i, &block.scratch)
			if l := s.chosen[i]; l.y != nil {
				block.loss += l.loss
				block.largest = max(block.largest, l.loss)
				s.addDifference(block.features, i, &block.scratch)
			}
		}
	})
	var violation float64
	for b := range s.blocks {
		violation += s.blocks[b].violation
		s.largest = max(s.largest, s.blocks[b].largest)
	}
	return violation / float64(n)
}

// addDifference adds a_i ψ_i(ȳ_i). The division by n comes at the end, so that counts stay whole numbers and cancel to
// exact zeros.
func (s *separation) addDifference(out []float64, i int, x *dualspace.Difference) {
	e, l, a := &s.p.Examples[i], s.chosen[i], 1.0
	if s.p.Loss.Slack {
		a = l.loss
	}
	if f, ok := e.Features.(models.SparseMap); ok {
		f.Add(out, a, e.Truth)
		f.Add(out, -a, l.y)
		return
	}
	e.Features.AddAdjoint(out, a, x.Indicators(e, l.y))
}

// constraint returns g (dense, borrowed until the next call) and d of the chosen labellings.
func (s *separation) constraint() (g []float64, d float64) {
	scale := 1 / float64(len(s.p.Examples))
	for b := range s.blocks {
		d += s.blocks[b].loss
	}
	g = s.blocks[0].features
	s.p.InBlocks(len(g), separationBlocks, func(_, lo, hi int) {
		for b := range s.blocks[1:] {
			if s.blocks[b+1].violation == 0 {
				continue // no example of the block has a violation, so its sum is zero
			}
			part := s.blocks[b+1].features[lo:hi]
			for j, x := range part {
				if x != 0 {
					g[lo+j] += x
				}
			}
			clear(part)
		}
		for j := lo; j < hi; j++ {
			g[j] *= scale
		}
	})
	for b := range s.blocks {
		s.blocks[b].violation = 0
	}
	return g, d * scale
}

// bestKept returns the kept labelling with the largest positive violation, or −1 and 0.
func (s *separation) bestKept(i int, theta []float64) (at int, violation float64) {
	at = -1
	if len(s.kept[i]) == 0 {
		return at, 0
	}
	truth := s.p.Examples[i].Truth.Dot(theta)
	for k, l := range s.kept[i] {
		if v := s.p.Loss.Violation(l.loss, truth-l.y.Dot(theta)); v > violation {
			at, violation = k, v
		}
	}
	return at, violation
}

// keep puts a labelling in front and drops the last one if there are too many.
func (s *separation) keep(i int, l labelling) {
	list := s.kept[i]
	if len(list) < s.size {
		list = append(list, labelling{})
	}
	copy(list[1:], list)
	list[0] = l
	s.kept[i] = list
}

// choose moves a kept labelling to the front.
func (s *separation) choose(i, at int) {
	list := s.kept[i]
	l := list[at]
	copy(list[1:at+1], list[:at])
	list[0] = l
	s.chosen[i] = l
}

// stored returns a copy of y: a shared one if y is one part, else one in the memory of old, which may be nil.
func (s *separation) stored(y, old models.Vertex) models.Vertex {
	if len(s.single) > 0 && len(y) == 1 {
		return s.single[y[0]]
	}
	return append(old[:0], y...)
}

// singles returns the labellings of one part, if the true labellings are of that kind.
func singles(p *models.Risk) []models.Vertex {
	most := 0
	for i := range p.Examples {
		if len(p.Examples[i].Truth) != 1 {
			return nil
		}
		most = max(most, p.Examples[i].Features.Parts())
	}
	out := make([]models.Vertex, most)
	for r := range out {
		out[r] = models.Vertex{r}
	}
	return out
}

// watch raises widest to the largest |ψ_i(ȳ_i)|² of the labellings in the current constraint. Called at every
// constraint, it gives a lower bound of the theorems' R². widest becomes NaN if the features have no norms. It costs an
// adjoint per example, so it is called off the clock only.
func (s *separation) watch() {
	widest := make([]float64, len(s.blocks))
	s.p.InBlocks(len(s.p.Examples), len(s.blocks), func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			if y := s.chosen[i].y; y != nil {
				e, x := &s.p.Examples[i], &s.blocks[b].scratch
				widest[b] = max(widest[b], x.Adjoint.NormSq(e.Features, x.Indicators(e, y)))
			}
		}
	})
	for _, v := range widest {
		s.widest = max(s.widest, v)
	}
}

// errDropOne refuses a setting under which a working set could lose what has just been found.
var errDropOne = errors.New("drop is 1, which could drop what has just been found: want 0, or at least 2")
