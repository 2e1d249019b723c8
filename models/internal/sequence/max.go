package sequence

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Max implements models.MaxOracle by Viterbi's algorithm. It runs from the last position to the first, so that the best
// labelling can then be read from the first position on. Among labellings with the same score, it returns the
// lexicographically smallest labelling. Oracle defines the scores s_t and T_t. Let B_t(y) be the best score of the
// positions from t on with label y at t:
//
//	B_{l−1} = s_{l−1},   B_t(y') = s_t(y') + max_y [T_t(y', y) + B_{t+1}(y)]
//
// Cost: l k² additions and comparisons.
func (c *Oracle) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	l := c.length(len(theta))
	s := c.pool.Get()
	defer c.pool.Put(s)
	c.suffixes(s, theta, l)
	y, value := argmax(s.best[:c.k])
	dst = c.follow(s, append(dst[:0], y), theta, l)
	return c.Transitions(dst), value
}

// suffixes fills s.best with B_t(y), the best scores of the positions from t on (see Max).
func (c *Oracle) suffixes(s *working, theta []float64, l int) {
	k, w := c.k, c.stride
	c.transpose(s, theta[l*k:])
	s.best = scratch.Grow(s.best, l*w)
	last := s.best[(l-1)*w : l*w]
	copy(last, theta[(l-1)*k:l*k])
	for t := l - 2; t >= 0; t-- {
		row := s.best[t*w : (t+1)*w]
		vec.MaxPlus(row, s.best[(t+1)*w:], s.maxT[c.block(t)*k*w:], k)
		for y, score := range theta[t*k : (t+1)*k] {
			row[y] += score
		}
	}
}

// transpose transposes the transition scores. It does nothing if they are the same as in the last call, since a pass
// over examples with one w uses the same scores for every example.
func (c *Oracle) transpose(s *working, edges []float64) {
	if slices.Equal(s.maxOf, edges) {
		return
	}
	s.maxOf = append(s.maxOf[:0], edges...)
	k, w := c.k, c.stride
	blocks := len(edges) / (k * k)
	s.maxT = scratch.Grow(s.maxT, blocks*k*w)
	for b := range blocks {
		vec.Transpose(s.maxT[b*k*w:(b+1)*k*w], edges[b*k*k:(b+1)*k*k], k)
	}
}

// follow appends the best labels of the remaining positions to dst, which has the labels of the first positions.
func (c *Oracle) follow(s *working, dst models.Vertex, theta []float64, l int) models.Vertex {
	k, w := c.k, c.stride
	for t := len(dst); t < l; t++ {
		y, _ := argmaxSum(c.from(theta, l, t-1, dst[t-1]-(t-1)*k), s.best[t*w:t*w+k])
		dst = append(dst, t*k+y)
	}
	return dst
}

// from returns the scores of the transitions from label y at position t.
func (c *Oracle) from(theta []float64, l, t, y int) []float64 {
	k := c.k
	at := l*k + c.block(t)*k*k + y*k
	return theta[at : at+k]
}

// argmax returns the first index of the largest element of v, and this element.
func argmax(v []float64) (at int, top float64) {
	at, top = 0, math.Inf(-1)
	for i, x := range v {
		if x > top {
			at, top = i, x
		}
	}
	return at, top
}

// argmaxSum returns the first index of the largest a[i] + b[i], and the sum.
func argmaxSum(a, b []float64) (at int, top float64) {
	at, top = 0, math.Inf(-1)
	for i, x := range a {
		if v := x + b[i]; v > top {
			at, top = i, v
		}
	}
	return at, top
}
