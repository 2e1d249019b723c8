package sequence

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Second implements models.SecondOracle. The argument not is the excluded labelling. Every other labelling has a first
// position at which it differs from the excluded one, and is arbitrary after this position. Let B_t be as in Max, and
// let n_t be the label of the excluded labelling at t. Let D_t be the best score of the positions from t on, for
// labellings that have n_t at t and differ from the excluded one at a later position:
//
//	D_{l−1} = −∞,   D_t = s_t(n_t) + max{ T_t(n_t, n_{t+1}) + D_{t+1},  max_{y ≠ n_{t+1}} T_t(n_t, y) + B_{t+1}(y) }
//
// Cost: the cost of Max and l k operations. With a single label there is no other labelling, and Second returns a
// labelling without parts and −∞.
func (c *Oracle) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	l := c.length(len(theta))
	s := c.pool.Get()
	defer c.pool.Put(s)
	s.label = c.labels(s.label, l, not)
	n, k, w := s.label, c.k, c.stride
	c.suffixes(s, theta, l)
	s.differ = scratch.Grow(s.differ, l)
	s.differ[l-1] = math.Inf(-1)
	for t := l - 2; t >= 0; t-- {
		_, v := argmaxOther(c.from(theta, l, t, n[t]), s.best[(t+1)*w:(t+1)*w+k], n[t+1], s.differ[t+1])
		s.differ[t] = theta[t*k+n[t]] + v
	}

	dst = dst[:0]
	y, value := argmaxOther(nil, s.best[:k], n[0], s.differ[0])
	if math.IsInf(value, -1) && k == 1 {
		return dst, value
	}
	dst = append(dst, y)
	for t := 1; t < l && y == n[t-1]; t++ { // as long as the labelling equals the excluded one
		y, _ = argmaxOther(c.from(theta, l, t-1, y), s.best[t*w:t*w+k], n[t], s.differ[t])
		dst = append(dst, t*k+y)
	}
	return c.Transitions(c.follow(s, dst, theta, l)), value
}

// argmaxOther returns the first index of the largest a[y] + b[y], where special replaces b[at]. If a is nil, each a[y]
// is 0.
func argmaxOther(a, b []float64, at int, special float64) (best int, top float64) {
	best, top = 0, math.Inf(-1)
	for y, v := range b {
		if y == at {
			v = special
		}
		if a != nil {
			v += a[y]
		}
		if v > top {
			best, top = y, v
		}
	}
	return best, top
}
