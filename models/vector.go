package models

// Resize returns a slice of length n. It reuses the memory of v if this memory is large enough. The contents are
// undefined.
func Resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

func normSq(v []float64) float64 { return dot(v, v) }

func dot(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

func total(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}
