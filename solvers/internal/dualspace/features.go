package dualspace

import "github.com/gaplab/gaplab/models"

// Features stores the feature map A_i of an example in a form that is fast for visits in random order. Such visits
// spend much time on loading data that are not in the processor's cache. If A_i is defined by a row x of features and
// each part has separate weights, the row is stored here directly and not behind two pointers.
type Features struct {
	row   models.Row
	norm  float64           // |x|², so that |Aᵀv|² = |x|² |v|²
	other models.FeatureMap // the feature map if no row of features defines it, otherwise nil
}

// NewFeatures returns the Features of the feature map f.
func NewFeatures(f models.FeatureMap) Features {
	if rows, ok := f.(models.RowMap); ok {
		if x, half, ok := rows.Row(); ok && half == 0 {
			return Features{row: x, norm: rows.ScaleSq()}
		}
	}
	return Features{other: f}
}

// Score writes A w into theta.
func (f *Features) Score(theta, w []float64) {
	if f.other != nil {
		f.other.Score(theta, w)
		return
	}
	f.row.Score(theta, w)
}

// AddAdjoint adds c Aᵀmu to w.
func (f *Features) AddAdjoint(w []float64, c float64, mu []float64) {
	if f.other != nil {
		f.other.AddAdjoint(w, c, mu)
		return
	}
	f.row.AddOuter(w, c, mu)
}

// NormSq returns |Aᵀv|². If A_i is not defined by a row, the argument a computes the norm.
func (f *Features) NormSq(a *Adjoint, v []float64) float64 {
	if f.other != nil {
		return a.NormSq(f.other, v)
	}
	return f.norm * Dot(v, v)
}

// Product returns vᵀA w. v must be the vector of the last call of NormSq. Product may overwrite theta, which must be as
// long as v.
func (f *Features) Product(a *Adjoint, v, w, theta []float64) float64 {
	if f.other != nil {
		return a.Product(f.other, v, w, theta)
	}
	f.row.Score(theta, w)
	return Dot(theta, v)
}

// AddTo adds c Aᵀv to w. v must be the vector of the last call of NormSq.
func (f *Features) AddTo(a *Adjoint, w []float64, c float64, v []float64) {
	if f.other != nil {
		a.AddTo(w, c, f.other, v)
		return
	}
	f.row.AddOuter(w, c, v)
}

// Fetch prefetches the row, if there is one (see package prefetch).
func (f *Features) Fetch() { f.row.Fetch() }
