package sequence

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// MaxSlack implements models.SlackOracle. It is exact for costs of labels at positions, len(cost) = l·k, that are whole
// numbers, such as the number of wrong labels. It panics for other costs. For each total cost v it finds the best
// labelling with this cost, and returns the labelling with the largest v (1 + θ·y − θ·truth). Oracle defines the scores
// s_t and T_t. Let B_t(v, y) be the best score of the positions from t on, for labellings that have label y at t and
// cost v from t on:
//
//	B_t(v, y') = s_t(y') + max_y [T_t(y', y) + B_{t+1}(v − cost_t(y'), y)]
//
// Cost: about l V k²/2 operations and l V k/2 floats of memory, where V is the largest total cost.
func (c *Oracle) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	l := c.length(len(theta))
	k, w := c.k, c.stride
	s := c.pool.Get()
	defer c.pool.Put(s)
	s.label = c.labels(s.label, l, truth)
	c.costRows(s, cost, l)
	c.transpose(s, theta[l*k:])
	s.layer = scratch.Grow(s.layer, s.costRows[0]*w)
	for i := range s.layer {
		s.layer[i] = math.Inf(-1)
	}
	last := s.layers(l-1, w)
	for y, score := range theta[(l-1)*k : l*k] {
		last[int(cost[(l-1)*k+y])*w+y] = score
	}
	s.row = scratch.Grow(s.row, w)
	for t := l - 2; t >= 0; t-- {
		next, layer := s.layers(t+1, w), s.layers(t, w)
		for v := range len(next) / w {
			vec.MaxPlus(s.row, next[v*w:], s.maxT[c.block(t)*k*w:], k)
			for y, score := range theta[t*k : (t+1)*k] {
				layer[(v+int(cost[t*k+y]))*w+y] = score + s.row[y]
			}
		}
	}

	gold := truth.Dot(theta)
	total, y, value := 0, 0, math.Inf(-1)
	first := s.layers(0, w)
	for v := range len(first) / w {
		at, score := argmax(first[v*w : v*w+k])
		if slack := float64(v) * (1 + score - gold); !math.IsInf(score, -1) && slack > value {
			total, y, value = v, at, slack
		}
	}
	dst = append(dst[:0], y)
	for t := 1; t < l; t++ {
		total -= int(cost[(t-1)*k+y])
		y, _ = argmaxSum(c.from(theta, l, t-1, y), s.layers(t, w)[total*w:total*w+k])
		dst = append(dst, t*k+y)
	}
	return c.Transitions(dst), value
}

// layers returns the rows of B_t (see MaxSlack), one for each total cost of the positions from t on.
func (s *working) layers(t, stride int) []float64 {
	return s.layer[s.costRows[t+1]*stride : s.costRows[t]*stride]
}

// costRows computes at which row of s.layer the rows of each position begin, one row for each total cost (see
// MaxSlack). It begins with the last position, and panics if a cost is not a whole number.
func (c *Oracle) costRows(s *working, cost []float64, l int) {
	k := c.k
	if len(cost) != l*k {
		panic(fmt.Sprintf("sequence: %d costs for %d positions with %d labels: want one for each label at each "+
			"position, and none for transitions", len(cost), l, k))
	}
	s.costRows = scratch.Grow(s.costRows, l+1)
	s.costRows[l] = 0
	largest := 0
	for t := l - 1; t >= 0; t-- {
		top := 0.0
		for y, v := range cost[t*k : (t+1)*k] {
			if !(v >= 0 && v <= 1<<20 && v == math.Trunc(v)) {
				panic(fmt.Sprintf("sequence: the cost of part %d is %v: want a whole number for slack rescaling", t*k+y, v))
			}
			top = max(top, v)
		}
		largest += int(top)
		s.costRows[t] = s.costRows[t+1] + largest + 1
	}
}
