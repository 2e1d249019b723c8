package sequence

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

var _ models.Polytope = (*Oracle)(nil)

// Infeasibility returns the largest error of an equality of the local polytope, which for a chain is the marginal
// polytope: the marginals of a position sum to 1, and those of neighbours sum to the marginals of either position. With
// tied transitions, where only the sum over neighbours is known, it accepts sequences of at most two positions.
func (c *Oracle) Infeasibility(mu []float64) float64 {
	l, k := c.length(len(mu)), c.k
	if l > 2 && !c.untied {
		panic("sequence: tied transitions of more than two positions do not determine the marginals")
	}
	worst := 0.0
	note := func(err float64) { worst = max(worst, math.Abs(err)) }
	for t := range l {
		sum := -1.0
		for _, m := range mu[t*k : (t+1)*k] {
			sum += m
		}
		note(sum)
	}
	for t := range l - 1 {
		from, to, pairs := mu[t*k:(t+1)*k], mu[(t+1)*k:(t+2)*k], mu[l*k+t*k*k:]
		for y := range k {
			left, right := -from[y], -to[y]
			for z := range k {
				left += pairs[y*k+z]
				right += pairs[z*k+y]
			}
			note(left)
			note(right)
		}
	}
	return worst
}

// Entropy returns the entropy of the chain with any marginals of the polytope; see ChainEntropy.
func (c *Oracle) Entropy(mu []float64) float64 {
	l := c.length(len(mu))
	if l > 2 && !c.untied {
		panic("sequence: tied transitions of more than two positions do not determine the entropy")
	}
	if l == 1 {
		mu = mu[:c.k] // a tied chain has scores of transitions all the same
	}
	return models.ChainEntropy(mu, c.k)
}
