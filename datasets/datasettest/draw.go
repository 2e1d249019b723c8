package datasettest

import "pgregory.net/rapid"

// positions returns the numbers 1 .. n.
func positions(n int) []int {
	list := make([]int, n)
	for t := range list {
		list[t] = t + 1
	}
	return list
}

// DrawHeads draws a dependency tree of n tokens, which need not be projective, and returns the heads.
func DrawHeads(t *rapid.T, n int) []int32 {
	order := rapid.Permutation(positions(n)).Draw(t, "order")
	heads := make([]int32, n)
	for k, token := range order[1:] {
		heads[token-1] = int32(rapid.SampledFrom(append([]int{0}, order[:k+1]...)).Draw(t, "head"))
	}
	return heads
}
