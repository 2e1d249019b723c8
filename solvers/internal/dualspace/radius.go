package dualspace

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

// RadiusSq returns an upper bound on R² = max_{i,y} |ψ_i(y)|², where ψ_i(y) = A_iᵀ(1_{y_i} − 1_y). R² is the squared
// norm of the operator A in Zhang, Saha and Vishwanathan (2011), section 3.1, and determines step sizes. The bound is
//
//   - if the feature map is models.Bounded: the bound that it returns;
//   - if the feature map is models.Majorant: the largest value of its majorant, by one call of the max-oracle;
//   - otherwise, if a labelling is one part: the exact R², because all labellings are enumerated;
//   - otherwise: (|φ(truth)| + s)² by the triangle inequality, where φ(y) = Aᵀ1_y and s = max_y Σ_{r ∈ y} |Aᵀ1_r| needs
//     one call of the max-oracle. If no feature is negative, φ(truth)·φ(y) ≥ 0, and the bound is |φ(truth)|² + s².
//
// The bound is NaN if the feature maps have neither norms nor adjoints. Solvers that use RadiusSq declare Radius in
// their Needs.
func RadiusSq(p *models.Risk) float64 {
	const blocks = 64
	var widest [blocks]float64
	p.InBlocks(len(p.Examples), blocks, func(b, lo, hi int) {
		var x RadiusScratch
		for i := lo; i < hi; i++ {
			r := x.Example(&p.Examples[i])
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

// RadiusScratch is the working memory of RadiusSq.
type RadiusScratch struct {
	V, Norm []float64
	Y       models.Vertex
	Adjoint Adjoint
}

// Example returns the bound of RadiusSq for one example: an upper bound on |ψ(y)|² for all labellings y, where ψ(y) is
// the features of the true labelling minus the features of y.
func (x *RadiusScratch) Example(e *models.Example) float64 {
	if f, ok := e.Features.(models.Bounded); ok {
		return f.RadiusSq(e.Truth)
	}
	parts := e.Features.Parts()
	if f, ok := e.Features.(models.Majorant); ok {
		x.Norm = models.Resize(x.Norm, parts)
		constant, most := f.Majorise(x.Norm, e.Truth), 0.0
		x.Y, most = e.Max.Max(x.Y, x.Norm)
		return constant + most
	}
	x.V = models.Resize(x.V, parts)
	clear(x.V)
	if len(e.Truth) == 1 && parts > 1 {
		widest := 0.0
		for r := range x.V {
			if r != e.Truth[0] {
				x.V[e.Truth[0]], x.V[r] = 1, -1
				widest = max(widest, x.Adjoint.NormSq(e.Features, x.V))
				x.V[r] = 0
			}
		}
		return widest
	}
	x.Norm = models.Resize(x.Norm, parts)
	sparse, nonNegative := e.Features.(models.SparseMap)
	for r := range x.V {
		x.V[r] = 1
		x.Norm[r] = math.Sqrt(x.Adjoint.NormSq(e.Features, x.V))
		if nonNegative {
			sparse.Adjoint(&x.Adjoint.Sparse, x.V)
			for _, value := range x.Adjoint.Sparse.Value {
				nonNegative = nonNegative && value >= 0
			}
		}
		x.V[r] = 0
	}
	for _, r := range e.Truth {
		x.V[r]++
	}
	own, most := x.Adjoint.NormSq(e.Features, x.V), 0.0
	x.Y, most = e.Max.Max(x.Y, x.Norm)
	if nonNegative {
		return own + most*most
	}
	both := math.Sqrt(own) + most
	return both * both
}
