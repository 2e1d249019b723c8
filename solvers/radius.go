package solvers

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// radiusSq is an upper bound of R² = max_{i,y} |ψ_i(y)|², ψ_i(y) = A_iᵀ(1_{y_i} − 1_y): the squared norm of the
// operator A of the excessive-gap paper (section 3.1), on which step sizes rest. It is
//
//   - exact where a labelling is one part: all labellings are gone through;
//   - the features' own bound where they are models.Widest;
//   - the largest value of their majorant where they are models.Majorant: one call of the max-oracle;
//   - else, with a_r = Aᵀ1_r, (|φ(truth)| + s)² by the triangle inequality, s = max_y Σ_{r ∈ y} |a_r| being one call
//     of the max-oracle;
//     where no feature is negative φ(truth)·φ(y) ≥ 0, and it is |φ(truth)|² + s².
//
// It is NaN where neither norms nor adjoints are to be had: solvers ask for Radius.
func radiusSq(p *models.Risk, workers int) float64 {
	const blocks = 64
	var widest [blocks]float64
	models.InBlocks(len(p.Examples), blocks, workers, func(b, lo, hi int) {
		var x radiusScratch
		for i := lo; i < hi; i++ {
			r := x.example(&p.Examples[i])
			if r > widest[b] || math.IsNaN(r) {
				widest[b] = r
			}
		}
	})
	most := 0.0
	for _, r := range widest {
		if r > most || math.IsNaN(r) {
			most = r
		}
	}
	return most
}

type radiusScratch struct {
	v, norm []float64
	y       models.Vertex
	adjoint adjoint
}

func (x *radiusScratch) example(e *models.Example) float64 {
	if f, ok := e.Features.(models.Widest); ok {
		return f.WidestSq(e.Truth)
	}
	parts := e.Features.Parts()
	if f, ok := e.Features.(models.Majorant); ok {
		x.norm = models.Resize(x.norm, parts)
		constant, most := f.Majorise(x.norm, e.Truth), 0.0
		x.y, most = e.Max.Max(x.y, x.norm)
		return constant + most
	}
	x.v = models.Resize(x.v, parts)
	clear(x.v)
	if len(e.Truth) == 1 && parts > 1 {
		widest := 0.0
		for r := range x.v {
			if r != e.Truth[0] {
				x.v[e.Truth[0]], x.v[r] = 1, -1
				widest = max(widest, x.adjoint.normSq(e.Features, x.v))
				x.v[r] = 0
			}
		}
		return widest
	}
	x.norm = models.Resize(x.norm, parts)
	sparse, nonNegative := e.Features.(models.SparseMap)
	for r := range x.v {
		x.v[r] = 1
		x.norm[r] = math.Sqrt(x.adjoint.normSq(e.Features, x.v))
		if nonNegative {
			sparse.Adjoint(&x.adjoint.sparse, x.v)
			for _, value := range x.adjoint.sparse.Value {
				nonNegative = nonNegative && value >= 0
			}
		}
		x.v[r] = 0
	}
	for _, r := range e.Truth {
		x.v[r]++
	}
	own, most := x.adjoint.normSq(e.Features, x.v), 0.0
	x.y, most = e.Max.Max(x.y, x.norm)
	if nonNegative {
		return own + most*most
	}
	both := math.Sqrt(own) + most
	return both * both
}
