package deptree

import (
	"cmp"
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// sharedFeatures is a feature map for examples with many parts that share features, such as the arcs of a sentence. The
// distinct pairs of a feature and its value in some part of the example are numbered 0 .. D−1, and each part r lists
// the numbers j of its pairs (below: j ∈ r). With a vector u of length D, the methods compute
//
//	Score: u_j ← value_j w[global_j],  θ_r ← Σ_{j ∈ r} u_j,        Aᵀμ: u_j ← value_j Σ_{r ∋ j} μ_r
//
// So they access the weights D times, in increasing order, and otherwise only u, which stays in the cache.
//
// It implements SparseMap. Memory: 4 bytes per feature of a part, 12 per pair.
type sharedFeatures struct {
	start  []int32   // offset of each part in local; parts + 1 values
	local  []int32   // for each part, one after the other: the numbers of its pairs
	global []int32   // feature of each pair, in non-decreasing order
	value  []float64 // value of each pair
	dim    int       // length of w
	pool   *scratch.Pool[sharedScratch]
}

type sharedScratch struct{ u []float64 }

var _ models.SparseMap = (*sharedFeatures)(nil)

func (f *sharedFeatures) Parts() int { return len(f.start) - 1 }

func (f *sharedFeatures) checkParts(v []float64) {
	if len(v) != f.Parts() {
		panic("deptree: len(theta) != Parts()")
	}
}

func (f *sharedFeatures) checkWeights(w []float64) {
	if len(w) != f.dim {
		panic("deptree: len(w) != Dim")
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
		u[j] = f.value[j] * w[g]
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

// scatter returns u, where u_j is the sum of μ_r over the parts with pair j.
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
		w[g] += c * f.value[j] * u[j]
	}
}

func (f *sharedFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	s := f.pool.Get()
	defer f.pool.Put(s)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	u := f.scatter(s, mu)
	for j := 0; j < len(u); {
		g, v := f.global[j], f.value[j]*u[j]
		for j++; j < len(u) && f.global[j] == g; j++ {
			v += f.value[j] * u[j]
		}
		if v != 0 {
			dst.Index, dst.Value = append(dst.Index, g), append(dst.Value, v)
		}
	}
}

func (f *sharedFeatures) Dot(w []float64, y models.Vertex) float64 {
	f.checkWeights(w)
	var sum float64
	for _, r := range y {
		for _, j := range f.local[f.start[r]:f.start[r+1]] {
			sum += f.value[j] * w[f.global[j]]
		}
	}
	return sum
}

func (f *sharedFeatures) Add(w []float64, c float64, y models.Vertex) {
	f.checkWeights(w)
	for _, r := range y {
		for _, j := range f.local[f.start[r]:f.start[r+1]] {
			w[f.global[j]] += c * f.value[j]
		}
	}
}

// sharedBuilder builds the feature maps of examples, one after the other. It may be used by one goroutine at a time.
type sharedBuilder struct {
	pool  *scratch.Pool[sharedScratch]
	dim   int
	ones  []int32          // for each feature with value 1: its index in pairs, or −1 if it is not in the current example
	more  map[valued]int32 // for each feature with another value: its index in pairs
	pairs []valued         // pairs of the current example, in order of appearance
	start []int32          // offset of each part in place, as in sharedFeatures
	place []int32          // for each feature of the parts so far: its index in pairs
}

// valued is a feature with its value.
type valued struct{ feature, value int32 }

func newSharedBuilder(dim int, pool *scratch.Pool[sharedScratch]) *sharedBuilder {
	b := &sharedBuilder{pool: pool, dim: max(1, dim), ones: make([]int32, dim), more: map[valued]int32{},
		start: []int32{0}}
	for j := range b.ones {
		b.ones[j] = -1
	}
	return b
}

// add adds a feature to the current part. The part must not have the feature yet.
func (b *sharedBuilder) add(feature, value int32) {
	pair := valued{feature, value}
	var at int32
	if value == 1 {
		at = b.ones[feature]
	} else if known, ok := b.more[pair]; ok {
		at = known
	} else {
		at = -1
	}
	if at < 0 {
		at = int32(len(b.pairs))
		b.pairs = append(b.pairs, pair)
		if value == 1 {
			b.ones[feature] = at
		} else {
			b.more[pair] = at
		}
	}
	b.place = append(b.place, at)
}

// endPart ends the current part and begins the next one.
func (b *sharedBuilder) endPart() {
	if len(b.place) > math.MaxInt32 {
		panic("deptree: the parts of an example have more than 2³¹ features in total")
	}
	b.start = append(b.start, int32(len(b.place)))
}

// finish returns the feature map of the current example and begins the next example.
func (b *sharedBuilder) finish() *sharedFeatures {
	order := make([]int32, len(b.pairs))
	for j := range order {
		order[j] = int32(j)
	}
	slices.SortFunc(order, func(i, j int32) int {
		x, y := b.pairs[i], b.pairs[j]
		return cmp.Or(cmp.Compare(x.feature, y.feature), cmp.Compare(x.value, y.value))
	})
	f := &sharedFeatures{start: slices.Clone(b.start), local: make([]int32, len(b.place)),
		global: make([]int32, len(order)),
		value:  make([]float64, len(order)), dim: b.dim, pool: b.pool}
	number := make([]int32, len(order))
	for j, at := range order {
		pair := b.pairs[at]
		number[at], f.global[j], f.value[j] = int32(j), pair.feature, float64(pair.value)
		b.ones[pair.feature] = -1
	}
	for i, at := range b.place {
		f.local[i] = number[at]
	}
	clear(b.more)
	b.start, b.place, b.pairs = b.start[:1], b.place[:0], b.pairs[:0]
	return f
}

// eachArc calls f for the arcs of a sentence of l words, in the order of the parts.
func eachArc(l int, f func(head, mod int)) {
	for m := 1; m <= l; m++ {
		for h := range l + 1 {
			if h != m {
				f(h, m)
			}
		}
	}
}
