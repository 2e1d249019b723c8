package qp

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// face is what newton knows about the columns of positive α. It outlasts a call, because the next working set has
// mostly the same ones.
type face struct {
	base int       // the column that gives what the others take
	free []int     // the other columns with α > 0, in the order of the rows of M
	l    cholesky  // of M with its ridge
	r, p []float64 // right-hand side, and direction: as long as free
	hp   []float64 // H p
	in   []bool    // whether a column is the base or among free
}

// newton maximises D over the columns of positive α. With b one of them, the base, which gives what the others take, a
// step solves
//
//	M p = r,   M_ij = H_ij − H_ib − H_jb + H_bb,   r_i = ∇_i − ∇_b,   p_b = −Σ p,
//
// and moves along p to the maximum, or to where the first α becomes 0; that column leaves, and the next step follows.
// M is singular whenever columns repeat or depend on each other, so a ridge of the size of its rounding errors is
// added. p still ascends; it is long where M is flat, and there the line search takes it to where a column leaves.
// All steps but the last few remove one. Cost: Len·free per step, and free² per column that enters or leaves.
func (q *Simplex) newton(tol float64) (steps int) {
	f := &q.face
	q.collect()
	// The spread of ∇ on the face bounds its part of Gap(): an eighth leaves the rest of tol to the other columns.
	for refined := 0; len(f.free) > 0 && q.residual() > tol/8; {
		if refined == 3 {
			f.forget() // what is left may be the errors of L
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

// forget makes the next call of newton start afresh.
func (f *face) forget() {
	f.free = f.free[:0]
	f.l.n = 0
}

// collect makes the columns of positive α the free ones, and extends the factor of M to them. The base stays until it
// leaves; then there is another, the column of largest α, and another M.
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
	// The least come last: they are the ones that are likely to leave, and a last row leaves without work.
	slices.SortFunc(f.free[old:], func(k, l int) int {
		return cmp.Or(cmp.Compare(q.alpha[l], q.alpha[k]), cmp.Compare(k, l))
	})
	f.r, f.p, f.hp = grow(f.r, len(f.free)), grow(f.p, len(f.free)), grow(f.hp, len(q.d))
	// The second part of the ridge allows steps of 1e9 C, far enough to leave the simplex; columns of zeros need it.
	flat := 1e-300 + 1e-9*q.residual()/q.c
	for _, k := range f.free[old:] {
		q.enter(k, flat)
	}
}

// residual fills r and returns its largest absolute value.
func (q *Simplex) residual() float64 {
	f := &q.face
	largest := 0.0
	for i, k := range f.free {
		f.r[i] = q.grad[k] - q.grad[f.base]
		largest = max(largest, math.Abs(f.r[i]))
	}
	return largest
}

// enter appends column k to L. Rounding moves the pivots by up to about free·ε (H_kk + H_bb): the ridge is a little
// more.
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

// climb moves along p, to the maximum if that is inside the face, and returns how far: 0 if p does not ascend.
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

// move adds to α_k, and clears what only rounding leaves.
func (q *Simplex) move(k int, by float64) {
	a := q.alpha[k] + by
	if a <= 1e-15*q.alpha[k] {
		a = 0
	}
	q.alpha[k] = a
}

// leave takes the columns whose α has become 0 out of M, and reports whether there were any. If the base is one of
// them, there is a new one.
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

// grow returns a slice of length n, s's memory where that suffices. Contents are undefined.
func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/2)
	}
	return s[:n]
}
