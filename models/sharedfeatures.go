package models

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/models/internal/scratch"
)

// sharedFeatures is a feature map whose features are 0 or 1, for examples with many parts that share features: the arcs of a
// sentence, say. The distinct features of the example are numbered 0 .. D−1 and each part lists its features by these
// numbers, so that
//
//	Score: u_j ← w[global_j],  θ_r ← Σ_{j ∈ r} u_j,        Aᵀμ: u_j ← Σ_{r ∋ j} μ_r
//
// touch the weights D times, in increasing order, and else only the vector u, which stays in the cache.
//
// It implements SparseMap. Memory: 4 bytes per feature of a part, 4 per distinct feature.
type sharedFeatures struct {
	start  []int32 // offset of each part in local; parts + 1 values
	local  []int32 // numbers of the features of the parts
	global []int32 // feature of each number, increasing
	dim    int     // length of w
	pool   *scratch.Pool[sharedScratch]
}

type sharedScratch struct{ u []float64 }

var _ SparseMap = (*sharedFeatures)(nil)

func (f *sharedFeatures) Parts() int { return len(f.start) - 1 }

func (f *sharedFeatures) checkParts(v []float64) {
	if len(v) != f.Parts() {
		panic("models: the number of part scores is not Parts()")
	}
}

func (f *sharedFeatures) checkWeights(w []float64) {
	if len(w) != f.dim {
		panic("models: len(w) != Dim")
	}
}

func (f *sharedFeatures) Score(theta, w []float64) {
	f.checkParts(theta)
	f.checkWeights(w)
	s := f.pool.Get()
	defer f.pool.Put(s)
	s.u = scratch.Grow(s.u, len(f.global))
	u := s.u
	for j, g := range f.global {
		u[j] = w[g]
	}
	lo := f.start[0]
	for r := range theta {
		hi := f.start[r+1]
		var sum float64
		for _, j := range f.local[lo:hi] {
			sum += u[j]
		}
		theta[r], lo = sum, hi
	}
}

// scatter makes u_j the sum of μ_r over the parts with feature j.
func (f *sharedFeatures) scatter(s *sharedScratch, mu []float64) []float64 {
	f.checkParts(mu)
	s.u = scratch.Grow(s.u, len(f.global))
	u := s.u
	clear(u)
	lo := f.start[0]
	for r, m := range mu {
		hi := f.start[r+1]
		if m != 0 {
			for _, j := range f.local[lo:hi] {
				u[j] += m
			}
		}
		lo = hi
	}
	return u
}

func (f *sharedFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.checkWeights(w)
	s := f.pool.Get()
	defer f.pool.Put(s)
	u := f.scatter(s, mu)
	for j, g := range f.global {
		w[g] += c * u[j]
	}
}

func (f *sharedFeatures) Adjoint(dst *Sparse, mu []float64) {
	s := f.pool.Get()
	defer f.pool.Put(s)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for j, v := range f.scatter(s, mu) {
		if v != 0 {
			dst.Index, dst.Value = append(dst.Index, f.global[j]), append(dst.Value, v)
		}
	}
}

func (f *sharedFeatures) Dot(w []float64, y Vertex) float64 {
	f.checkWeights(w)
	var sum float64
	for _, r := range y {
		for _, j := range f.local[f.start[r]:f.start[r+1]] {
			sum += w[f.global[j]]
		}
	}
	return sum
}

func (f *sharedFeatures) Add(w []float64, c float64, y Vertex) {
	f.checkWeights(w)
	for _, r := range y {
		for _, j := range f.local[f.start[r]:f.start[r+1]] {
			w[f.global[j]] += c
		}
	}
}

// sharedBuilder numbers the features of one example after the other. It serves one goroutine.
type sharedBuilder struct {
	pool    *scratch.Pool[sharedScratch]
	dim     int
	number  []int32 // of a feature in the present example, or −1
	start   []int32
	feature []int32 // of the parts so far
	global  []int32
}

func newSharedBuilder(dim int, pool *scratch.Pool[sharedScratch]) *sharedBuilder {
	b := &sharedBuilder{pool: pool, dim: max(1, dim), number: make([]int32, dim), start: []int32{0}}
	for j := range b.number {
		b.number[j] = -1
	}
	return b
}

// add adds a feature to the part at hand.
func (b *sharedBuilder) add(feature int32) {
	b.feature = append(b.feature, feature)
	if b.number[feature] < 0 {
		b.number[feature] = 0
		b.global = append(b.global, feature)
	}
}

// endPart begins the next part.
func (b *sharedBuilder) endPart() {
	if len(b.feature) > math.MaxInt32 {
		panic("models: an example with more than 2³¹ features of parts")
	}
	b.start = append(b.start, int32(len(b.feature)))
}

// finish returns the map of the parts so far and begins the next example.
func (b *sharedBuilder) finish() *sharedFeatures {
	slices.Sort(b.global)
	for j, g := range b.global {
		b.number[g] = int32(j)
	}
	f := &sharedFeatures{start: slices.Clone(b.start), global: slices.Clone(b.global), local: make([]int32, len(b.feature)),
		dim: b.dim, pool: b.pool}
	for i, g := range b.feature {
		f.local[i] = b.number[g]
	}
	for _, g := range b.global {
		b.number[g] = -1
	}
	b.start, b.feature, b.global = b.start[:1], b.feature[:0], b.global[:0]
	return f
}
