package dualspace

// Sums are taken from the first element to the last: their bits are part of a run.

func Dot(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

func Sum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}

func Scale(v []float64, c float64) {
	for j := range v {
		v[j] *= c
	}
}
