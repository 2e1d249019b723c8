package vec

import "golang.org/x/sys/cpu"

// AVX2 reports whether the processor and the operating system support AVX2, as most do since 2015.
func AVX2() bool { return cpu.X86.HasAVX2 }

// The number in the name of an assembly function is the number of columns that it computes. dst and m point at the
// first of these columns. stride is the length of a row.

//go:noescape
func mulVec32(dst, x *float64, step int, m *float64, n, stride int)

//go:noescape
func mulVec16(dst, x *float64, step int, m *float64, n, stride int)

//go:noescape
func mulVec8(dst, x *float64, step int, m *float64, n, stride int)

//go:noescape
func maxPlus32(dst, x *float64, step int, m *float64, n, stride int)

//go:noescape
func maxPlus16(dst, x *float64, step int, m *float64, n, stride int)

//go:noescape
func maxPlus8(dst, x *float64, step int, m *float64, n, stride int)

//go:noescape
func mulAVX(dst *float64, f float64, x, y *float64, n int) float64 // n is a multiple of 4, and positive

//go:noescape
func addRowsAVX(dst *float64, to *int32, src *float64, from *int32, value *float64, n int, a float64, k int)

//go:noescape
func exp4(dst, x *float64, shift float64, n int) // n is a multiple of 4, and positive

func mulVecBlocks(dst, x []float64, step int, m []float64, n int) bool {
	if !AVX2() || n == 0 {
		return false
	}
	k, c := len(dst), 0
	for ; c+32 <= k; c += 32 {
		mulVec32(&dst[c], &x[0], step, &m[c], n, k)
	}
	if c+16 <= k {
		mulVec16(&dst[c], &x[0], step, &m[c], n, k)
		c += 16
	}
	if c < k {
		mulVec8(&dst[c], &x[0], step, &m[c], n, k)
	}
	return true
}

func maxPlusBlocks(dst, x, m []float64, n int) bool {
	if !AVX2() || n == 0 {
		return false
	}
	k, c := len(dst), 0
	for ; c+32 <= k; c += 32 {
		maxPlus32(&dst[c], &x[0], 1, &m[c], n, k)
	}
	if c+16 <= k {
		maxPlus16(&dst[c], &x[0], 1, &m[c], n, k)
		c += 16
	}
	if c < k {
		maxPlus8(&dst[c], &x[0], 1, &m[c], n, k)
	}
	return true
}

func mulRow(dst []float64, f float64, x, y []float64) (float64, bool) {
	if !AVX2() || len(dst) == 0 {
		return 0, false
	}
	return mulAVX(&dst[0], f, &x[0], &y[0], len(dst)), true
}

func addRowsBlocks(dst []float64, to []int32, src []float64, from []int32, a float64, value []float64, k int) bool {
	if !AVX2() {
		return false
	}
	var v *float64
	if value != nil {
		v = &value[0]
	}
	addRowsAVX(&dst[0], &to[0], &src[0], &from[0], v, len(to), a, k)
	return true
}

// expBlocks computes the exponentials of the first n numbers and returns n, the largest multiple of 4 up to len(x).
// Without AVX2 it returns 0.
func expBlocks(dst, x []float64, shift float64) int {
	n := len(x) &^ 3
	if !AVX2() || n == 0 {
		return 0
	}
	exp4(&dst[0], &x[0], shift, n)
	return n
}
