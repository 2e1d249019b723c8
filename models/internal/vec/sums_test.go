package vec

import "testing"

// TestSums compares the sums with plain loops for all short lengths. All numbers are integers, and all sums are below
// 2^53, so that the order of the additions does not matter. They need more bits than those of a float32. b is longer
// than a, as Dot allows.
func TestSums(t *testing.T) {
	for n := range 23 {
		a, b, index, w := make([]float64, n), make([]float64, n+3), make([]int32, n), make([]float64, 3*n+1)
		for j := range w {
			w[j] = float64((j*j%17 - 7) * (1<<20 - 1))
		}
		var sum, dot, squares, dense, sparse float64
		for i := range b {
			b[i] = float64((3*i%11 - 4) * (1<<20 - 3))
		}
		for i := range a {
			a[i], index[i] = float64((5*i%13-6)*(1<<22+5)), int32(3*i+i%2)
			sum += a[i]
			dot += a[i] * b[i]
			squares += a[i] * a[i]
			dense += a[i] * w[i]
			sparse += a[i] * w[index[i]]
		}
		for name, c := range map[string][2]float64{
			"Sum": {Sum(a), sum}, "Dot": {Dot(a, b), dot}, "NormSq": {NormSq(a), squares},
			"SumSquares": {SumSquares(a), squares}, "DotRow, dense": {DotRow(nil, a, w), dense},
			"DotRow, sparse": {DotRow(index, a, w), sparse},
		} {
			if c[0] != c[1] {
				t.Errorf("%s of %d numbers = %v, want %v", name, n, c[0], c[1])
			}
		}
	}
}
