package models

// Vertex is a labelling, given by its active parts in non-decreasing order. If parts are tied, a part may occur several
// times. So marginals are expected counts and may exceed 1.
type Vertex []int

// Dot returns v·1_y.
func (y Vertex) Dot(v []float64) float64 {
	var s float64
	for _, r := range y {
		s += v[r]
	}
	return s
}

// Equal reports whether two labellings have the same parts.
func (y Vertex) Equal(z Vertex) bool {
	if len(y) != len(z) {
		return false
	}
	for i, r := range y {
		if z[i] != r {
			return false
		}
	}
	return true
}
