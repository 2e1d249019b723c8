package blockrow

// The kernels take n ≥ 1 entries and k columns; theta, mu and w point at the first of the 8 or 2 columns they treat.

//go:noescape
func score8(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func score2(theta *float64, index *int32, value *float64, n int, w *float64, k int)

//go:noescape
func add8(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

//go:noescape
func add2(w *float64, a float64, index *int32, value *float64, n int, mu *float64, k int)

// scoreBlocks treats the columns in blocks of 8, then of 2, and returns how many it treated.
func scoreBlocks(theta []float64, index []int32, value []float64, w []float64) int {
	k, c := len(theta), 0
	for ; c+8 <= k; c += 8 {
		score8(&theta[c], &index[0], &value[0], len(value), &w[c], k)
	}
	for ; c+2 <= k; c += 2 {
		score2(&theta[c], &index[0], &value[0], len(value), &w[c], k)
	}
	return c
}

func addBlocks(w []float64, a float64, index []int32, value []float64, mu []float64) int {
	k, c := len(mu), 0
	for ; c+8 <= k; c += 8 {
		add8(&w[c], a, &index[0], &value[0], len(value), &mu[c], k)
	}
	for ; c+2 <= k; c += 2 {
		add2(&w[c], a, &index[0], &value[0], len(value), &mu[c], k)
	}
	return c
}
