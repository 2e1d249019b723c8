package solvers

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// adjoint finds |Aᵀv|² by the cheaper of two ways, in score space where the map is a Gram, else from a sparse Aᵀv,
// which it keeps: a step that is taken after its norm is known need not form it again.
type adjoint struct{ sparse models.Sparse }

// normSq is |Aᵀv|²; NaN where the map has neither.
func (a *adjoint) normSq(f models.FeatureMap, v []float64) float64 {
	switch f := f.(type) {
	case models.Gram:
		return f.NormSq(v)
	case models.SparseMap:
		f.Adjoint(&a.sparse, v)
		return a.sparse.NormSq()
	}
	return math.NaN()
}

// addTo adds c Aᵀv to w, for the map and the v of the last normSq.
func (a *adjoint) addTo(w []float64, c float64, f models.FeatureMap, v []float64) {
	if _, ok := f.(models.Gram); ok {
		f.AddAdjoint(w, c, v)
		return
	}
	a.sparse.AddTo(w, c)
}
