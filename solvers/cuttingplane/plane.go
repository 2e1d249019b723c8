package cuttingplane

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// plane is the lower bound R(w) ≥ a·w + b on the risk R of BMRM. The slope is stored in the field a or in the field
// dense, whichever takes less memory. The other field is empty.
type plane struct {
	a     models.Sparse
	dense []float64
	b     float64
	idle  int // number of consecutive QPs in which the multiplier of the plane was 0
}

// newPlane returns the plane with a copy of the given slope, stored as a sparse vector if this takes less memory. An
// entry of a sparse vector takes 1.5 times the memory of a float.
func newPlane(slope []float64, b float64) plane {
	zeros := 0
	for _, x := range slope {
		if x == 0 {
			zeros++
		}
	}
	if 3*zeros < len(slope) {
		return plane{dense: slices.Clone(slope), b: b}
	}
	return plane{a: models.SparseOf(slope), b: b}
}

// dot returns a·v, where a is the slope of the plane.
func (p *plane) dot(v []float64) float64 {
	if p.dense != nil {
		return floats.Dot(p.dense, v)
	}
	return p.a.Dot(v)
}

// addTo adds c times the slope of the plane to v.
func (p *plane) addTo(v []float64, c float64) {
	if p.dense != nil {
		floats.AddScaled(v, c, p.dense)
		return
	}
	p.a.AddTo(v, c)
}

// carrySparse saves or loads sparse vectors.
func carrySparse(to *solvers.State, vectors *[]models.Sparse) {
	index, value := make([][]int32, len(*vectors)), make([][]float64, len(*vectors))
	for k, g := range *vectors {
		index[k], value[k] = g.Index, g.Value
	}
	to.Carry(&index, &value)
	if !to.Loading() {
		return
	}
	*vectors = make([]models.Sparse, len(index))
	for k := range index {
		(*vectors)[k] = models.Sparse{Index: index[k], Value: value[k]}
	}
}
