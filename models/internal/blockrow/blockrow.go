// Package blockrow multiplies a sparse row by a matrix of k columns stored row by row, and adds its transpose. These
// two loops are where multiclass training spends its time. With AVX2 they take up to 16 columns in a pass over the
// row, four per instruction; elsewhere they are plain Go. Every output is summed in the order of the row's entries in
// both, so the bits agree where multiply and add are not fused, and a pass takes no less than one addition's latency
// an entry.
package blockrow

// Score writes theta[c] = Σ_t value[t]·w[index[t]·k + c] for c < k = len(theta).
// len(index) ≥ len(value), and every index[t] must be in 0..len(w)/k−1: the caller has checked that.
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

// AddOuter adds a·value[t]·mu[c] to w[index[t]·k + c] for all t and c < k = len(mu), under the same conditions.
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
