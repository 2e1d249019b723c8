package sequence

import (
	"fmt"
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Values of the setting edges of models of sequences.
const (
	Tied   = "tied"
	Untied = "untied"
)

// Shape has the sizes, the oracles and the scratch memory that all sequences of a task share.
type Shape struct {
	K, Features, Dim int // numbers of labels, features and weights: Dim = Features·K + K²
	Oracle           *Oracle
	Decoding         models.Decoding // rule of prediction; nil: the best labelling
	pool             scratch.Pool[row]
}

// row is scratch memory of Features.
type row struct {
	row  []float64 // memory for k or k² components of Aᵀv (see block and edges)
	zero []int32   // a list of zeros, used as row indices
	used []bool    // for each position: whether the vector passed to the method positions is not 0 there

	feature, position []int32 // the pairs (feature, position) at the positions with used true
	value             []float64
}

// positions sets s.used for the l positions: true where the k labels of v are not all 0. It reports whether there are
// positions where all k are 0.
func (s *row) positions(v []float64, l, k int) (others bool) {
	s.used = scratch.Grow(s.used, l)
	for t := range s.used {
		s.used[t] = slices.ContainsFunc(v[t*k:(t+1)*k], func(x float64) bool { return x != 0 })
		others = others || !s.used[t]
	}
	return others
}

// Incidence is the value of a feature at a position.
type Incidence struct {
	Feature, Position int32
	Value             float64
}

// NewShape returns a Shape. It returns an error if the number of weights, features·k + k², exceeds 32-bit numbers.
func NewShape(features, k int, untied bool) (*Shape, error) {
	dim := features*k + k*k
	if dim > math.MaxInt32 {
		return nil, fmt.Errorf("%d features and %d labels give %d weights: want at most %d; raise the setting \"cutoff\"",
			features, k, dim, math.MaxInt32)
	}
	return &Shape{K: k, Features: features, Dim: dim, Oracle: NewOracle(k, untied)}, nil
}

// Example returns an example with the labels as truth. Each wrong label costs 1.
func (s *Shape) Example(f models.FeatureMap, labels []int) models.Example {
	l, k := len(labels), s.K
	truth, cost := make(models.Vertex, l, 2*l-1), make([]float64, l*k)
	for i := range cost {
		cost[i] = 1
	}
	for t, y := range labels {
		truth[t] = t*k + y
		cost[t*k+y] = 0
	}
	if f, ok := f.(*Features); ok {
		for _, u := range f.Unknown {
			cost[truth[u.Position]] = 1
		}
	}
	o := s.Oracle
	e := models.Example{Features: f, Max: o, Exp: o, Slack: o, Second: o, Decoding: s.Decoding,
		Truth: o.Transitions(truth), Cost: cost}
	if o.untied || l < 3 { // otherwise marginals have only the sum over all pairs of neighbours
		e.Polytope = o
	}
	return e
}

// NewFeatures returns the Features of a sequence of l positions. list may be in any order; NewFeatures sorts it. A pair
// of a feature and a position may occur only once, and no value may be 0.
func (s *Shape) NewFeatures(l int, list []Incidence) *Features {
	Sort(list)
	n := len(list)
	index := make([]int32, 2*n)
	f := &Features{Pairs: *s.NewPairs(l, index[:n:n], index[n:], nil), once: make([]float64, l)}
	for i, x := range list {
		f.feature[i], f.position[i] = x.Feature, x.Position
	}
	if slices.ContainsFunc(list, func(x Incidence) bool { return x.Value != 1 }) {
		f.value = make([]float64, n)
		for i, x := range list {
			f.value[i] = x.Value
		}
	}
	for i := 0; i < n; {
		end := f.end(i)
		if end == i+1 {
			f.once[list[i].Position] += list[i].Value * list[i].Value
		} else {
			f.repeated = append(f.repeated, int32(i), int32(end))
		}
		i = end
	}
	f.repeated = slices.Clip(f.repeated)
	return f
}

// Sort sorts by feature, then by position.
func Sort(list []Incidence) {
	slices.SortFunc(list, func(a, b Incidence) int {
		if a.Feature != b.Feature {
			return int(a.Feature) - int(b.Feature)
		}
		return int(a.Position) - int(b.Position)
	})
}

// Unknown is a label of a validation sentence that is not in the training data, so no prediction at its position can be
// right. The truth of the example has label 0 at this position, and every label costs 1.
type Unknown struct {
	Position int
	Name     string
}
