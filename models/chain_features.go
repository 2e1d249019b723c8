package models

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/models/internal/scratch"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// chainFeatures is A_i of Chain for one sequence of l positions: feature f has the value x_f(t) at position t, and
//
//	(A w)_{t·k + y} = Σ_f x_f(t) w[f·k + y],   transition y' → y: w[F·k + y'·k + y]
//
// for F features. The pairs (f, t) with x_f(t) ≠ 0 are sorted by f, so that every method goes through w once,
// upwards, and a feature's pairs are neighbours. The rows of θ jump about, but these are few and stay in the cache.
type chainFeatures struct {
	*chainShape
	l        int
	feature  []int32
	position []int32
	value    []float64 // nil if all are 1
	once     []float64 // of each position: Σ x_f(t)² over the features that occur nowhere else
	repeated []int32   // begin and end of the pairs of each other feature
	unknown  []unknownLabel
}

// chainShape is what the sequences of a task share.
type chainShape struct {
	k, features, dim int // dim = features·k + k²
	oracle           *chainOracle
	pool             scratch.Pool[chainRow]
}

type chainRow struct {
	row  []float64 // k or k² numbers
	zero []int32   // always 0
}

// incidence is a feature at a position.
type incidence struct {
	feature, position int32
	value             float64
}

var (
	_ SparseMap = (*chainFeatures)(nil)
	_ Gram      = (*chainFeatures)(nil)
	_ Widest    = (*chainFeatures)(nil)
)

// newFeatures takes the features of l positions in any order, each at most once a position, none with the value 0. It
// sorts them.
func (s *chainShape) newFeatures(l int, list []incidence) *chainFeatures {
	sortIncidences(list)
	n := len(list)
	index := make([]int32, 2*n)
	f := &chainFeatures{chainShape: s, l: l, feature: index[:n:n], position: index[n:], once: make([]float64, l)}
	for i, x := range list {
		f.feature[i], f.position[i] = x.feature, x.position
	}
	if slices.ContainsFunc(list, func(x incidence) bool { return x.value != 1 }) {
		f.value = make([]float64, n)
		for i, x := range list {
			f.value[i] = x.value
		}
	}
	for i := 0; i < n; {
		end := f.end(i)
		if end == i+1 {
			f.once[list[i].position] += list[i].value * list[i].value
		} else {
			f.repeated = append(f.repeated, int32(i), int32(end))
		}
		i = end
	}
	f.repeated = slices.Clip(f.repeated)
	return f
}

// sortIncidences sorts by feature, then by position.
func sortIncidences(list []incidence) {
	slices.SortFunc(list, func(a, b incidence) int {
		if a.feature != b.feature {
			return int(a.feature) - int(b.feature)
		}
		return int(a.position) - int(b.position)
	})
}

// end is where the pairs of the feature of pair i end.
func (f *chainFeatures) end(i int) int {
	end := i + 1
	for end < len(f.feature) && f.feature[end] == f.feature[i] {
		end++
	}
	return end
}

func (f *chainFeatures) Parts() int {
	blocks := 1
	if f.oracle.untied {
		blocks = f.l - 1
	}
	return f.l*f.k + blocks*f.k*f.k
}

func (f *chainFeatures) check(parts, w []float64) {
	f.checkParts(parts)
	f.checkWeights(w)
}

func (f *chainFeatures) checkParts(parts []float64) {
	if len(parts) != f.Parts() {
		panic("models: len(theta) != Parts()")
	}
}

func (f *chainFeatures) checkWeights(w []float64) {
	if len(w) != f.dim {
		panic("models: len(w) != Dim")
	}
}

func (f *chainFeatures) Score(theta, w []float64) {
	f.check(theta, w)
	labels := theta[:f.l*f.k]
	clear(labels)
	vec.AddRows(labels, f.position, w, f.feature, 1, f.value, f.k)
	for to := theta[len(labels):]; len(to) > 0; to = to[f.k*f.k:] {
		copy(to, w[f.features*f.k:])
	}
}

func (f *chainFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	vec.AddRows(w, f.feature, mu, f.position, c, f.value, f.k)
	edges, only := w[f.features*f.k:], [1]int32{}
	for from := mu[f.l*f.k:]; len(from) > 0; from = from[len(edges):] {
		vec.AddRows(edges, only[:], from, only[:], c, nil, len(edges))
	}
}

// NormSq sums over features. One that occurs once has the block x_f(t) v_t: those of a position together give once[t]
// |v_t|².
func (f *chainFeatures) NormSq(v []float64) float64 {
	f.checkParts(v)
	k, s := f.k, f.pool.Get()
	defer f.pool.Put(s)
	var sum float64
	for t, x := range f.once {
		if x != 0 {
			sum += x * sumSquares(v[t*k:(t+1)*k])
		}
	}
	for i := 0; i < len(f.repeated); i += 2 {
		sum += sumSquares(f.block(s, v, int(f.repeated[i]), int(f.repeated[i+1])))
	}
	return sum + sumSquares(f.edges(s, v))
}

// sumSquares adds in four lanes, each of which need not wait for the others.
func sumSquares(v []float64) float64 {
	var a, b, c, d float64
	for ; len(v) >= 4; v = v[4:] {
		a += v[0] * v[0]
		b += v[1] * v[1]
		c += v[2] * v[2]
		d += v[3] * v[3]
	}
	for _, x := range v {
		a += x * x
	}
	return (a + c) + (b + d)
}

// block is Aᵀv at one feature, whose pairs are those from begin to end.
func (f *chainFeatures) block(s *chainRow, v []float64, begin, end int) []float64 {
	s.row = scratch.Grow(s.row, f.k)
	clear(s.row)
	if n := end - begin; len(s.zero) < n {
		s.zero = make([]int32, 2*n)
	}
	var value []float64
	if f.value != nil {
		value = f.value[begin:end]
	}
	vec.AddRows(s.row, s.zero[:end-begin], v, f.position[begin:end], 1, value, f.k)
	return s.row
}

// edges is Aᵀv at the transitions.
func (f *chainFeatures) edges(s *chainRow, v []float64) []float64 {
	v = v[f.l*f.k:]
	n := f.k * f.k
	if len(v) == n {
		return v
	}
	s.row = scratch.Grow(s.row, n)
	clear(s.row)
	for ; len(v) > 0; v = v[n:] {
		for i, x := range v[:n] {
			s.row[i] += x
		}
	}
	return s.row
}

// WidestSq bounds max_y |φ(truth) − φ(y)|², φ(y) = Aᵀ1_y. By feature f and label c, with X_f = Σ_t |x_f(t)|, Σ_c
// φ_fc(y)² ≤ X_f², which is attained where all labels are the same, and so for the l − 1 transitions. Where no
// feature is negative φ(truth)·φ(y) ≥ 0, and
//
//	|φ(truth) − φ(y)|² ≤ |φ(truth)|² + Σ_f X_f² + (l − 1)²;
//
// otherwise it is at most the square of the sum of both norms.
func (f *chainFeatures) WidestSq(truth Vertex) float64 {
	most, negative := float64((f.l-1)*(f.l-1)), false
	for i := 0; i < len(f.feature); {
		sum, end := 0.0, f.end(i)
		for ; i < end; i++ {
			x := 1.0
			if f.value != nil {
				x = f.value[i]
			}
			negative = negative || x < 0
			sum += math.Abs(x)
		}
		most += sum * sum
	}
	indicator := make([]float64, f.Parts())
	for _, r := range truth {
		indicator[r]++
	}
	own := f.NormSq(indicator)
	if negative {
		both := math.Sqrt(own) + math.Sqrt(most)
		return both * both
	}
	return own + most
}
