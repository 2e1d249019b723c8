package vec

// Sum returns the sum of v, added in order.
func Sum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}

// Dot returns a·b, added in order. b may be longer than a.
func Dot(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// NormSq returns |v|², added in order.
func NormSq(v []float64) float64 { return Dot(v, v) }

// DotRow returns x·w for a row x with this index and value. If index is nil, the row is dense. It uses four partial
// sums, so that no addition waits for the previous one.
func DotRow(index []int32, value, w []float64) float64 {
	var a, b, c, d float64
	if index == nil {
		w = w[:len(value)]
		for ; len(value) >= 4 && len(w) >= 4; value, w = value[4:], w[4:] {
			a += value[0] * w[0]
			b += value[1] * w[1]
			c += value[2] * w[2]
			d += value[3] * w[3]
		}
		for t, x := range value {
			a += x * w[t]
		}
		return (a + b) + (c + d)
	}
	for ; len(value) >= 4 && len(index) >= 4; value, index = value[4:], index[4:] {
		a += value[0] * w[index[0]]
		b += value[1] * w[index[1]]
		c += value[2] * w[index[2]]
		d += value[3] * w[index[3]]
	}
	for t, x := range value {
		a += x * w[index[t]]
	}
	return (a + b) + (c + d)
}

// SumSquares returns |v|². It uses four partial sums, so that no addition waits for the previous one.
func SumSquares(v []float64) float64 {
	var a, b, c, d float64
	for ; len(v) >= 4; v = v[4:] {
		a += v[0] * v[0]
		b += v[1] * v[1]
		c += v[2] * v[2]
		d += v[3] * v[3]
	}
	for _, x := range v {
		a += x * x
	}
	return (a + c) + (b + d)
}
