package dualspace

import "github.com/gaplab/gaplab/models"

// Features is A_i laid out for visits in random order, which wait for memory: where A_i is a row and each part has
// weights of its own, the row is stored here and not behind two pointers.
type Features struct {
	row   models.Row
	norm  float64           // |x|²: |Aᵀv|² = |x|² |v|²
	other models.FeatureMap // A_i where it is no such row; else nil
}

// NewFeatures caches f's rows for random access.
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

// NormSq returns |Aᵀv|²; a computes it where A_i is no row.
func (f *Features) NormSq(a *Adjoint, v []float64) float64 {
	if f.other != nil {
		return a.NormSq(f.other, v)
	}
	return f.norm * Dot(v, v)
}

// Product returns vᵀA w, for the v of the last NormSq. It may overwrite theta, which is as long as v.
func (f *Features) Product(a *Adjoint, v, w, theta []float64) float64 {
	if f.other != nil {
		return a.Product(f.other, v, w, theta)
	}
	f.row.Score(theta, w)
	return Dot(theta, v)
}

// AddTo adds c Aᵀv to w, for the v of the last NormSq.
func (f *Features) AddTo(a *Adjoint, w []float64, c float64, v []float64) {
	if f.other != nil {
		a.AddTo(w, c, f.other, v)
		return
	}
	f.row.AddOuter(w, c, v)
}

// Fetch prefetches the row, if there is one (see package prefetch).
func (f *Features) Fetch() { f.row.Fetch() }
