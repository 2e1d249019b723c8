package multiclass

import (
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// features is the feature map A_i of Model for one row x: (A w)_c = Σ_j x_j w[j·k + c] for k parts. Rows share their
// memory with the data set. All dense rows share one index of all features.
type features struct {
	index  []int32
	value  []float64
	k, dim int     // dim = features·k, the length of w
	norm   float64 // |x|²
}

var (
	_ models.SparseMap = (*features)(nil)
	_ models.Gram      = (*features)(nil)
	_ models.Isotropic = (*features)(nil)
	_ models.RowMap    = (*features)(nil)
)

func (f *features) Parts() int { return f.k }

func (f *features) Score(theta, w []float64) {
	f.check(theta, w)
	blockrow.Score(theta, f.index, f.value, w)
}

func (f *features) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	blockrow.AddOuter(w, c, f.index, f.value, mu)
}

func (f *features) check(parts, w []float64) {
	f.checkParts(parts)
	f.checkWeights(w)
}

func (f *features) checkParts(parts []float64) {
	if len(parts) != f.k {
		panic("multiclass: len(theta) != Parts()")
	}
}

func (f *features) checkWeights(w []float64) {
	if len(w) != f.dim {
		panic("multiclass: len(w) != Dim")
	}
}

// NormSq implements models.Gram. It returns |Aᵀv|² = |x|² |v|², since Aᵀv has a block x_j v for each feature j.
func (f *features) NormSq(v []float64) float64 {
	f.checkParts(v)
	return f.norm * vec.NormSq(v)
}

// Row implements models.RowMap.
func (f *features) Row() (x models.Row, half float64, ok bool) {
	return models.Row{Index: f.index, Value: f.value}, 0, true
}

// ScaleSq implements models.Isotropic.
func (f *features) ScaleSq() float64 { return f.norm }

func (f *features) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkParts(mu)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for t, x := range f.value {
		for c, m := range mu {
			if v := x * m; v != 0 {
				dst.Index = append(dst.Index, int32(int(f.index[t])*f.k+c))
				dst.Value = append(dst.Value, v)
			}
		}
	}
}

func (f *features) Dot(w []float64, y models.Vertex) float64 {
	f.checkWeights(w)
	var s float64
	for t, x := range f.value {
		s += x * w[int(f.index[t])*f.k+y[0]]
	}
	return s
}

func (f *features) Add(w []float64, c float64, y models.Vertex) {
	f.checkWeights(w)
	for t, x := range f.value {
		w[int(f.index[t])*f.k+y[0]] += c * x
	}
}
