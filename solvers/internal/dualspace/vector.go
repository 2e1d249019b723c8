package dualspace

// Dot returns a·b. Dot and Sum add the terms from the first to the last, because the rounding errors of a run depend on
// the order.
func Dot(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// Sum returns the sum of the elements of v.
func Sum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}

// Scale multiplies v by c.
func Scale(v []float64, c float64) {
	for j := range v {
		v[j] *= c
	}
}
