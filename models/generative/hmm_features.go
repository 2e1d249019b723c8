package generative

import (
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// hmmShape has the sizes, the oracles and the scratch memory that all sequences of a task share: k states, m symbols,
// and the layout of θ,
//
//	π(s) = θ[s],   T(s', s) = θ[k + s'·k + s],   E(s, o) = θ[k + k² + s·m + o].
type hmmShape struct {
	k, m, dim int
	oracle    *sequence.Oracle
	decoding  models.Decoding // nil: the best path
	pool      scratch.Pool[hmmScratch]
}

// hmmScratch is the scratch memory of one call: the transpose of E (see hmmShape), or a vector as long as θ.
type hmmScratch struct{ v []float64 }

func newHMMShape(k, m int) *hmmShape {
	return &hmmShape{k: k, m: m, dim: k + k*k + k*m, oracle: sequence.NewOracle(k, false)}
}

// tables returns the vectors π, the rows of T and the rows of E (see hmmShape). In the smaller model (see the value
// smaller of HMM.Prior), all rows of T are one distribution.
func (s *hmmShape) tables() tables {
	t := tables{start: []int{0}}
	add := func(length, pool int) {
		t.start = append(t.start, t.start[len(t.start)-1]+length)
		t.pool = append(t.pool, pool)
	}
	add(s.k, 0)
	for range s.k {
		add(s.k, 1)
	}
	for y := range s.k {
		add(s.m, 2+y)
	}
	return t
}

// hmmFeatures is the feature map A_i of HMM for a sequence of symbols o_0 .. o_{l−1} (see hmmShape for π, T and E):
//
//	(A θ)_{t·k + s} = E(s, o_t) + [t = 0] π(s),   transition s' → s: T(s', s).
//
// The score of a labelling s is exactly log P(s, o).
type hmmFeatures struct {
	*hmmShape
	symbol []int32
}

var _ models.SparseMap = (*hmmFeatures)(nil)

func (f *hmmFeatures) Parts() int { return len(f.symbol)*f.k + f.k*f.k }

func (f *hmmFeatures) check(parts, w []float64) {
	if len(parts) != f.Parts() {
		panic("generative: len(theta) != Parts()")
	}
	f.checkWeights(w)
}

func (f *hmmFeatures) checkWeights(w []float64) {
	if len(w) != f.dim {
		panic("generative: len(w) != Dim")
	}
}

// Score implements models.FeatureMap. If there are no more symbols than positions, it transposes E first, so that each
// position copies a row of k numbers.
func (f *hmmFeatures) Score(theta, w []float64) {
	f.check(theta, w)
	k, m, l := f.k, f.m, len(f.symbol)
	emission := w[k+k*k:]
	if m <= l {
		s := f.pool.Get()
		s.v = scratch.Grow(s.v, m*k)
		for y := range k {
			for o, x := range emission[y*m : (y+1)*m] {
				s.v[o*k+y] = x
			}
		}
		for t, o := range f.symbol {
			copy(theta[t*k:(t+1)*k], s.v[int(o)*k:])
		}
		f.pool.Put(s)
	} else {
		for t, o := range f.symbol {
			for y := range k {
				theta[t*k+y] = emission[y*m+int(o)]
			}
		}
	}
	for y, x := range w[:k] {
		theta[y] += x
	}
	copy(theta[l*k:], w[k:k+k*k])
}

func (f *hmmFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	k, m, l := f.k, f.m, len(f.symbol)
	for s, x := range mu[:k] {
		w[s] += c * x
	}
	only := [1]int32{}
	vec.AddRows(w[k:], only[:], mu[l*k:], only[:], c, nil, k*k)
	emission := w[k+k*k:]
	for s := range k {
		row, at := emission[s*m:(s+1)*m], s
		for _, o := range f.symbol {
			row[o] += c * mu[at]
			at += k
		}
	}
}

func (f *hmmFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	s := f.pool.Get()
	defer f.pool.Put(s)
	s.v = scratch.Grow(s.v, f.dim)
	clear(s.v)
	f.AddAdjoint(s.v, 1, mu)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	dst.AppendRow(0, s.v)
}

func (f *hmmFeatures) Dot(w []float64, y models.Vertex) float64 {
	f.checkWeights(w)
	states, edges := f.split(y)
	sum := w[states[0]]
	for t, r := range states {
		sum += w[f.emission(t, r)]
	}
	for _, r := range edges {
		sum += w[f.edge(r)]
	}
	return sum
}

func (f *hmmFeatures) Add(w []float64, c float64, y models.Vertex) {
	f.checkWeights(w)
	states, edges := f.split(y)
	w[states[0]] += c
	for t, r := range states {
		w[f.emission(t, r)] += c
	}
	for _, r := range edges {
		w[f.edge(r)] += c
	}
}

// split returns the parts of the states and the parts of the transitions of a labelling.
func (f *hmmFeatures) split(y models.Vertex) (states, edges models.Vertex) {
	l := len(f.symbol)
	if len(y) != 2*l-1 {
		panic("generative: len(y) != 2l − 1, the number of parts of a labelling")
	}
	return y[:l], y[l:]
}

// emission returns the index in θ of the emission log-probability E(s, o_t) (see hmmShape), where s is the state of
// part r at position t.
func (f *hmmFeatures) emission(t, r int) int {
	return f.k + f.k*f.k + (r-t*f.k)*f.m + int(f.symbol[t])
}

// edge returns the index in θ of a transition's log-probability, given its part.
func (f *hmmFeatures) edge(r int) int { return f.k + r - len(f.symbol)*f.k }
