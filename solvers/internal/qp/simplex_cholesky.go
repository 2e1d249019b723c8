package qp

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// cholesky is the factor L of a positive definite matrix K = L Lᵀ of order n. A last row can be appended to K, and any
// row and column can be removed, each in O(n²) time. The zero value is the factor of order 0.
type cholesky struct {
	n        int       // order of K
	stride   int       // distance of two rows in l, and the largest order for which l has memory
	l        []float64 // row i is l[i·stride:][:i+1]
	inverse  []float64 // 1/L_ii of each row i
	cos, sin []float64 // cosines and sines of the rotations in remove
}

// row returns row i of L, up to the diagonal.
func (c *cholesky) row(i int) []float64 { return c.l[i*c.stride:][:i+1] }

// next returns a slice for a new last row of K, up to the diagonal. The caller fills the slice and then calls append.
func (c *cholesky) next() []float64 {
	if c.n == c.stride {
		c.stride = c.n + c.n/2 + 16
		l := make([]float64, c.stride*c.stride)
		for i := range c.n {
			copy(l[i*c.stride:], c.l[i*c.n:][:i+1])
		}
		c.l = l
		c.inverse = append(make([]float64, 0, c.stride), c.inverse...)[:c.stride]
		c.cos, c.sin = make([]float64, c.stride), make([]float64, c.stride)
	}
	return c.row(c.n)
}

// append adds the row that next returned to K, and computes the last row of L. If K is close to singular, rounding
// errors can make the pivot L_nn² too small. append raises a pivot below least to least.
func (c *cholesky) append(least float64) {
	row := c.row(c.n)
	for j := range c.n {
		row[j] = (row[j] - floats.Dot(row[:j], c.l[j*c.stride:][:j])) * c.inverse[j]
	}
	row[c.n] = math.Sqrt(max(least, row[c.n]-floats.Dot(row[:c.n], row[:c.n])))
	c.inverse[c.n] = 1 / row[c.n]
	c.n++
}

// remove removes row and column k from K. If row k is removed from L, each row from k on has one entry above the
// diagonal. For each such row, in order, remove rotates two neighbouring columns so that this entry becomes 0.
func (c *cholesky) remove(k int) {
	c.n--
	for i := k; i < c.n; i++ {
		from, to := c.l[(i+1)*c.stride:][:i+2], c.row(i)
		copy(to[:k], from)
		x := from[k]
		for j := k; j < i; j++ {
			y := from[j+1]
			to[j] = c.cos[j]*x + c.sin[j]*y
			x = c.cos[j]*y - c.sin[j]*x
		}
		y := from[i+1]
		to[i] = math.Hypot(x, y)
		c.inverse[i] = 1 / to[i]
		c.cos[i], c.sin[i] = x/to[i], y/to[i]
	}
}

// solve overwrites x with K⁻¹x.
func (c *cholesky) solve(x []float64) {
	for i := range c.n {
		x[i] = (x[i] - floats.Dot(c.l[i*c.stride:][:i], x[:i])) * c.inverse[i]
	}
	for i := c.n - 1; i >= 0; i-- {
		x[i] *= c.inverse[i]
		floats.AddScaled(x[:i], -x[i], c.l[i*c.stride:][:i])
	}
}
