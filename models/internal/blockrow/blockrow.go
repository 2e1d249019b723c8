// Package blockrow multiplies a sparse row by a matrix of k columns that is stored row by row, and adds outer products
// of a sparse row and a vector to such a matrix. Multiclass training spends most of its time in these two loops. With
// AVX2, one pass over the row computes up to 16 columns, four per instruction. On other processors the loops are plain
// Go. Both versions sum every output in the order of the row's entries, so the bits are equal if multiply and add are
// not fused. A pass takes at least the latency of one addition per entry.
package blockrow

// Score writes theta[c] = Σ_t value[t]·w[index[t]·k + c] for c < k = len(theta). It requires len(index) ≥ len(value)
// and 0 ≤ index[t] < len(w)/k. The caller must check this.
func Score(theta []float64, index []int32, value []float64, w []float64) {
	k := len(theta)
	if len(value) == 0 {
		clear(theta)
		return
	}
	_ = index[len(value)-1]
	c := scoreBlocks(theta, index, value, w)
	for ; c < k; c++ {
		var s float64
		for t, x := range value {
			s += x * w[int(index[t])*k+c]
		}
		theta[c] = s
	}
}

// AddOuter adds a·value[t]·mu[c] to w[index[t]·k + c] for all t and c < k = len(mu). It has the same requirements as
// Score.
func AddOuter(w []float64, a float64, index []int32, value []float64, mu []float64) {
	k := len(mu)
	if len(value) == 0 {
		return
	}
	_ = index[len(value)-1]
	c := addBlocks(w, a, index, value, mu)
	for ; c < k; c++ {
		m := a * mu[c]
		for t, x := range value {
			w[int(index[t])*k+c] += x * m
		}
	}
}
