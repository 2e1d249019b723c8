package sequence

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Features is the feature map A_i of a chain for one sequence of l positions. Feature f has the value x_f(t) at
// position t. For F features,
//
//	(A w)_{t·k + y} = Σ_f x_f(t) w[f·k + y],   and w[F·k + y'·k + y] is the score of the transition y' → y.
//
// The pairs (f, t) with x_f(t) ≠ 0 are sorted by f. So every method reads w once, in increasing order, and the pairs of
// one feature are neighbours. Rows of θ, one for each position, are read in any order, but they are few and stay in the
// cache.
type Features struct {
	Pairs
	once     []float64 // for each position t: Σ x_f(t)² over the features f that occur only at t
	repeated []int32   // for each feature that occurs several times: begin and end of its pairs
	Unknown  []Unknown // labels of the sequence that are not in the training data
}

var (
	_ models.SparseMap = (*Features)(nil)
	_ models.Gram      = (*Features)(nil)
	_ models.Bilinear  = (*Features)(nil)
	_ models.Bounded   = (*Features)(nil)
	_ models.Chain     = (*Features)(nil)
)

// end returns the index after the last pair that has the feature of pair i.
func (f *Features) end(i int) int {
	end := i + 1
	for end < len(f.feature) && f.feature[end] == f.feature[i] {
		end++
	}
	return end
}

// NormSq implements models.Gram. It returns |Aᵀv|², where A is the feature map, as a sum over the features. A feature f
// that occurs once, with the value x_f(t) at position t, contributes |x_f(t) v_t|², so all such features of position t
// together contribute once[t]·|v_t|².
func (f *Features) NormSq(v []float64) float64 {
	f.CheckParts(v)
	k, s := f.K, f.pool.Get()
	defer f.pool.Put(s)
	var sum float64
	for t, x := range f.once {
		if x != 0 {
			sum += x * vec.SumSquares(v[t*k:(t+1)*k])
		}
	}
	for i := 0; i < len(f.repeated); i += 2 {
		sum += vec.SumSquares(f.block(s, v, int(f.repeated[i]), int(f.repeated[i+1])))
	}
	return sum + vec.SumSquares(f.edges(s, v))
}

// block computes the k components of Aᵀv for one feature, where A is the feature map. The pairs of this feature and a
// position have the indices begin .. end−1.
func (f *Features) block(s *row, v []float64, begin, end int) []float64 {
	s.row = scratch.Grow(s.row, f.K)
	clear(s.row)
	if n := end - begin; len(s.zero) < n {
		s.zero = make([]int32, 2*n)
	}
	var value []float64
	if f.value != nil {
		value = f.value[begin:end]
	}
	vec.AddRows(s.row, s.zero[:end-begin], v, f.position[begin:end], 1, value, f.K)
	return s.row
}

// edges computes the k² components of Aᵀv for the transitions, where A is the feature map.
func (f *Features) edges(s *row, v []float64) []float64 {
	v = v[f.Len*f.K:]
	n := f.K * f.K
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

// EdgesNormSq returns the squared norm of the components of Aᵀv for the transitions, where A is the feature map.
func (f *Features) EdgesNormSq(v []float64) float64 {
	s := f.pool.Get()
	defer f.pool.Put(s)
	return vec.SumSquares(f.edges(s, v))
}

// RadiusSq implements models.Bounded. It bounds max_y |φ(truth) − φ(y)|² with φ(y) = Aᵀ1_y. Let φ_fc(y) be the
// component of feature f with label c, and X_f = Σ_t |x_f(t)|. Then Σ_c φ_fc(y)² ≤ X_f², with equality if all labels
// are the same. In the same way the components of the transitions contribute at most (l − 1)². If no feature is
// negative, φ(truth)·φ(y) ≥ 0, and
//
//	|φ(truth) − φ(y)|² ≤ |φ(truth)|² + Σ_f X_f² + (l − 1)²;
//
// Otherwise the bound is the square of |φ(truth)| + √(Σ_f X_f² + (l − 1)²).
func (f *Features) RadiusSq(truth models.Vertex) float64 {
	most, negative := float64((f.Len-1)*(f.Len-1)), false
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

// Product implements models.Bilinear: it returns vᵀA w for the feature map A. It costs k operations for each pair of a
// feature and a position at which v is not 0, and k² for each matrix of transitions.
func (f *Features) Product(v, w []float64) float64 {
	f.Check(v, w)
	s := f.pool.Get()
	defer f.pool.Put(s)
	k := f.K
	s.positions(v, f.Len, k)
	var sum float64
	for i, j := range f.feature {
		t := int(f.position[i])
		if !s.used[t] {
			continue
		}
		x := vec.DotRow(nil, v[t*k:(t+1)*k], w[int(j)*k:(int(j)+1)*k])
		if f.value != nil {
			x *= f.value[i]
		}
		sum += x
	}
	return sum + vec.DotRow(nil, f.edges(s, v), w[f.Features*k:])
}
