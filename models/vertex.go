package models

// Vertex is a labelling, given by its active parts in non-decreasing order. Comments write 1_y for the vector that has,
// for each part, how often it occurs in y. Parts are tied if several places of a labelling share one part, such as a
// transition at any position of a chain. Then a part may occur several times, so marginals are expected counts and may
// exceed 1.
type Vertex []int

// Dot returns v·1_y, the sum of v over the parts of y.
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
