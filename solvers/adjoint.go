package solvers

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
)

// adjoint finds |Aᵀv|² by the cheaper of two ways, in score space where the map is a Gram, else from a sparse Aᵀv,
// which it keeps: a step that is taken after its norm is known need not form it again.
type adjoint struct{ sparse models.Sparse }

// normSq is |Aᵀv|²; NaN where adjointKnown is false.
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

// adjointKnown says whether a map offers |Aᵀv|², or Aᵀv as a sparse vector.
func adjointKnown(f models.FeatureMap) bool {
	switch f.(type) {
	case models.Gram, models.SparseMap:
		return true
	}
	return false
}

// checkAdjoint is the refusal of a solver that needs |Aᵀv|².
func checkAdjoint(solver string, p *models.Problem, i int) error {
	if !adjointKnown(p.Examples[i].Features) {
		return fmt.Errorf("%w: %s needs |Aᵀv|²; the features of example %d offer neither NormSq nor Adjoint", ErrUnsupported,
			solver, i)
	}
	return nil
}
