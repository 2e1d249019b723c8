package sequence

import (
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Pairs has the pairs (f, t) of one sequence for which feature f has a value x_f(t) ≠ 0 at position t, in any order. It
// is a feature map like Features without the methods that need sorted pairs. A decoder uses Pairs, because sorting
// takes longer than scoring a sequence once.
type Pairs struct {
	*Shape
	Len      int
	feature  []int32
	position []int32
	value    []float64 // values x_f(t) of the pairs; nil if all are 1
}

var _ models.FeatureMap = (*Pairs)(nil)

// NewPairs returns the Pairs of a sequence of l positions. A pair of a feature and a position may occur only once.
// value is nil if all values are 1. The slices are not copied.
func (s *Shape) NewPairs(l int, feature, position []int32, value []float64) *Pairs {
	return &Pairs{Shape: s, Len: l, feature: feature, position: position, value: value}
}

// Parts implements models.FeatureMap. The parts are l·k labels, and one or l − 1 blocks of k² transitions.
func (f *Pairs) Parts() int {
	blocks := 1
	if f.Oracle.untied {
		blocks = f.Len - 1
	}
	return f.Len*f.K + blocks*f.K*f.K
}

// Chain implements models.Chain.
func (f *Pairs) Chain() (positions, labels int) { return f.Len, f.K }

// Check panics if parts or w has a wrong length.
func (f *Pairs) Check(parts, w []float64) {
	f.CheckParts(parts)
	f.CheckWeights(w)
}

// CheckParts panics if parts has a wrong length.
func (f *Pairs) CheckParts(parts []float64) {
	if len(parts) != f.Parts() {
		panic("sequence: len(theta) != Parts()")
	}
}

// CheckWeights panics if w has a wrong length.
func (f *Pairs) CheckWeights(w []float64) {
	if len(w) != f.Dim {
		panic("sequence: len(w) != Dim")
	}
}

// Score implements models.FeatureMap. Cost: k operations per pair, and a copy of the transition scores.
func (f *Pairs) Score(theta, w []float64) {
	f.Check(theta, w)
	labels := theta[:f.Len*f.K]
	clear(labels)
	vec.AddRows(labels, f.position, w, f.feature, 1, f.value, f.K)
	for to := theta[len(labels):]; len(to) > 0; to = to[f.K*f.K:] {
		copy(to, w[f.Features*f.K:])
	}
}

// AddAdjoint implements models.FeatureMap. It costs as much as Score, or less if mu is 0 at some positions.
func (f *Pairs) AddAdjoint(w []float64, c float64, mu []float64) {
	f.Check(mu, w)
	f.addLabels(w, c, mu)
	edges, only := w[f.Features*f.K:], [1]int32{}
	for from := mu[f.Len*f.K:]; len(from) > 0; from = from[len(edges):] {
		vec.AddRows(edges, only[:], from, only[:], c, nil, len(edges))
	}
}

// addLabels is AddAdjoint without the transitions. It skips the positions where mu is 0. If mu is the difference of two
// labellings, it is usually 0 at most positions.
func (f *Pairs) addLabels(w []float64, c float64, mu []float64) {
	s := f.pool.Get()
	defer f.pool.Put(s)
	if !s.positions(mu, f.Len, f.K) {
		vec.AddRows(w, f.feature, mu, f.position, c, f.value, f.K)
		return
	}
	s.feature, s.position, s.value = s.feature[:0], s.position[:0], s.value[:0]
	for i, t := range f.position {
		if !s.used[t] {
			continue
		}
		s.feature, s.position = append(s.feature, f.feature[i]), append(s.position, t)
		if f.value != nil {
			s.value = append(s.value, f.value[i])
		}
	}
	value := s.value
	if f.value == nil {
		value = nil
	}
	vec.AddRows(w, s.feature, mu, s.position, c, value, f.K)
}
