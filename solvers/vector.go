package solvers

// Sums are taken from the first element to the last: their bits are part of a run.

func dot(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

func sum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}

func scale(v []float64, c float64) {
	for j := range v {
		v[j] *= c
	}
}
