package deptree

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/models"
)

// Second implements models.SecondOracle. Every other tree lacks at least one arc of the excluded tree. So Second
// forbids these arcs one at a time and returns the best of the trees found. Cost: l times the cost of Max. If there is
// no other tree, as for a sentence of one word, Second returns an empty labelling and −Inf.
func (o *eisner) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	s := o.best.Get()
	defer o.best.Put(s)
	l := sentenceLength(len(theta))
	if len(not) != l {
		panic("deptree: len(not) != the number of words")
	}
	dst = slices.Grow(dst[:0], l)
	s.forbidden = append(s.forbidden[:0], theta...)
	best := math.Inf(-1)
	for _, r := range not {
		s.forbidden[r] = math.Inf(-1)
		s.other = s.tree(s.other, s.forbidden, o.multiRoot)
		if v := s.other.Dot(s.forbidden); v > best {
			dst, best = append(dst[:0], s.other...), v
		}
		s.forbidden[r] = theta[r]
	}
	return dst, best
}
