// Package explog computes exponentials and logarithms of slices of numbers, with the same bits as math.Exp and
// math.Log. On amd64, package math computes these functions in assembly with fused multiply and add. There,
// package explog computes four numbers per instruction, by the same operations in the same order. On other processors
// it calls package math.
package explog

import "math"

// Exp writes dst[c] = math.Exp(x[c] − shift). dst may be x.
func Exp(dst, x []float64, shift float64) {
	c := expBlocks(dst, x, shift)
	for ; c < len(x); c++ {
		dst[c] = math.Exp(x[c] - shift)
	}
}

// Log writes dst[c] = math.Log(x[c]). dst may be x.
func Log(dst, x []float64) {
	c := logBlocks(dst, x)
	for ; c < len(x); c++ {
		dst[c] = math.Log(x[c])
	}
}
