package qp

import "gonum.org/v1/gonum/floats"

// exchange runs sequential minimal optimisation. A step moves the amount t from the α of column j to the α of column i.
// It increases the dual objective by (see Simplex for H and ∇)
//
//	t (∇_i − ∇_j) − ½ t² (H_ii + H_jj − 2 H_ij),   0 < t ≤ α_j.
//
// Given i (see entering), j is the column with the largest increase. This is the second-order rule of Fan, Chen and Lin
// (2005), here with the bound t ≤ α_j. exchange ends when Gap() ≤ tol or after limit steps, and returns the number of
// steps. Cost: Len per step.
func (q *Simplex) exchange(tol float64, limit int) (steps int) {
	for ; steps < limit; steps++ {
		i := q.entering(tol)
		if i < 0 {
			break
		}
		j, t := q.giving(i)
		if j < 0 {
			break
		}
		if t < q.alpha[j] {
			q.alpha[j] -= t
		} else {
			q.alpha[j] = 0
		}
		q.alpha[i] += t
		hi, hj := q.h[i], q.h[j][:len(q.grad)]
		for k := range q.grad {
			q.grad[k] -= t * (hi[k] - hj[k])
		}
	}
	return steps
}

// entering returns the column i whose α exchange is to increase, or −1 if Gap() ≤ tol. With ∇ = d − Hα and s_i = ∇_i −
// α·∇/C, column i has the largest
//
//	s_i²/(H_ii + s_i/C).
//
// This is approximately the increase of the dual objective by a line search towards the column. The usual rule, the
// largest ∇_i, can need ten times as many steps if the norms of the columns differ much.
func (q *Simplex) entering(tol float64) (i int) {
	i = -1
	mean := floats.Dot(q.alpha, q.grad) / q.c
	var most, gap float64
	for k, g := range q.grad {
		s := g - mean
		if s <= 0 {
			continue
		}
		gap = max(gap, s)
		if curvature := q.diag[k] + s/q.c; s*s > most*curvature {
			most, i = s*s/curvature, k
		}
	}
	if gap > tol {
		return i
	}
	return -1
}

// giving returns the column j from which exchange moves α to column i, and the amount t. It returns j = −1 if no such
// move increases the dual objective.
func (q *Simplex) giving(i int) (j int, t float64) {
	j = -1
	most := 0.0
	gi, hi, hii := q.grad[i], q.h[i], q.diag[i]
	for k, a := range q.alpha {
		slope := gi - q.grad[k]
		if a <= 0 || slope <= 0 {
			continue
		}
		step, curvature := a, hii+q.diag[k]-2*hi[k]
		if curvature*a > slope {
			step = slope / curvature
		}
		if gain := step * (slope - 0.5*step*curvature); gain > most {
			most, j, t = gain, k, step
		}
	}
	return j, t
}
