package models

import (
	"math"

	"github.com/gaplab/gaplab/models/internal/scratch"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// logSumInLogs is LogSum where scores of transitions lie so far apart that scaled numbers would vanish: the same
// recursions on logarithms a_t = log(α_t/c_t) and b_t = log β_t, each position normalised so that large scores cancel
// before they are added up. It costs 2 l k² exponentials, some 20 times the scaled pass. mu may be theta.
func (c *chainOracle) logSumInLogs(s *chainScratch, mu, theta []float64, l int) float64 {
	k := c.k
	s.logs = scratch.Grow(s.logs, (3*l+2)*k)
	score, a, b := s.logs[:l*k], s.logs[l*k:2*l*k], s.logs[2*l*k:3*l*k]
	column, ahead := s.logs[3*l*k:(3*l+1)*k], s.logs[(3*l+1)*k:(3*l+2)*k]
	copy(score, theta[:l*k])
	s.inverse = scratch.Grow(s.inverse, l)
	var value float64
	for t := range l { // log c_t goes to s.inverse[t]
		row := a[t*k : (t+1)*k]
		copy(row, score[t*k:(t+1)*k])
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
		s.inverse[t] = norm
		value += norm
	}
	if mu == nil {
		return value
	}

	clear(mu)
	clear(b[(l-1)*k:])
	for t := l - 1; ; t-- {
		for y, v := range a[t*k : (t+1)*k] {
			mu[t*k+y] = math.Exp(v + b[t*k+y])
		}
		if t == 0 {
			return value
		}
		for y := range ahead {
			ahead[y] = score[t*k+y] + b[t*k+y] - s.inverse[t]
		}
		edge, block := c.scoresOf(s, t-1), mu[l*k+c.block(t-1)*k*k:]
		for z, before := range a[(t-1)*k : t*k] {
			for y, v := range ahead {
				column[y] = edge[z*k+y] + v
			}
			top, sum := expSum(column)
			b[(t-1)*k+z] = top + math.Log(sum)
			top = math.Exp(before + top)
			for y, v := range column {
				block[z*k+y] += top * v
			}
		}
	}
}

// scoresOf are the scores of the transitions from position t, which exponentiate has kept.
func (c *chainOracle) scoresOf(s *chainScratch, t int) []float64 {
	n := c.k * c.k
	return s.sumOf[c.block(t)*n : (c.block(t)+1)*n]
}

// expSum overwrites v with exp(v − top), where top is the largest number, and returns top and the sum.
func expSum(v []float64) (top, sum float64) {
	_, top = argmax(v)
	vec.Exp(v, v, top)
	return top, total(v)
}
