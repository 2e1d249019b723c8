package sequence

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// span is the largest difference between transition scores for which LogSum uses scaled numbers instead of logarithms.
const span = 200

// LogSum implements models.ExpOracle by the forward-backward algorithm with scaled numbers (Rabiner 1989, section V.A).
// Oracle defines the scores s_t and T_t. With e_t = exp(s_t − max s_t), E_t = exp(T_t − max T_t) and the elementwise
// product ∘,
//
//	α_0 = e_0,   α_t = e_t ∘ E_{t−1}ᵀα_{t−1}/c_{t−1},   c_t = Σ_y α_t(y),   log Z = Σ_t (log c_t + max s_t) + Σ_t max T_t
//	β_{l−1} = 1/c_{l−1},   b_t = e_t ∘ β_t/c_{t−1},   β_{t−1} = E_{t−1} b_t
//	μ_t(y) = α_t(y) β_t(y),   μ_{t,t+1}(y', y) = α_t(y') E_t(y', y) b_{t+1}(y)
//
// For tied transitions the marginals are the expected counts Σ_t μ_{t,t+1} = E ∘ Σ_t α_t b_{t+1}ᵀ, where the sum is a
// product of two matrices. Cost: 3 l k² multiplications and additions in products of k×k matrices and vectors, 2 l k
// exponentials, and k² exponentials for E, which is reused as long as the transition scores stay the same.
//
// Numbers below e^−708 become 0, but the result is exact up to rounding. Let R bound max T_t − min T_t for every t.
// Every entry of E_t is at least e^−R, so c_t ≥ e^−R, and no number exceeds k³e^(3R). If an entry α_t(y) or b_t(y)
// underflows, the factor e_t(y) of its label is at most k³ e^(R−708) times the factor of the best label. Replacing y by
// the best label changes the product of the two transitions by a factor of at most e^(2R). So the posterior probability
// of y at t is at most k³ e^(3R−708). For R = 200 this is below 1e-36, negligible compared with rounding errors. If R
// is larger, LogSum computes the same recursions in logarithms.
func (c *Oracle) LogSum(mu, theta []float64) float64 {
	l := c.length(len(theta))
	if mu != nil && len(mu) != len(theta) {
		panic("sequence: len(mu) != len(theta)")
	}
	s := c.pool.Get()
	defer c.pool.Put(s)
	c.exponentiate(s, theta[l*c.k:])
	if !s.narrow {
		return c.logSumInLogs(s, mu, theta, l)
	}
	value := c.forward(s, theta, l)
	if mu != nil {
		c.backward(s, mu, l)
	}
	return value
}

// exponentiate computes the matrices E_t of LogSum and their transposes. It does nothing if the transition scores are
// the same as in the last call.
func (c *Oracle) exponentiate(s *working, edges []float64) {
	if s.made && slices.Equal(s.sumOf, edges) {
		return
	}
	s.made = true
	k, w := c.k, c.stride
	s.row, s.beta = scratch.Grow(s.row, w), scratch.Grow(s.beta, w)
	s.sumOf = append(s.sumOf[:0], edges...)
	blocks := len(edges) / (k * k)
	s.top = scratch.Grow(s.top, blocks)
	s.narrow = true
	for b := range blocks {
		matrix := edges[b*k*k : (b+1)*k*k]
		low, high := extent(matrix)
		s.top[b] = high
		s.narrow = s.narrow && high-low <= span
	}
	if !s.narrow {
		return
	}
	s.factor, s.transposed = scratch.Grow(s.factor, blocks*k*w), scratch.Grow(s.transposed, blocks*k*w)
	for r := range blocks * k {
		vec.Exp(s.factor[r*w:r*w+k], edges[r*k:(r+1)*k], s.top[r/k])
		block, y := s.transposed[r/k*k*w:], r%k
		for i, v := range s.factor[r*w : r*w+k] {
			block[i*w+y] = v
		}
	}
}

// extent returns the smallest and the largest element.
func extent(v []float64) (low, high float64) {
	low, high = v[0], v[0]
	for _, x := range v {
		if x < low {
			low = x
		}
		if x > high {
			high = x
		}
	}
	return low, high
}

// forward fills s.e, s.alpha and s.inverse, and returns log Z.
func (c *Oracle) forward(s *working, theta []float64, l int) float64 {
	k, w := c.k, c.stride
	s.e, s.alpha, s.inverse = scratch.Grow(s.e, l*w), scratch.Grow(s.alpha, l*w), scratch.Grow(s.inverse, l)
	var value float64
	before := 1.0 // 1/c_{t−1} (see LogSum)
	for y := range s.row {
		s.row[y] = 1
	}
	for t := range l {
		scores, e, alpha := theta[t*k:(t+1)*k], s.e[t*w:(t+1)*w], s.alpha[t*w:(t+1)*w]
		_, top := argmax(scores)
		vec.Exp(e[:k], scores, top)
		clear(e[k:])
		if t > 0 {
			b := c.block(t - 1)
			vec.MulVec(s.row, s.alpha[(t-1)*w:], 1, s.factor[b*k*w:], k)
			value += s.top[b]
		}
		sum := vec.Mul(alpha, before, s.row, e)
		value += top + math.Log(sum)
		before = 1 / sum
		s.inverse[t] = before
	}
	return value
}

// backward writes the marginals to mu.
func (c *Oracle) backward(s *working, mu []float64, l int) {
	k, w := c.k, c.stride
	for y := range s.beta {
		s.beta[y] = s.inverse[l-1]
	}
	for t := l - 1; ; t-- {
		vec.Mul(s.row, 1, s.alpha[t*w:(t+1)*w], s.beta)
		copy(mu[t*k:(t+1)*k], s.row)
		if t == 0 {
			break
		}
		b := s.e[t*w : (t+1)*w]
		vec.Mul(b, s.inverse[t-1], s.beta, b)
		if c.untied {
			c.edgeMarginals(s, mu[l*k+(t-1)*k*k:l*k+t*k*k], t)
		}
		vec.MulVec(s.beta, b, 1, s.transposed[c.block(t-1)*k*w:], k)
	}
	if c.untied {
		return
	}
	for y := range k {
		vec.MulVec(s.row, s.alpha[y:], w, s.e[w:], l-1)
		vec.Mul(s.row, 1, s.row, s.factor[y*w:(y+1)*w])
		copy(mu[l*k+y*k:l*k+(y+1)*k], s.row)
	}
}

// edgeMarginals writes μ_{t−1,t}, the marginals of the pairs of labels at positions t−1 and t, to mu, row by row.
func (c *Oracle) edgeMarginals(s *working, mu []float64, t int) {
	k, w := c.k, c.stride
	factor, b := s.factor[(t-1)*k*w:t*k*w], s.e[t*w:(t+1)*w]
	for y, a := range s.alpha[(t-1)*w : (t-1)*w+k] {
		vec.Mul(s.row, a, factor[y*w:(y+1)*w], b)
		copy(mu[y*k:(y+1)*k], s.row)
	}
}
