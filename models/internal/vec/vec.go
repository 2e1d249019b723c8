// Package vec has the loops over rows of numbers in which inference on chains and scoring sparse binary features spend
// most of their time: products of a vector and a matrix in ordinary and in (max, +) arithmetic, exponentials of a row,
// and sums of rows selected by index. On amd64 with AVX2 the loops process four numbers per instruction. On other
// processors they are plain Go.
//
// Both versions compute every sum in the same order, and the AVX2 code never fuses multiply and add. So the bits are
// the same on amd64 with and without AVX2.
package vec

import "math"

// Lanes is a number that divides the length of every padded row, so that loops over padded rows have no remainder.
const Lanes = 8

// Pad returns the length of a padded row of n numbers.
func Pad(n int) int { return (n + Lanes - 1) / Lanes * Lanes }

// MulVec writes the product of a vector and a matrix with n padded rows:
//
//	dst[c] = Σ_{r < n} x[r·step] m[r·len(dst) + c]
//
// added in the order of r. With step > 1, x can be a column of a matrix.
func MulVec(dst, x []float64, step int, m []float64, n int) {
	checkProduct(dst, x, step, m, n)
	if !mulVecBlocks(dst, x, step, m, n) {
		mulVec(dst, x, step, m, n)
	}
}

// MaxPlus writes dst[c] = max_{r < n} x[r] + m[r·len(dst) + c] for a matrix with n padded rows. It writes −∞ if n is 0.
func MaxPlus(dst, x, m []float64, n int) {
	checkProduct(dst, x, 1, m, n)
	if !maxPlusBlocks(dst, x, m, n) {
		maxPlus(dst, x, m, n)
	}
}

func checkProduct(dst, x []float64, step int, m []float64, n int) {
	if len(dst)%Lanes != 0 || len(m) < n*len(dst) || n > 0 && (step < 1 || len(x) <= (n-1)*step) {
		panic("vec: len(dst) is not a multiple of Lanes, or m or x is too short")
	}
}

// Mul writes dst[c] = (f x[c]) y[c] for padded rows and returns the sum. dst may be x or y.
func Mul(dst []float64, f float64, x, y []float64) float64 {
	if len(dst)%Lanes != 0 || len(x) != len(dst) || len(y) != len(dst) {
		panic("vec: lengths of padded rows differ")
	}
	if sum, ok := mulRow(dst, f, x, y); ok {
		return sum
	}
	return mul(dst, f, x, y)
}

// AddRows adds rows of k numbers of one matrix to rows of another:
//
//	dst[to[i]·k + c] += (a value[i]) src[from[i]·k + c]   for i = 0, 1, ... and c < k,
//
// where every value is 1 if value is nil. The indices must be in range. The caller must check this.
func AddRows(dst []float64, to []int32, src []float64, from []int32, a float64, value []float64, k int) {
	if len(from) != len(to) || value != nil && len(value) != len(to) {
		panic("vec: lengths of index lists differ")
	}
	if len(to) > 0 && !addRowsBlocks(dst, to, src, from, a, value, k) {
		addRows(dst, to, src, from, a, value, k)
	}
}

// Transpose writes the transpose of the k×k matrix src to dst. The rows of src are not padded. The rows of dst are
// padded.
func Transpose(dst, src []float64, k int) {
	stride := Pad(k)
	for r := range k {
		for c, x := range src[r*k : (r+1)*k] {
			dst[c*stride+r] = x
		}
	}
}

func mulVec(dst, x []float64, step int, m []float64, n int) {
	clear(dst)
	for r := range n {
		f := x[r*step]
		for c, y := range m[r*len(dst) : (r+1)*len(dst)] {
			dst[c] += f * y
		}
	}
}

func maxPlus(dst, x, m []float64, n int) {
	for c := range dst {
		dst[c] = math.Inf(-1)
	}
	for r := range n {
		f := x[r]
		for c, y := range m[r*len(dst) : (r+1)*len(dst)] {
			if v := f + y; v > dst[c] {
				dst[c] = v
			}
		}
	}
}

// mul does what Mul does. It computes four partial sums, as the AVX2 code does, and then adds them.
func mul(dst []float64, f float64, x, y []float64) float64 {
	var lane [4]float64
	for c, v := range x {
		v = f * v * y[c]
		dst[c] = v
		lane[c%4] += v
	}
	return (lane[0] + lane[2]) + (lane[1] + lane[3])
}

func addRows(dst []float64, to []int32, src []float64, from []int32, a float64, value []float64, k int) {
	f := a
	for i, t := range to {
		if value != nil {
			f = a * value[i]
		}
		row := dst[int(t)*k : (int(t)+1)*k]
		for c, x := range src[int(from[i])*k : (int(from[i])+1)*k] {
			row[c] += f * x
		}
	}
}
