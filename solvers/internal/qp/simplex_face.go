package qp

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// face is the state of the method newton: the columns of positive α, and the Cholesky factor of the matrix M for these
// columns. The comment of newton defines M, r and p. Calls of newton reuse the state, because most columns of positive
// α stay the same from one working set to the next.
type face struct {
	base int       // the column whose α compensates the changes of the other α, so that Σα = C
	free []int     // the other columns with α > 0, in the order of the rows of M
	l    cholesky  // Cholesky factor L of M plus its ridge
	r, p []float64 // right-hand side and direction of a step, one component for each column in free
	hp   []float64 // H p: along p, the gradient ∇ changes by −H p
	in   []bool    // for each column of the problem: whether it is base or an element of free
}

// newton maximises the dual objective D over the columns of positive α (see Simplex for D, H and ∇). One of these
// columns is the base b, whose α compensates the changes of the other α. A step solves
//
//	M p = r,   M_ij = H_ij − H_ib − H_jb + H_bb,   r_i = ∇_i − ∇_b,   p_b = −Σ p,
//
// and moves α along p to the maximum, or to the point where the first component of α becomes 0. In the second case, the
// column of this component is removed from the face, and the next step follows. M is singular if columns are equal or
// linearly dependent, so newton adds a ridge (a multiple of the unit matrix) of the size of the rounding errors to M.
// With the ridge, p is still a direction of ascent. p is long in directions in which M is flat, and then the line
// search ends where a column is removed. All steps except the last few remove a column. Cost, with f free columns:
// Len·f per step, and f² for each column that is added or removed.
func (q *Simplex) newton(tol float64) (steps int) {
	f := &q.face
	q.collect()
	// Gap() has a share that the columns of positive α cause. The residual bounds this share. It must become at most
	// tol/8, so that the rest of tol remains for the other columns.
	for refined := 0; len(f.free) > 0 && q.residual() > tol/8; {
		if refined == 3 {
			f.forget() // the residual may remain because of rounding errors in the Cholesky factor
			break
		}
		copy(f.p, f.r)
		f.l.solve(f.p)
		t, inside := q.climb()
		if !(t > 0) {
			f.forget()
			break
		}
		steps++
		if inside {
			refined++
		} else if !q.leave() {
			break
		}
	}
	return steps
}

// forget removes all columns from the face. The next call of newton then computes the whole Cholesky factor again.
func (f *face) forget() {
	f.free = f.free[:0]
	f.l.n = 0
}

// collect adds all columns of positive α, except the base, to the free columns. For each added column, it extends the
// Cholesky factor of the matrix M (see newton). The base stays the same until its α becomes 0. Then the column of
// largest α becomes the base, and the whole factor is computed again.
func (q *Simplex) collect() {
	f := &q.face
	q.leave()
	if len(f.free) == 0 {
		f.base = floats.MaxIdx(q.alpha)
	}
	f.in = grow(f.in, len(q.d))
	clear(f.in)
	f.in[f.base] = true
	for _, k := range f.free {
		f.in[k] = true
	}
	old := len(f.free)
	for k, a := range q.alpha {
		if a > 0 && !f.in[k] {
			f.free = append(f.free, k)
		}
	}
	// Sort by decreasing α: columns of small α are likely to be removed, and removing the last column costs nothing.
	slices.SortFunc(f.free[old:], func(k, l int) int {
		return cmp.Or(cmp.Compare(q.alpha[l], q.alpha[k]), cmp.Compare(k, l))
	})
	f.r, f.p, f.hp = grow(f.r, len(f.free)), grow(f.p, len(f.free)), grow(f.hp, len(q.d))
	// flat is the second term of the ridge (see enter). Columns of zeros need this term. It allows steps of up to 1e9 C,
	// which are long enough to reach the boundary of the simplex.
	flat := 1e-300 + 1e-9*q.residual()/q.c
	for _, k := range f.free[old:] {
		q.enter(k, flat)
	}
}

// residual computes the right-hand side r of a Newton step, r_k = ∇_k − ∇_base for each free column k, and returns its
// largest absolute value.
func (q *Simplex) residual() float64 {
	f := &q.face
	largest := 0.0
	for i, k := range f.free {
		f.r[i] = q.grad[k] - q.grad[f.base]
		largest = max(largest, math.Abs(f.r[i]))
	}
	return largest
}

// enter appends column k to the matrix M of newton and to its Cholesky factor, with a ridge added to the diagonal
// element. For n free columns, rounding changes the pivots by up to about n·ε (H_kk + H_bb), where ε is the rounding
// unit and b is the base column of the face. The ridge is the sum of two terms: the first is slightly larger than this
// bound, and the second is the argument flat.
func (q *Simplex) enter(k int, flat float64) {
	f := &q.face
	hb, hk := q.h[f.base], q.h[k]
	shift := q.diag[f.base] - hb[k]
	row := f.l.next()
	for j, l := range f.free[:f.l.n] {
		row[j] = hk[l] - hb[l] + shift
	}
	ridge := 4e-15*float64(len(f.free)+8)*(q.diag[k]+q.diag[f.base]) + flat
	row[f.l.n] = q.diag[k] - hb[k] + shift + ridge
	f.l.append(ridge)
}

// climb moves α along the direction p of a Newton step. It returns the step length t, or 0 if p is not a direction of
// ascent. If all components of α stay positive up to the maximum along p, the step ends at the maximum and inside is
// true. Otherwise the step ends where the first component of α becomes 0.
func (q *Simplex) climb() (t float64, inside bool) {
	f := &q.face
	pb := -floats.Sum(f.p)
	clear(f.hp)
	floats.AddScaled(f.hp, pb, q.h[f.base])
	limit := math.Inf(1)
	if pb < 0 {
		limit = q.alpha[f.base] / -pb
	}
	for i, k := range f.free {
		floats.AddScaled(f.hp, f.p[i], q.h[k])
		if f.p[i] < 0 {
			limit = min(limit, q.alpha[k]/-f.p[i])
		}
	}
	slope, curvature := floats.Dot(f.r, f.p), pb*f.hp[f.base]
	for i, k := range f.free {
		curvature += f.p[i] * f.hp[k]
	}
	if t = limit; curvature*limit > slope {
		t, inside = slope/curvature, true
	}
	if !(slope > 0) || math.IsInf(t, 1) {
		return 0, true
	}
	floats.AddScaled(q.grad, -t, f.hp)
	q.move(f.base, t*pb)
	for i, k := range f.free {
		q.move(k, t*f.p[i])
	}
	return t, inside
}

// move adds `by` to α_k. It sets α_k to 0 if the sum is so small that it may be a rounding error.
func (q *Simplex) move(k int, by float64) {
	a := q.alpha[k] + by
	if a <= 1e-15*q.alpha[k] {
		a = 0
	}
	q.alpha[k] = a
}

// leave removes the columns whose α has become 0 from the free columns and from the matrix M of newton. If the α of the
// base has become 0, leave chooses a new base. leave reports whether it has removed any column.
func (q *Simplex) leave() bool {
	f := &q.face
	if len(f.free) > 0 && q.alpha[f.base] == 0 {
		f.forget()
		q.collect()
		return true
	}
	before := len(f.free)
	for i := before - 1; i >= 0; i-- {
		if q.alpha[f.free[i]] == 0 {
			f.l.remove(i)
			f.free = slices.Delete(f.free, i, i+1)
		}
	}
	f.r, f.p = f.r[:len(f.free)], f.p[:len(f.free)]
	return len(f.free) < before
}

// grow returns a slice of length n. It reuses the memory of s if that is large enough. The contents of the slice are
// arbitrary.
func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/2)
	}
	return s[:n]
}
