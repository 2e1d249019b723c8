package sequence

import (
	"github.com/gaplab/gaplab/models"
)

// Choices returns the choices of a sequence of l positions with the given labels.
func (c *Oracle) Choices(l int, labels []string) models.Choices {
	return models.Choices{Places: l, Labels: labels, Part: func(t, y int) int { return t*c.k + y }, Scores: c.LabelScores}
}

// LabelScores returns the largest score of a labelling with label y at position t, for each t and y, at index t·k + y.
// It reuses the memory of the slice to. With B_t as in Max, this score is F_t(y) + B_t(y), where F_t(y) is the best
// score of the positions before t and of the transition to y:
//
//	F_0 = 0,   F_{t+1}(y) = max_y' [F_t(y') + s_t(y') + T_t(y', y)]
//
// Cost: twice the cost of Max.
func (c *Oracle) LabelScores(to, theta []float64) []float64 {
	l, k := c.length(len(theta)), c.k
	s := c.pool.Get()
	defer c.pool.Put(s)
	c.suffixes(s, theta, l)
	to = models.Resize(to, l*k)
	clear(to[:k])
	for t := range l - 1 {
		before, after := to[t*k:(t+1)*k], to[(t+1)*k:(t+2)*k]
		for from, score := range before {
			score += theta[t*k+from]
			for y, transition := range c.from(theta, l, t, from) {
				if v := score + transition; from == 0 || v > after[y] {
					after[y] = v
				}
			}
		}
	}
	for i := range to {
		to[i] += s.best[i/k*c.stride+i%k]
	}
	return to
}
