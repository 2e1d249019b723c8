package sequence

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// logSumInLogs does what LogSum does, for transition scores so far apart that scaled numbers would underflow. It uses
// the forward recursion on logarithms a_t = log(α_t/c_t), where LogSum defines α_t and c_t. T are the transition
// scores. Each position is normalised, so that large scores cancel before they are added. The backward pass computes
// probabilities, beginning with the last position:
//
//	μ_{t−1,t}(z, y) = μ_t(y) x(z)/Σ_z x(z),   x(z) = exp(a_{t−1}(z) + T(z, y)),   μ_{t−1}(z) = Σ_y μ_{t−1,t}(z, y),
//
// So marginals sum to 1 and are consistent with one another for scores of any size. Rounding errors of large scores
// only move probability between labellings with nearly equal scores. The cost is up to 2 l k² exponentials, about 20
// times the scaled pass. mu may be theta.
func (c *Oracle) logSumInLogs(s *working, mu, theta []float64, l int) float64 {
	k := c.k
	s.logs = scratch.Grow(s.logs, (l+1)*k)
	a, column := s.logs[:l*k], s.logs[l*k:(l+1)*k]
	copy(a, theta[:l*k])
	var value float64
	for t := range l {
		row := a[t*k : (t+1)*k]
		if t > 0 {
			edge := c.scoresOf(s, t-1)
			for y := range row {
				for z, v := range a[(t-1)*k : t*k] {
					column[z] = v + edge[z*k+y]
				}
				top, sum := expSum(column)
				row[y] += top + math.Log(sum)
			}
		}
		copy(column, row)
		top, sum := expSum(column)
		norm := top + math.Log(sum)
		for y := range row {
			row[y] -= norm
		}
		value += norm
	}
	if mu == nil {
		return value
	}

	clear(mu)
	last := mu[(l-1)*k : l*k]
	copy(last, a[(l-1)*k:l*k])
	_, sum := expSum(last)
	for y := range last {
		last[y] /= sum
	}
	for t := l - 1; t > 0; t-- {
		edge, block, before := c.scoresOf(s, t-1), mu[l*k+c.block(t-1)*k*k:], mu[(t-1)*k:t*k]
		for y, p := range mu[t*k : (t+1)*k] {
			if p == 0 {
				continue
			}
			for z, v := range a[(t-1)*k : t*k] {
				column[z] = v + edge[z*k+y]
			}
			_, sum := expSum(column)
			p /= sum
			for z, v := range column {
				block[z*k+y] += p * v
				before[z] += p * v
			}
		}
	}
	return value
}

// scoresOf returns the scores of the transitions from position t. The method exponentiate has stored a copy of them.
func (c *Oracle) scoresOf(s *working, t int) []float64 {
	n := c.k * c.k
	return s.sumOf[c.block(t)*n : (c.block(t)+1)*n]
}

// expSum overwrites v with exp(v − top), where top is the largest element, and returns top and the sum of the new
// elements.
func expSum(v []float64) (top, sum float64) {
	if _, top = argmax(v); math.IsInf(top, -1) { // no label has a finite score
		clear(v)
		return top, 0
	}
	vec.Exp(v, v, top)
	return top, vec.Sum(v)
}
