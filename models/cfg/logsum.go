package cfg

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
)

// LogSum implements models.ExpOracle by the inside-outside algorithm. Node n has the inside value β(n) and the marginal
// probability μ(n). For the edges e of n, with children left and right and with the scores of the edge's bracket and
// part,
//
//	β(n) = Σ_e t_e,   t_e = exp(bracket + part) β(left) β(right),   p(e | n) = t_e / β(n)
//	μ(root) = 1,   μ(e) = μ(n) p(e | n),   μ(left) += μ(e),   μ(right) += μ(e)
//
// The second line is the derivative of log β(root), computed backwards. The first pass stores the shares p. So the
// backward pass only multiplies and adds, and probabilities stay in [0, 1]. The sum is over trees: trees that use the
// same rules are counted separately.
//
// Cost: one exponential per rule of the grammar and three multiplications per edge; twice as much with marginals. If
// scores or values are too large for this method, as the scores of a hinge loss can be, LogSum computes log β instead
// of β. This costs one exponential per edge and one logarithm per node, for the nodes that have several edges.
func (o *oracle) LogSum(mu, theta []float64) float64 {
	if mu != nil && len(mu) != len(theta) {
		panic("cfg: len(mu) != len(theta)")
	}
	s, f := o.begin(theta)
	defer o.end(s)
	if !f.parsed() {
		clear(mu)
		return math.Inf(-1)
	}
	c := &s.inside
	c.inside, c.base = scratch.Grow(c.inside, len(f.nodes)), scratch.Grow(c.base, len(f.nodes))
	c.share = scratch.Grow(c.share, len(f.edges))
	value, ok := c.up(f, theta, o.features.firstBracket())
	if !ok {
		value = c.upLogs(f, theta)
	}
	if mu != nil {
		clear(mu)
		c.back(f, mu)
	}
	return value
}

// Inside values between cfgLeast and cfgMost, from scores between −cfgScore and cfgScore, are exact except for
// rounding. The product of two such values is at least 10^-300. A term below 10^-308 underflows or loses digits. But
// even multiplied by the largest exp(bracket), 10^87, it is negligible compared with an inside value of 10^-150. If a
// term overflows, the inside value becomes +Inf or NaN.
const (
	cfgLeast = 1e-150
	cfgMost  = 1e150
	cfgScore = 200
)

// up computes the inside values β and the shares p (see LogSum). It returns ok = false if a value or a score leaves the
// safe range.
func (c *inside) up(f *parseForest, theta []float64, brackets int) (value float64, ok bool) {
	c.weight = scratch.Grow(c.weight, brackets+1)
	c.weight[0] = 1
	for r, s := range theta[:brackets] {
		if !(math.Abs(s) < cfgScore) {
			return 0, false
		}
		c.weight[r+1] = math.Exp(s)
	}
	inside, share, weight := c.inside, c.share, c.weight
	inside[0] = 1
	e := int32(0)
	for n := 1; n < len(f.nodes); n++ {
		node := &f.nodes[n]
		first, sum := e, 0.0
		for ; e < node.end; e++ {
			edge := &f.edges[e]
			t := weight[edge.part+1] * (inside[edge.left] * inside[edge.right])
			share[e] = t
			sum += t
		}
		made := 1.0 // exp of the bracket's score; 1 unless the caller gives brackets a score
		if node.bracket >= 0 && theta[node.bracket] != 0 {
			if !(math.Abs(theta[node.bracket]) < cfgScore) {
				return 0, false
			}
			made = math.Exp(theta[node.bracket])
			sum *= made
		}
		if node.base != 0 {
			sum += inside[node.base]
			c.base[n] = inside[node.base] / sum
		}
		if !(sum > cfgLeast && sum < cfgMost) {
			return 0, false
		}
		inside[n] = sum
		for i, scale := first, made/sum; i < e; i++ {
			share[i] *= scale
		}
	}
	return math.Log(inside[len(f.nodes)-1]), true
}

// upLogs does the same as up for scores of any size. It computes the logarithms of the inside values β.
func (c *inside) upLogs(f *parseForest, theta []float64) float64 {
	inside := c.inside
	inside[0] = 0
	e := int32(0)
	for n := 1; n < len(f.nodes); n++ {
		node := &f.nodes[n]
		var bracket float64
		if node.bracket >= 0 {
			bracket = theta[node.bracket]
		}
		first, top := e, math.Inf(-1)
		for ; e < node.end; e++ {
			edge := &f.edges[e]
			t := bracket + (inside[edge.left] + inside[edge.right])
			if edge.part >= 0 {
				t += theta[edge.part]
			}
			c.share[e] = t
			top = max(top, t)
		}
		if e == first+1 && node.base == 0 {
			c.share[first], inside[n] = 1, top
			continue
		}
		inside[n] = c.normalise(n, node.base, c.share[first:e], top)
	}
	return inside[len(f.nodes)-1]
}

// normalise turns the logarithms of the terms of a node's edges into probabilities of the edges given the node. It
// returns the logarithm of the sum of the terms.
func (c *inside) normalise(n int, base int32, share []float64, top float64) float64 {
	var b, sum float64
	if base != 0 {
		top = max(top, c.inside[base])
		b = math.Exp(c.inside[base] - top)
		sum = b
	}
	for i, t := range share {
		share[i] = math.Exp(t - top)
		sum += share[i]
	}
	scale := 1 / sum // sum ≥ 1: the largest term is exp(0)
	for i := range share {
		share[i] *= scale
	}
	c.base[n] = b * scale
	return top + math.Log(sum)
}

// back adds the marginals to mu, from the root down to the words.
func (c *inside) back(f *parseForest, mu []float64) {
	c.outside = scratch.Grow(c.outside, len(f.nodes))
	outside := c.outside
	clear(outside)
	outside[len(f.nodes)-1] = 1
	for n := len(f.nodes) - 1; n > 0; n-- {
		node := &f.nodes[n]
		here := outside[n]
		if node.base != 0 {
			outside[node.base] += here * c.base[n]
		}
		var made float64
		for e := f.nodes[n-1].end; e < node.end; e++ {
			edge := &f.edges[e]
			m := here * c.share[e]
			made += m
			outside[edge.left] += m
			outside[edge.right] += m
			if edge.part >= 0 {
				mu[edge.part] += m
			}
		}
		if node.bracket >= 0 {
			mu[node.bracket] += made
		}
	}
}
