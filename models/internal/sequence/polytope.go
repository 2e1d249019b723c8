package sequence

import (
	"math"

	"github.com/gaplab/gaplab/models"
)

var _ models.Polytope = (*Oracle)(nil)

// Infeasibility implements models.Polytope. It returns the largest violation of an equality of the local polytope,
// which for a chain is the marginal polytope. The equalities state that the marginals of a position sum to 1, and that
// the marginals of two neighbours sum to the marginals of each. With tied transitions, mu has only the sum of the
// marginals over all neighbours, so Infeasibility panics for more than two positions.
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

// Entropy returns the entropy of the chain with the marginals mu. mu may be any point of the polytope. See
// models.ChainEntropy.
func (c *Oracle) Entropy(mu []float64) float64 {
	l := c.length(len(mu))
	if l > 2 && !c.untied {
		panic("sequence: tied transitions of more than two positions do not determine the entropy")
	}
	if l == 1 {
		mu = mu[:c.k] // a tied chain has parts of transitions even if l = 1
	}
	return models.ChainEntropy(mu, c.k)
}
