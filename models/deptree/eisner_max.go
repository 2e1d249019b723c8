package deptree

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Max implements models.MaxOracle by Eisner's algorithm without back-pointers. At the end it recomputes from the charts
// which two spans form each span of the best tree, for at most 3 l spans. Among trees with the same best score Max
// always returns the same one, but not always the first in lexicographic order.
//
// The charts store negated scores, and Max searches for the smallest sum, because min compiles to fewer instructions
// than max. Max does not branch on scores, since such branches are often mispredicted.
func (o *eisner) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	s := o.best.Get()
	defer o.best.Put(s)
	dst = s.tree(dst, theta, o.multiRoot)
	return dst, dst.Dot(theta)
}

// The indices of the components of the triples in row and column. Adding a triple of row and one of column gives
// candidates for the entries of M (the sum R + L), of R (IR + R) and of L (L + IL). See eisner for these charts.
const (
	inM = iota
	inR
	inL
)

// tree writes the best tree to dst.
func (s *treeMax) tree(dst models.Vertex, theta []float64, multiRoot bool) models.Vertex {
	s.set(theta, multiRoot)
	s.fill()
	dst = slices.Grow(dst[:0], s.words)[:s.words]
	last := s.nodes - 1
	if multiRoot {
		s.right(dst, 0, last)
		return dst
	}
	root, least := 0, math.Inf(1)
	for q, v := range s.root {
		if c := s.row[q][inL] + s.column[last*s.nodes+q][inR] - v; c < least {
			root, least = q, c
		}
	}
	dst[root] = root * s.words
	s.left(dst, 0, root)
	s.right(dst, root, last)
	return dst
}

// fill runs Eisner's recurrences.
func (s *treeMax) fill() {
	n := s.nodes
	s.row, s.column = scratch.Grow(s.row, n*(n+1)), scratch.Grow(s.column, n*n)
	for i := n - 1; i >= 0; i-- {
		row := s.row[i*(n+1):][:n+1]
		row[i], row[i+1][inM] = triple{}, 0
		s.column[i*n+i] = triple{}
		for k := i + 1; k < n; k++ {
			column := s.column[k*n:][:k]
			m, r, l := min3(row[i+1:k], column[i+1:])
			m = min(m, row[k][inM])
			ir, il := m-s.score[k*n+i], m-s.score[i*n+k]
			r, l = min(r, ir), min(l, il)
			row[k][inR], row[k][inL], row[k+1][inM] = ir, l, r
			column[i] = triple{l, r, il}
		}
	}
}

// right writes the arcs of the best complete span R[i][k] (see eisner).
func (s *treeMax) right(y models.Vertex, i, k int) {
	for i < k {
		q := s.choice(inR, i, k, i+1, k)
		y[q+s.first-1] = s.part(i, q)
		s.between(y, i, q)
		i = q
	}
}

// left writes the arcs of the best complete span L[i][k] (see eisner).
func (s *treeMax) left(y models.Vertex, i, k int) {
	for i < k {
		q := s.choice(inL, i, k, i, k-1)
		y[q+s.first-1] = s.part(k, q)
		s.between(y, q, k)
		k = q
	}
}

// between writes the arcs of the best pair of spans M[i][k] (see eisner).
func (s *treeMax) between(y models.Vertex, i, k int) {
	q := s.choice(inM, i, k, i+1, k)
	s.right(y, i, q-1)
	s.left(y, q, k)
}

// choice returns the first q of lo..hi for which the sum of entry q in row i and entry q in column k is smallest.
func (s *treeMax) choice(component, i, k, lo, hi int) int {
	row, column := s.row[i*(s.nodes+1):], s.column[k*s.nodes:]
	best, least := lo, math.Inf(1)
	for q := lo; q <= hi; q++ {
		if c := row[q][component] + column[q][component]; c < least {
			best, least = q, c
		}
	}
	return best
}

// min3 returns the minimum over i of a[i] + b[i] for each component of the triples, +Inf if a is empty.
func min3(a, b []triple) (x, y, z float64) {
	b = b[:len(a)]
	x, y, z = math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range a {
		x = min(x, a[i][0]+b[i][0])
		y = min(y, a[i][1]+b[i][1])
		z = min(z, a[i][2]+b[i][2])
	}
	return x, y, z
}
