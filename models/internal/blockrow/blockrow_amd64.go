package blockrow

import "github.com/gaplab/gaplab/models/internal/vec"

// The assembly functions use AVX2. The number in a function's name is the number of columns that it computes in one
// pass over the n ≥ 1 entries. theta, mu and w point at the first of these columns. k is the number of all columns.

//go:noescape
func score2(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score4(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score6(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score8(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score10(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score12(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score14(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score16(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func add2(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add4(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add6(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add8(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add10(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add12(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add14(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add16(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

// scoreBlocks computes the columns in blocks of 16, then an even number of the remaining columns. It returns the number
// of computed columns.
func scoreBlocks(theta []float64, index []int32, value []float64, w []float64) int {
	if !vec.AVX2() {
		return 0
	}
	k, c := len(theta), 0
	for ; c+16 <= k; c += 16 {
		score16(&theta[c], &index[0], &value[0], len(value), &w[c], k)
	}
	even := (k - c) &^ 1
	if even == 0 {
		return c
	}
	t, i, v, n, m := &theta[c], &index[0], &value[0], len(value), &w[c]
	switch even {
	case 2:
		score2(t, i, v, n, m, k)
	case 4:
		score4(t, i, v, n, m, k)
	case 6:
		score6(t, i, v, n, m, k)
	case 8:
		score8(t, i, v, n, m, k)
	case 10:
		score10(t, i, v, n, m, k)
	case 12:
		score12(t, i, v, n, m, k)
	case 14:
		score14(t, i, v, n, m, k)
	}
	return c + even
}

// addBlocks does the same as scoreBlocks for AddOuter.
func addBlocks(w []float64, a float64, index []int32, value []float64, mu []float64) int {
	if !vec.AVX2() {
		return 0
	}
	k, c := len(mu), 0
	for ; c+16 <= k; c += 16 {
		add16(&w[c], a, &index[0], &value[0], len(value), &mu[c], k)
	}
	even := (k - c) &^ 1
	if even == 0 {
		return c
	}
	m, i, v, n, u := &w[c], &index[0], &value[0], len(value), &mu[c]
	switch even {
	case 2:
		add2(m, a, i, v, n, u, k)
	case 4:
		add4(m, a, i, v, n, u, k)
	case 6:
		add6(m, a, i, v, n, u, k)
	case 8:
		add8(m, a, i, v, n, u, k)
	case 10:
		add10(m, a, i, v, n, u, k)
	case 12:
		add12(m, a, i, v, n, u, k)
	case 14:
		add14(m, a, i, v, n, u, k)
	}
	return c + even
}
