package kernel

import (
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/blockrow"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// exactFeatures is the feature map A_i of the exact form. For training example i, AddAdjoint changes only the
// coefficients of this example: β_i ← β_i + c μ.
type exactFeatures struct {
	*expansion
	at    int // index i of the training example; −1: a validation example, whose kernel function is not in the basis
	index []int32
	value []float64
	norm  float64   // |x|²
	self  float64   // kernel value k(x, x)
	row   []float64 // kernel values k(x, x_j) for all j; nil: computed at each use
}

var (
	_ models.SparseMap = (*exactFeatures)(nil)
	_ models.Gram      = (*exactFeatures)(nil)
	_ models.KernelMap = (*exactFeatures)(nil)
)

func (f *exactFeatures) Parts() int { return f.k }

// Input implements models.KernelMap.
func (f *exactFeatures) Input() (models.Row, models.Kernel) {
	return models.Row{Index: f.index, Value: f.value},
		models.Kernel{Name: f.name, Gamma: f.gamma, Coef: f.coef, Degree: f.degree, Bias: f.bias}
}

func (f *exactFeatures) Score(theta, w []float64) {
	f.checkParts(theta)
	f.checkWeights(w)
	if f.row != nil {
		blockrow.Score(theta, f.every, f.row, w)
	} else {
		s := f.pool.Get()
		defer f.pool.Put(s)
		f.support(s, w)
		f.expand(theta, s, f.index, f.value, f.norm, w)
	}
	f.addBias(theta, w)
}

func (f *exactFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.checkParts(mu)
	block := f.block(w)
	for r, v := range mu {
		block[r] += c * v
	}
	if f.bias > 0 {
		last := w[len(f.every)*f.k:]
		for r, v := range mu {
			last[r] += c * f.bias * v
		}
	}
}

// NormSq implements models.Gram. Aᵀv is the function v_c k(·, x) for each class c, with the squared norm k(x, x) |v|²
// in total, and bias·v for the constant feature. A is the feature map.
func (f *exactFeatures) NormSq(v []float64) float64 {
	f.checkParts(v)
	return f.lengthSq() * vec.NormSq(v)
}

// lengthSq returns the squared norm of the features of one class.
func (f *exactFeatures) lengthSq() float64 { return f.self + f.bias*f.bias }

// Adjoint implements models.SparseMap. dst has the coefficients of the function Aᵀμ, so |dst|² is not the squared norm
// of this function, which NormSq returns.
func (f *exactFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkParts(mu)
	f.checkBasis()
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	dst.AppendRow(f.at*f.k, mu)
	if f.bias > 0 {
		first := len(dst.Value)
		dst.AppendRow(len(f.every)*f.k, mu)
		for t := first; t < len(dst.Value); t++ {
			dst.Value[t] *= f.bias
		}
	}
}

func (f *exactFeatures) Dot(w []float64, y models.Vertex) float64 {
	f.checkWeights(w)
	var sum float64
	if f.bias > 0 {
		sum = f.bias * w[len(f.every)*f.k+y[0]]
	}
	if f.row != nil {
		for j, v := range f.row {
			sum += v * w[j*f.k+y[0]]
		}
		return sum
	}
	s := f.pool.Get()
	defer f.pool.Put(s)
	f.support(s, w)
	s.value = scratch.Grow(s.value, len(s.list))
	f.evaluate(s.value, s.list, s, f.index, f.value, f.norm)
	for t, j := range s.list {
		sum += s.value[t] * w[int(j)*f.k+y[0]]
	}
	return sum
}

func (f *exactFeatures) Add(w []float64, c float64, y models.Vertex) {
	f.block(w)[y[0]] += c
	if f.bias > 0 {
		w[len(f.every)*f.k+y[0]] += c * f.bias
	}
}

// block returns the coefficients of the example in w.
func (f *exactFeatures) block(w []float64) []float64 {
	f.checkWeights(w)
	f.checkBasis()
	return w[f.at*f.k : (f.at+1)*f.k]
}

func (f *exactFeatures) checkBasis() {
	if f.at < 0 {
		panic("kernel: a validation example has no transpose, since its kernel function is not in the basis")
	}
}

func (f *exactFeatures) checkParts(parts []float64) {
	if len(parts) != f.k {
		panic("kernel: len(theta) != Parts()")
	}
}
