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
	Score(theta, w []float64)                        // θ ← A w, where A is the map
	AddAdjoint(w []float64, c float64, mu []float64) // w ← w + c Aᵀμ, with the transpose of the map A
}

// Gram is an optional interface of a FeatureMap that computes the squared norm of Aᵀv, where A is the map, at a lower
// cost than by forming Aᵀv. The solver EG uses Gram to compute the exact change of the dual value.
type Gram interface {
	NormSq(v []float64) float64 // |Aᵀv|²
}

// Bilinear is an optional interface of a FeatureMap that computes vᵀA w, where A is the map, faster than by forming A
// w.
type Bilinear interface {
	Product(v, w []float64) float64 // vᵀA w
}

// Isotropic is an optional interface of a FeatureMap for which |Aᵀv|² = q|v|², where A is the map, for all v whose
// entries sum to 0, such as the differences of two distributions over classes.
type Isotropic interface {
	ScaleSq() float64 // the factor q in |Aᵀv|² = q|v|²
}

// SparseMap is an optional interface of a FeatureMap for which two labellings of an example differ in few features.
type SparseMap interface {
	FeatureMap
	Adjoint(dst *Sparse, mu []float64)    // dst ← Aᵀμ for the map A; indices increasing, no zero stored
	Dot(w []float64, y Vertex) float64    // (A w)·1_y, computed without all of A w
	Add(w []float64, c float64, y Vertex) // w ← w + c Aᵀ1_y for the map A; 1_y counts the parts of y
}

// Chain is an optional interface of a FeatureMap for a sequence with one label at each position. Part t·labels + y is
// label y at position t. All other parts are transitions. Weight f·labels + y belongs to feature f with label y. After
// the weights of all F features come the weights of the transitions: weight F·labels + y'·labels + y belongs to the
// transition from y' to y. So there are F·labels + labels² weights.
type Chain interface {
	SparseMap
	Chain() (positions, labels int)
}

// Bounded is an optional interface of a FeatureMap that computes an upper bound of max_y |Aᵀ(1_truth − 1_y)|², where A
// is the map and 1_y counts the parts of the labelling y. The bound is smaller than the bound that follows from the
// triangle inequality.
type Bounded interface {
	RadiusSq(truth Vertex) float64
}

// Majorant is an optional interface of a FeatureMap. Majorise writes part scores θ to theta and returns a constant such
// that |Aᵀ(1_truth − 1_y)|² ≤ constant + θ·1_y for every labelling y, where A is the map and 1_y counts the parts of y.
// So one call of the max-oracle gives an upper bound over all y.
type Majorant interface {
	Majorise(theta []float64, truth Vertex) float64
}

// RowMap is an optional interface of a FeatureMap that consists of one row x. A solver that visits examples at random
// can store the rows and so avoid following several pointers at each visit.
type RowMap interface {
	FeatureMap
	Isotropic
	// Row returns x and how the map A computes scores from x. If half is 0, each of the k parts has its own weights:
	//
	//	(A w)_c = Σ_j x_j w[j·k + c],
	//
	// Otherwise two parts share one weight vector: (A w)_1 = −(A w)_0 = half·(x·w). If the map has neither form, ok is
	// false.
	Row() (x Row, half float64, ok bool)
}

// Row is a feature vector x, which shares memory with the data. It has the non-zeros of x, or all components if Index
// is nil. The methods do not check that indices are in range.
type Row struct {
	Index []int32
	Value []float64 // the values of the features in Index, or of all features
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

// Fetch loads x into the processor's cache in advance, for a loop that will read x soon (see package prefetch).
func (x Row) Fetch() {
	prefetch.Slice(x.Index)
	prefetch.Slice(x.Value)
}

// KernelMap is an optional interface of a FeatureMap whose parts are m classes, and whose features are a kernel
// function k of the input x and each of n training inputs x_j. With the coefficients β_jc at w[j·m + c],
//
//	θ_c(x) = Σ_j k(x, x_j) β_jc + Bias·w[n·m + c],   |w|² = Σ_c β_cᵀ G β_c + Σ_c w[n·m + c]²,   G_ij = k(x_i, x_j),
//
// where the terms with w[n·m + c] occur only if the kernel has a bias. The solver external uses this interface to write
// the data of the problem to files for other programs.
type KernelMap interface {
	FeatureMap
	// Input returns x, with a nil Index if x is dense, and the kernel.
	Input() (x Row, k Kernel)
}

// Kernel describes the kernel function k(x, z). Name selects the function: "linear" is x·z, "rbf" is exp(−Gamma |x −
// z|²), and "polynomial" is (Gamma x·z + Coef)^Degree.
type Kernel struct {
	Name        string
	Gamma, Coef float64
	Degree      int
	Bias        float64 // value of the additional constant feature; 0: there is none
}

// Layered is an optional interface of a FeatureMap. A model that extends another model implements Layered, so that
// callers can reach the feature map of the model that it extends.
type Layered interface {
	FeatureMap
	Base() FeatureMap
}

// BaseFeatures returns f if it is not Layered. Otherwise it follows Base to the feature map of the model that extends
// no other model.
func BaseFeatures(f FeatureMap) FeatureMap {
	for {
		top, ok := f.(Layered)
		if !ok {
			return f
		}
		f = top.Base()
	}
}
