package cuttingplane

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// Limits of the number of blocks of examples. The sums of the blocks are added in order, so that the bits do not depend
// on the number of workers. Each block stores a sum of Dim floats, so there are fewer blocks if Dim is large.
const (
	separationBlocks = 64      // largest number of blocks
	separationFewest = 2       // least number of blocks
	separationFloats = 1 << 24 // largest number of floats in all blocks' sums, if this allows separationFewest blocks
	separationChunk  = 1 << 10 // number of floats that constraint adds at a time, so that their sums stay in the cache
)

// separation computes the most violated constraint of the 1-slack method (see OneSlack), a labelling of the whole data
// set. For each example, it chooses the labelling with the largest violation at w, from the oracle or from the cached
// labellings of earlier calls. Its loops over the examples run in parallel over fixed blocks of examples.
type separation struct {
	p       *models.Risk
	size    int             // largest number of cached labellings of each example; 0: no cache
	kept    [][]labelling   // the cached labellings of each example, the most recently used first
	chosen  []labelling     // for each example, its labelling in the last constraint; y is nil for the true labelling
	single  []models.Vertex // single[r] is the labelling with only part r; empty if a true labelling has more parts
	blocks  []separationBlock
	largest float64 // largest label loss so far
	widest  float64 // largest |ψ_i(ȳ_i)|² (see OneSlack) in the calls of watch so far
}

// labelling is a wrong labelling and its label loss.
type labelling struct {
	y    models.Vertex
	loss float64
}

// separationBlock contains the sums over the labellings of a block of examples, and working memory.
type separationBlock struct {
	violation, loss float64   // sums of the violations and of the label losses of the chosen labellings
	features        []float64 // sum of the feature differences, Σ a_i ψ_i(ȳ_i) (see OneSlack)
	largest         float64   // largest label loss so far
	scratch         dualspace.Difference
}

func newSeparation(p *models.Risk, size int) *separation {
	n := len(p.Examples)
	blocks := min(separationBlocks, max(separationFewest, separationFloats/max(1, p.Dim)))
	return &separation{p: p, size: size, kept: make([][]labelling, n), chosen: make([]labelling, n),
		single: singles(p), blocks: make([]separationBlock, blocks)}
}

// carry saves or loads the state that later calls depend on.
func (s *separation) carry(to *solvers.State) {
	for i := range s.kept {
		carryLabellings(to, &s.kept[i])
	}
	carryLabellings(to, &s.chosen)
	to.Carry(&s.largest, &s.widest)
}

// carryLabellings saves or loads a list of labellings.
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

// call calls the oracle for each example, and returns the violation of the constraint of all chosen labellings, 1/n Σ
// max(0, violation_i). If the violation of the oracle's labelling exceeds the violation of each cached labelling by
// more than the argument beats, call chooses the oracle's labelling, and caches it in place of the least recently used
// labelling. Otherwise call chooses the most violated cached labelling.
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

// best builds the constraint of the most violated cached labelling of each example. If the violation of this labelling
// does not exceed the argument least, best uses the true labelling instead. It returns the violation of the constraint.
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

// overExamples calls f for each example. f chooses the labelling of the example and returns its violation. For each
// block, overExamples adds up the violations, the label losses and the features of the chosen labellings. It returns
// the mean violation.
func (s *separation) overExamples(f func(i int, x *dualspace.Difference) float64) float64 {
	n := len(s.p.Examples)
	s.p.InBlocks(n, len(s.blocks), func(b, lo, hi int) {
		block := &s.blocks[b]
		if block.features == nil {
			block.features = make([]float64, s.p.Dim)
		}
		// If block.violation is 0, then block.features is 0 already, except in block 0: the method constraint clears
		// both.
		if b == 0 || block.violation > 0 {
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

// addDifference adds a_i ψ_i(ȳ_i) (see OneSlack) to out, where ȳ_i is the chosen labelling of example i. The method
// constraint divides the sum by n later. So counts of features are whole numbers here, and equal counts of opposite
// sign add up to exactly 0.
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

// constraint returns g and d of the constraint w·g ≥ d − ξ that belongs to the chosen labellings. g is dense, and valid
// until the next call.
func (s *separation) constraint() (g []float64, d float64) {
	scale := 1 / float64(len(s.p.Examples))
	for b := range s.blocks {
		d += s.blocks[b].loss
	}
	g = s.blocks[0].features
	s.p.InBlocks(len(g), separationBlocks, func(_, lo, hi int) {
		for ; lo < hi; lo += separationChunk {
			end := min(hi, lo+separationChunk)
			for b := range s.blocks[1:] {
				if s.blocks[b+1].violation == 0 {
					continue // no example of the block has a violation, so its sum is zero
				}
				part := s.blocks[b+1].features[lo:end]
				floats.Add(g[lo:end], part)
				clear(part)
			}
			floats.Scale(scale, g[lo:end])
		}
	})
	for b := range s.blocks {
		s.blocks[b].violation = 0
	}
	return g, d * scale
}

// bestKept returns the index of example i's cached labelling with the largest positive violation at the part scores
// theta, and the violation. It returns −1 and 0 if no cached labelling is violated.
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

// keep adds a labelling at the front of example i's cache, and removes the last labelling if the cache then has more
// than s.size labellings.
func (s *separation) keep(i int, l labelling) {
	list := s.kept[i]
	if len(list) < s.size {
		list = append(list, labelling{})
	}
	copy(list[1:], list)
	list[0] = l
	s.kept[i] = list
}

// choose chooses the cached labelling of example i with index at, and moves it to the front of the cache.
func (s *separation) choose(i, at int) {
	list := s.kept[i]
	l := list[at]
	copy(list[1:at+1], list[:at])
	list[0] = l
	s.chosen[i] = l
}

// stored returns a copy of y. If all true labellings have one part, the copy is the shared one in single. Otherwise the
// copy reuses the memory of old, which may be nil.
func (s *separation) stored(y, old models.Vertex) models.Vertex {
	if len(s.single) > 0 && len(y) == 1 {
		return s.single[y[0]]
	}
	return append(old[:0], y...)
}

// singles returns the list of all labellings with one part, by the index of the part, if each true labelling has one
// part. Otherwise it returns nil.
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

// watch updates widest with the |ψ_i(ȳ_i)|² (see OneSlack) of the labellings in the present constraint. If watch is
// called for every constraint, widest is a lower bound on the R² in the theorems of Joachims, Finley and Yu (2009), the
// largest |ψ_i(y)|² over all labellings y. widest becomes NaN if the features have no norms. watch costs an adjoint for
// each example, so it is called only while the clock is stopped.
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

// errDropOne is the error for the setting drop: 1, with which a working set could lose a constraint that was just
// added.
var errDropOne = errors.New("drop is 1, which could remove a constraint that was just added: want 0 or at least 2")
