package models

import (
	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// FeatureMap is the linear map A_i from weights (length Dim) to part scores (length Parts). Implementations are safe
// for concurrent use. They panic on slices of a wrong length.
type FeatureMap interface {
	Parts() int
	Score(theta, w []float64)                        // θ ← A w
	AddAdjoint(w []float64, c float64, mu []float64) // w ← w + c Aᵀμ
}

// Gram is an optional interface of a FeatureMap: the squared norm of Aᵀv, vᵀ(A Aᵀ)v, where that is cheaper than forming
// Aᵀv. EG needs it to compute the exact change of its dual.
type Gram interface {
	NormSq(v []float64) float64 // |Aᵀv|²
}

// Isotropic is an optional interface of a FeatureMap: |Aᵀv|² = q|v|² for all v in score space whose entries sum to 0,
// such as the differences of two distributions over classes.
type Isotropic interface {
	ScaleSq() float64 // q
}

// SparseMap is an optional interface of a FeatureMap whose differences of labellings touch few features.
type SparseMap interface {
	FeatureMap
	Adjoint(dst *Sparse, mu []float64)    // dst ← Aᵀμ, indices increasing, no zero stored
	Dot(w []float64, y Vertex) float64    // (A w)·1_y without all of A w
	Add(w []float64, c float64, y Vertex) // w ← w + c Aᵀ1_y
}

// Chain is an optional interface of a FeatureMap for a sequence with one label at each position. Part t·labels + y is
// label y at position t; all other parts are transitions. Weight f·labels + y belongs to feature f with label y. The
// weights of the F features are followed by those of the transitions: F·labels + y'·labels + y is the transition from
// y' to y. So there are F·labels + labels² weights.
type Chain interface {
	SparseMap
	Chain() (positions, labels int)
}

// Bounded is an optional interface of a FeatureMap: an upper bound of max_y |Aᵀ(1_truth − 1_y)|² that is better than
// the one from the triangle inequality.
type Bounded interface {
	RadiusSq(truth Vertex) float64
}

// Majorant is an optional interface of a FeatureMap. Majorise writes part scores θ and returns a constant such that
// |Aᵀ(1_truth − 1_y)|² ≤ constant + θ·1_y for every labelling y. One call of the max-oracle then gives an upper bound
// for all y.
type Majorant interface {
	Majorise(theta []float64, truth Vertex) float64
}

// RowMap is an optional interface of a FeatureMap that consists of one row x. A solver that visits examples at random
// caches the rows, because reaching them otherwise takes several pointers.
type RowMap interface {
	FeatureMap
	Isotropic
	// Row returns x and how scores are computed from it. If half is 0, each of the k parts has its own weights:
	//
	//	(A w)_c = Σ_j x_j w[j·k + c],
	//
	// Otherwise two parts share one weight vector: (A w)_1 = −(A w)_0 = half x·w. If the map has neither form, ok is
	// false.
	Row() (x Row, half float64, ok bool)
}

// Row is a feature vector x, borrowed from the data. It holds the non-zeros of x, or all components where Index is nil.
// The indices are those of the weights it is multiplied with. The methods do not check their range.
type Row struct {
	Index []int32
	Value []float64 // as long as Index
}

// Dot returns x·w.
func (x Row) Dot(w []float64) float64 { return vec.DotRow(x.Index, x.Value, w) }

// AddTo adds c x to w.
func (x Row) AddTo(w []float64, c float64) {
	if x.Index == nil {
		for j, v := range x.Value {
			w[j] += c * v
		}
		return
	}
	value := x.Value[:len(x.Index)]
	for t, j := range x.Index {
		w[j] += c * value[t]
	}
}

// Score writes theta[c] = Σ_j x_j w[j·k + c] for c < k = len(theta). Index must not be nil.
func (x Row) Score(theta, w []float64) { blockrow.Score(theta, x.Index, x.Value, w) }

// AddOuter adds a x_j mu[c] to w[j·k + c] for all j and c < k = len(mu). Index must not be nil.
func (x Row) AddOuter(w []float64, a float64, mu []float64) {
	blockrow.AddOuter(w, a, x.Index, x.Value, mu)
}

// Fetch asks the processor to load x, which a loop will read soon (see package prefetch).
func (x Row) Fetch() {
	prefetch.Slice(x.Index)
	prefetch.Slice(x.Value)
}

// KernelMap is an optional interface of a FeatureMap whose k parts are classes, scored by a kernel function of the
// training inputs. With the coefficients β_jc at w[j·k + c],
//
//	θ_c(x) = Σ_j k(x, x_j) β_jc + Bias·w[n·k + c],   |w|² = Σ_c β_cᵀ G β_c + Σ_c w[n·k + c]²,   G_ij = k(x_i, x_j),
//
// where the terms of w[n·k + c] occur only with a bias. Solvers outside this module, such as programs that read files,
// get the data of the problem from it.
type KernelMap interface {
	FeatureMap
	// Input returns x, with a nil Index where x is dense, and the kernel.
	Input() (x Row, k Kernel)
}

// Kernel describes the kernel function k(x, z). The name linear stands for x·z, rbf for exp(−Gamma |x − z|²),
// polynomial for (Gamma x·z + Coef)^Degree.
type Kernel struct {
	Name        string
	Gamma, Coef float64
	Degree      int
	Bias        float64 // value of the constant feature beside the functions; 0: there is none
}

// Layered is an optional interface of a FeatureMap. A model on top of another one implements it, so that callers can
// reach the feature map of the lower model.
type Layered interface {
	FeatureMap
	Base() FeatureMap
}

// BaseFeatures returns the feature map of the lowest model.
func BaseFeatures(f FeatureMap) FeatureMap {
	for {
		top, ok := f.(Layered)
		if !ok {
			return f
		}
		f = top.Base()
	}
}
