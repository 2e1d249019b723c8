package kernel

import (
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// basisFeatures is the feature map A_i of the low-rank form of Model (see basis).
type basisFeatures struct {
	*basis
	phi []float64 // the features φ_y(x) of all classes y, one after the other
}

var (
	_ models.SparseMap = (*basisFeatures)(nil)
	_ models.Gram      = (*basisFeatures)(nil)
)

func (f *basisFeatures) Parts() int { return len(f.start) - 1 }

func (f *basisFeatures) Score(theta, w []float64) {
	f.checkParts(theta)
	f.checkWeights(w)
	for y := range theta {
		lo, hi := f.start[y], f.start[y+1]
		theta[y] = vec.DotRow(nil, f.phi[lo:hi], w[lo:hi])
	}
}

func (f *basisFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.checkParts(mu)
	f.checkWeights(w)
	for y, v := range mu {
		if v != 0 {
			f.add(w, c*v, y)
		}
	}
}

// NormSq implements models.Gram. It returns |Aᵀv|², where A is the feature map, as a sum over the classes, since each
// class has its own weights.
func (f *basisFeatures) NormSq(v []float64) float64 {
	f.checkParts(v)
	var s float64
	for y, x := range v {
		if x != 0 {
			phi := f.of(y)
			s += x * x * vec.DotRow(nil, phi, phi)
		}
	}
	return s
}

func (f *basisFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkParts(mu)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for y, m := range mu {
		for t, x := range f.of(y) {
			if v := m * x; v != 0 {
				dst.Index, dst.Value = append(dst.Index, int32(f.start[y]+t)), append(dst.Value, v)
			}
		}
	}
}

func (f *basisFeatures) Dot(w []float64, y models.Vertex) float64 {
	f.checkWeights(w)
	return vec.DotRow(nil, f.of(y[0]), w[f.start[y[0]]:])
}

func (f *basisFeatures) Add(w []float64, c float64, y models.Vertex) {
	f.checkWeights(w)
	f.add(w, c, y[0])
}

// of returns φ_y(x), the features of x for class y (see basis).
func (f *basisFeatures) of(y int) []float64 { return f.phi[f.start[y]:f.start[y+1]] }

func (f *basisFeatures) add(w []float64, c float64, y int) {
	phi := f.of(y)
	w = w[f.start[y]:][:len(phi)]
	for t, x := range phi {
		w[t] += c * x
	}
}

// radiusSq returns the largest |ψ(x, y) − ψ(x, ȳ)|² for two different classes, where ψ(x, y) has φ_y(x) in the block of
// class y.
func (f *basisFeatures) radiusSq() float64 {
	var first, second float64
	for y := range f.Parts() {
		phi := f.of(y)
		switch v := vec.DotRow(nil, phi, phi); {
		case v > first:
			first, second = v, first
		case v > second:
			second = v
		}
	}
	return first + second
}

func (f *basisFeatures) checkParts(parts []float64) {
	if len(parts) != len(f.start)-1 {
		panic("kernel: len(theta) != Parts()")
	}
}

func (f *basisFeatures) checkWeights(w []float64) {
	if len(w) != len(f.list) {
		panic("kernel: len(w) != Dim")
	}
}
