package models

import (
	"fmt"
	"math"
)

// ChainEntropy returns the entropy of a chain with l positions and k labels, given its marginals mu in the layout of
// untied transitions: l·k marginals μ_t of the positions, then (l−1)·k² marginals μ_{t,t+1} of neighbouring positions.
// A chain is a tree, so the Bethe formula gives its entropy exactly:
//
//	H = Σ_t H(μ_{t,t+1}) − Σ_{0 < t < l−1} H(μ_t),   and H(μ_0) if l = 1.
//
// If μ are the marginals at scores θ, the result equals log Z − μ·θ, but θ is not needed. ChainEntropy panics if
// len(mu) is not the number of marginals for any l.
func ChainEntropy(mu []float64, k int) float64 {
	if k < 1 || len(mu) < k || (len(mu)-k)%(k+k*k) != 0 {
		panic(fmt.Sprintf("models: chain: no sequence with %d labels and untied transitions has %d marginals", k,
			len(mu)))
	}
	return chainEntropy(mu, 1+(len(mu)-k)/(k+k*k), k)
}

func chainEntropy(mu []float64, l, k int) float64 {
	if l == 1 {
		return entropy(mu[:k])
	}
	return entropy(mu[l*k:]) - entropy(mu[k:(l-1)*k])
}

// entropy returns −Σ p log p, with 0 log 0 = 0.
func entropy(p []float64) float64 {
	var h float64
	for _, v := range p {
		if v > 0 {
			h -= v * math.Log(v)
		}
	}
	return h
}
