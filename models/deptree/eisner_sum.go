package deptree

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
)

// LogSum implements models.ExpOracle. It runs Eisner's recurrences on exponentiated scores, as sums of products, and
// differentiates them backwards for the marginals. This costs l² exponentials and 3/2 l³ products. With logarithms each
// product would cost an exponential.
//
// Range: every arc into a word is scaled by e^{−c}, where c is the largest score of an arc into this word, so that
// e(h→m) ≤ 1. Then no number exceeds the number of projective trees, N < (27/4)^l = e^{1.91 l}, which is representable
// up to l = 350. Numbers below e^{−708} may underflow. A lost term changes Z, or a marginal times Z, by at most
// e^{−708} times the number of ways to complete it to a tree, which is at most N. There are fewer than 2 l³ terms. So
// if
//
//	log Z ≥ −708 + 1.91 l + log(2 l³) + 40
//
// all lost terms together are below e^{−40} Z, less than rounding errors. If the condition does not hold, LogSum
// computes the sum with logarithms. This happens if the best arcs into the words are far from forming a tree.
func (o *eisner) LogSum(mu, theta []float64) float64 {
	if mu != nil && len(mu) != len(theta) {
		panic("deptree: len(mu) != len(theta)")
	}
	s := o.sums.Get()
	defer o.sums.Put(s)
	s.set(theta, o.multiRoot)
	if s.words <= longestScaled {
		if v, ok := s.scaled(mu); ok {
			return v
		}
		s.set(theta, o.multiRoot)
	}
	return s.logs.logSum(mu, &s.arcScores)
}

const longestScaled = 350 // number of words up to which no scaled number overflows (see eisner.LogSum)

// scaled returns log Z, computed with the scaled numbers that the comment of LogSum describes. It returns false if
// their range does not suffice.
func (s *treeSums) scaled(mu []float64) (float64, bool) {
	shift := s.shift()
	for i, v := range s.score {
		s.score[i] = math.Exp(v)
	}
	for i, v := range s.root {
		s.root[i] = math.Exp(v)
	}
	z := s.inside(mu != nil)
	l := float64(s.words)
	if !(math.Log(z) >= -708+1.91*l+math.Log(2*l*l*l)+40) {
		return 0, false
	}
	if mu != nil {
		s.outside(mu, 1/z)
	}
	return shift + math.Log(z), true
}

// inside fills the charts and returns Z. It fills the charts for the outside pass only if outside is true.
func (s *treeSums) inside(outside bool) float64 {
	n, e := s.nodes, s.score
	s.row, s.column = scratch.Grow(s.row, n+1), scratch.Grow(s.column, n*n)
	s.gLeft, s.gRight = scratch.Grow(s.gLeft, n), scratch.Grow(s.gRight, n)
	if outside {
		s.onward, s.inward = scratch.Grow(s.onward, n*n), scratch.Grow(s.inward, n*n)
	}
	row := s.row
	for i := n - 1; i >= 0; i-- {
		s.column[i*n+i] = triple{1, 1, 0}
		row[i] = triple{0, 0, 1}
		row[i+1][0] = 1
		for k := i + 1; k < n; k++ {
			column := s.column[k*n:][:k]
			m, r, l := dot3(row[i+1:k], column[i+1:])
			// This is the term q = k−1 of M[i][k] (see eisner). The next lines add the last terms of R[i][k] and L[i][k], which
			// come from the arcs i → k and k → i. All three terms have a factor that is 1.
			m += row[k][0]
			ir, il := m*e[k*n+i], m*e[i*n+k]
			r, l = r+ir, l+il
			row[k][1], row[k][2], row[k+1][0] = ir, l, r
			column[i] = triple{l, r, il}
			if outside {
				s.onward[i*n+k] = triple{l, il, r}
				s.inward[k*n+i] = triple{l, r, ir}
			}
		}
		s.gRight[i] = row[n][0] // R[i][n−1] (see eisner), which join needs
	}
	for q := range n {
		s.gLeft[q] = row[q][2] // L[0][q] (see eisner), which join needs
	}
	return s.join()
}

// join returns the sum Z over all trees (see eisner). It replaces the stored entries R[·][n−1] and L[0][·] by the
// derivatives of Z by these entries.
func (s *treeSums) join() float64 {
	if len(s.root) == 0 {
		z := s.gRight[0]
		clear(s.gLeft)
		clear(s.gRight)
		s.gRight[0] = 1
		return z
	}
	var z float64
	for q, e := range s.root {
		l, r := s.gLeft[q], s.gRight[q]
		z += l * r * e
		s.gLeft[q], s.gRight[q] = r*e, l*e
		s.root[q] = l * r * e
	}
	return z
}

// outside writes the marginals μ(h→m) = e(h→m) ∂log Z/∂e(h→m). It runs the inside pass backwards. Let ∂X be the
// derivative of Z by X. The derivative by a span is a sum over the larger spans that contain it (see eisner for the
// charts):
//
//	∂R[i][k]  = Σ_{j<i} ∂R[j][k] · IR[j][i] + Σ_{j>k} ∂M[i][j] · L[k+1][j]
//	∂L[i][k]  = Σ_{j>k} ∂L[i][j] · IL[k][j] + Σ_{j<i} ∂M[j][k] · R[j][i−1]
//	∂IR[i][k] = Σ_{j≥k} ∂R[i][j] · R[k][j],   ∂IL[i][k] = Σ_{j≤i} ∂L[j][k] · L[j][i]
//	∂M[i][k]  = ∂IR[i][k] e(i→k) + ∂IL[i][k] e(k→i).
//
// The second sum of ∂R[i][k] is computed one step early, with the row of k+1, and the second sum of ∂L[i][k] with the
// column of i−1.
func (s *treeSums) outside(mu []float64, scale float64) {
	n, e := s.nodes, s.score
	s.gRow, s.gColumn = scratch.Grow(s.gRow, n), scratch.Grow(s.gColumn, n*n)
	for q, v := range s.root {
		mu[q*s.words] = v * scale
	}
	for i := range n {
		gRight := s.gRight[i]
		inward := s.inward[i*n:][:i]
		for k := n - 1; k > i; k-- {
			m, l, r := dot3(s.gRow[k+1:n], s.onward[k*n+k+1:k*n+n])
			gl, gm, gr := dot3(s.gColumn[k*n:][:i], inward)
			gr += gRight
			l += s.gLeft[k]
			gIR, gIL := gr+r, l+gl
			both := gIR*e[k*n+i] + gIL*e[i*n+k]
			gRight, s.gLeft[k] = m+both, gm+both
			s.gRow[k] = triple{both, l, gr}
			s.gColumn[k*n+i] = triple{l, both, gr}

			mu[s.part(i, k)] = gIR * s.inward[k*n+i][2] * scale
			if i+s.first > 0 {
				mu[s.part(k, i)] = gIL * s.onward[i*n+k][1] * scale
			}
		}
	}
}

// dot3 computes three dot products at once, one for each component of the triples.
func dot3(a, b []triple) (x, y, z float64) {
	b = b[:len(a)]
	for i := range a {
		x += a[i][0] * b[i][0]
		y += a[i][1] * b[i][1]
		z += a[i][2] * b[i][2]
	}
	return x, y, z
}
