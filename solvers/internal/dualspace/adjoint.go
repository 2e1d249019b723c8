package dualspace

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// Adjoint computes |Aᵀv|² for a feature map A in the cheaper of two ways. If the feature map is a models.Gram, its
// method NormSq computes the norm without Aᵀv. Otherwise Adjoint computes a sparse Aᵀv and stores it for later calls of
// Product and AddTo.
type Adjoint struct{ Sparse models.Sparse }

// NormSq returns |Aᵀv|², or NaN if the feature map f is neither a models.Gram nor a models.SparseMap.
func (a *Adjoint) NormSq(f models.FeatureMap, v []float64) float64 {
	switch f := f.(type) {
	case models.Gram:
		return f.NormSq(v)
	case models.SparseMap:
		f.Adjoint(&a.Sparse, v)
		return a.Sparse.NormSq()
	}
	return math.NaN()
}

// Product returns vᵀA w. f and v must be the arguments of the last call of NormSq. Product may overwrite theta, which
// must be as long as v.
func (a *Adjoint) Product(f models.FeatureMap, v, w, theta []float64) float64 {
	switch g := f.(type) {
	case models.Bilinear:
		return g.Product(v, w)
	case models.Gram:
		f.Score(theta, w)
		return Dot(theta, v)
	}
	return a.Sparse.Dot(w)
}

// AddTo adds c Aᵀv to w. f and v must be the arguments of the last call of NormSq.
func (a *Adjoint) AddTo(w []float64, c float64, f models.FeatureMap, v []float64) {
	if _, ok := f.(models.Gram); ok {
		f.AddAdjoint(w, c, v)
		return
	}
	a.Sparse.AddTo(w, c)
}
