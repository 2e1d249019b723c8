package multiclass

import (
	"github.com/gaplab/gaplab/models"
)

// binaryFeatures is the feature map A_i of Binary for one row x: θ_1 = ½ w·x and θ_0 = −½ w·x, with opposite signs if
// the first class is the greater number. The row shares its memory with the data set. If there is a constant feature,
// its weight is the last one.
type binaryFeatures struct {
	x    models.Row // a nil Index: the row is dense
	dim  int        // length of w
	half float64    // ½, or −½ if part 0 is the class +1
	bias float64    // value of the constant feature; 0: there is none
	norm float64    // |x|², including the constant feature
}

var (
	_ models.SparseMap = (*binaryFeatures)(nil)
	_ models.Gram      = (*binaryFeatures)(nil)
	_ models.Isotropic = (*binaryFeatures)(nil)
	_ models.RowMap    = (*binaryFeatures)(nil)
)

func (f *binaryFeatures) Parts() int { return 2 }

func (f *binaryFeatures) Score(theta, w []float64) {
	f.checkParts(theta)
	s := f.half * f.project(w)
	theta[0], theta[1] = -s, s
}

func (f *binaryFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.checkParts(mu)
	f.addRow(w, c*f.half*(mu[1]-mu[0]))
}

// NormSq implements models.Gram. It returns |Aᵀv|², where Aᵀv = ½ (v_1 − v_0) x for the feature map A.
func (f *binaryFeatures) NormSq(v []float64) float64 {
	f.checkParts(v)
	d := f.half * (v[1] - v[0])
	return d * d * f.norm
}

// ScaleSq implements models.Isotropic: it returns q with |Aᵀv|² = q|v|². If v_0 + v_1 = 0, then |Aᵀv|² = ¼ (v_1 − v_0)²
// |x|² = ½ (v_0² + v_1²) |x|².
func (f *binaryFeatures) ScaleSq() float64 { return f.norm / 2 }

// Row implements models.RowMap. A row cannot contain the constant feature, so ok is false if there is one.
func (f *binaryFeatures) Row() (x models.Row, half float64, ok bool) {
	return f.x, f.half, f.bias == 0
}

func (f *binaryFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkParts(mu)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	d := f.half * (mu[1] - mu[0])
	for t, x := range f.x.Value {
		v := d * x
		if v == 0 {
			continue
		}
		j := int32(t)
		if f.x.Index != nil {
			j = f.x.Index[t]
		}
		dst.Index, dst.Value = append(dst.Index, j), append(dst.Value, v)
	}
	if v := d * f.bias; v != 0 {
		dst.Index, dst.Value = append(dst.Index, int32(f.dim-1)), append(dst.Value, v)
	}
}

func (f *binaryFeatures) Dot(w []float64, y models.Vertex) float64 { return f.sign(y) * f.project(w) }

func (f *binaryFeatures) Add(w []float64, c float64, y models.Vertex) { f.addRow(w, c*f.sign(y)) }

// sign returns ½ y, where y is −1 or +1.
func (f *binaryFeatures) sign(y models.Vertex) float64 {
	if y[0] == 0 {
		return -f.half
	}
	return f.half
}

// project returns w·x.
func (f *binaryFeatures) project(w []float64) float64 {
	f.checkWeights(w)
	s := f.x.Dot(w)
	if f.bias > 0 {
		s += f.bias * w[f.dim-1]
	}
	return s
}

// addRow computes w ← w + c x.
func (f *binaryFeatures) addRow(w []float64, c float64) {
	f.checkWeights(w)
	if c == 0 {
		return
	}
	f.x.AddTo(w, c)
	if f.bias > 0 {
		w[f.dim-1] += c * f.bias
	}
}

func (f *binaryFeatures) checkParts(parts []float64) {
	if len(parts) != 2 {
		panic("multiclass: len(theta) != Parts()")
	}
}

func (f *binaryFeatures) checkWeights(w []float64) {
	if len(w) != f.dim {
		panic("multiclass: len(w) != Dim")
	}
}
