package qp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/solvers"
)

// Simplex maximises the dual of the working set of the 1-slack method (Joachims, Finley and Yu 2009, OP6 and OP7),
//
//	D(α) = d·α − ½ αᵀHα   over α ≥ 0, Σα ≤ C,   H_kl = g_k·g_l,
//
// with one column per constraint w·g_k ≥ d_k − ξ. Let ∇ = d − Hα. Then the slack of the primal problem with these
// constraints is ξ = max(0, max_k ∇_k), and the duality gap is C·Gap().
//
// Joachims, Finley and Yu write Σα = C. They count the constraint of the true labellings, with g = 0 and d = 0, as one
// of the columns. The arrays below also contain this zero constraint: index 0 is the zero constraint, and index k + 1
// is the caller's column k. So all methods work on the simplex Σα = C.
//
// Solve alternates exchanges between two columns (simplex_pair.go) with Newton's method on the columns of positive α
// (simplex_face.go). Both start from the present α, and neither decreases D by more than rounding errors. State: up to
// 2 Len² floats for H, and up to 2 Len² more for the Cholesky factor of Newton's method if all α are positive.
type Simplex struct {
	// Stop may be nil. Solve calls it often, and returns as soon as Stop returns true.
	Stop func() bool

	c     float64     // C, the bound on the sum of α
	h     [][]float64 // rows of the Gram matrix H, including the row of the zero constraint
	diag  []float64   // diagonal elements H_kk
	d     []float64   // the loss d_k of each constraint
	alpha []float64   // the present α, whose sum is C up to rounding
	grad  []float64   // ∇ = d − Hα, up to rounding
	moves int         // number of steps of LineSearch since grad was last recomputed
	face  face        // state of Newton's method
}

// NewSimplex returns a Simplex without columns, with the bound C = c on Σα. c must be positive and finite.
func NewSimplex(c float64) *Simplex {
	checkC(c)
	return &Simplex{c: c, h: [][]float64{{0}}, diag: []float64{0}, d: []float64{0}, alpha: []float64{c},
		grad: []float64{0}}
}

// Carry saves or loads the state that later calls depend on. The state includes the Cholesky factor of Newton's method,
// because each Solve updates the factor of the previous Solve.
func (q *Simplex) Carry(to *solvers.State) {
	f := &q.face
	to.Carry(&q.c, &q.h, &q.diag, &q.d, &q.alpha, &q.grad, &q.moves, &f.base, &f.free)
	to.Carry(&f.l.n, &f.l.stride, &f.l.l, &f.l.inverse)
	if to.Loading() { // allocate the working memory, which is not saved
		f.r, f.p = make([]float64, len(f.free)), make([]float64, len(f.free))
		if l := &f.l; l.n > l.stride || l.stride != len(l.inverse) || l.stride*l.stride != len(l.l) {
			panic(fmt.Sprintf("qp: a factor of order %d has %d×%d entries in the file", l.n, l.stride, l.stride))
		}
		f.l.cos, f.l.sin = make([]float64, f.l.stride), make([]float64, f.l.stride)
	}
}

func checkC(c float64) {
	if !(c > 0) || math.IsInf(c, 1) {
		panic(fmt.Sprintf("qp: C = %v: must be positive and finite", c))
	}
}

// Len returns the number of columns.
func (q *Simplex) Len() int { return len(q.d) - 1 }

// Add appends a column with α = 0. inner contains Len() + 1 numbers: the inner products of the new column with the
// present columns, in their order, and then with itself. Add copies these numbers.
func (q *Simplex) Add(inner []float64, d float64) {
	if len(inner) != len(q.d) {
		panic(fmt.Sprintf("qp: %d inner products for a new column: want %d, with the %d present columns and itself",
			len(inner), len(q.d), q.Len()))
	}
	n := q.Len()
	for l := range n {
		q.h[l+1] = append(q.h[l+1], inner[l])
	}
	q.h[0] = append(q.h[0], 0)
	q.h = append(q.h, append(make([]float64, 1, 2*len(q.d)+1), inner...))
	q.diag = append(q.diag, inner[n])
	q.d = append(q.d, d)
	q.grad = append(q.grad, d-floats.Dot(inner[:n], q.alpha[1:]))
	q.alpha = append(q.alpha, 0)
}

// Keep removes the columns for which keep returns false. It calls keep once for each column, in order. The order and
// the α of the remaining columns do not change. The α of the removed columns is added to the α of the zero constraint.
func (q *Simplex) Keep(keep func(k int) bool) {
	kept := []int{0}
	moved := false
	for k := 1; k < len(q.d); k++ {
		if keep(k - 1) {
			kept = append(kept, k)
			continue
		}
		moved = moved || q.alpha[k] != 0
		q.alpha[0] += q.alpha[k]
	}
	for to, k := range kept {
		row := q.h[k]
		for i, l := range kept {
			row[i] = row[l]
		}
		q.h[to] = row[:len(kept)]
		q.diag[to], q.d[to], q.alpha[to], q.grad[to] = q.diag[k], q.d[k], q.alpha[k], q.grad[k]
	}
	m := len(kept)
	if m < len(q.d) {
		q.face.forget() // the column numbers in face are no longer valid
	}
	clear(q.h[m:]) // so that the removed rows can be garbage-collected
	q.h, q.diag, q.d, q.alpha, q.grad = q.h[:m], q.diag[:m], q.d[:m], q.alpha[:m], q.grad[:m]
	if moved {
		q.refresh()
	}
}

// Alpha returns the present α, not a copy: the next call that changes α overwrites the slice.
func (q *Simplex) Alpha() []float64 { return q.alpha[1:] }

// SetC changes C, the bound on Σα, and scales α in proportion, so w is also scaled. The scaled α is a warm start for
// the problem with the new C.
func (q *Simplex) SetC(c float64) {
	checkC(c)
	floats.Scale(c/q.c, q.alpha)
	q.c = c
	q.refresh()
}

// Slack returns ξ, the largest violation d_k − w·g_k of a constraint at w = Σ α_k g_k. It returns 0 if no constraint is
// violated.
func (q *Simplex) Slack() float64 { return floats.Max(q.grad) }

// Gap returns ξ − α·∇/C = Σ_k α_k (ξ − ∇_k)/C, where ξ is the Slack, ∇ = d − Hα, and k includes the zero constraint.
// This is 1/C times the duality gap of the problem with the present columns, and 0 at the solution. Gap computes the
// sum over k, because no term of this sum is negative.
func (q *Simplex) Gap() float64 {
	xi := q.Slack()
	sum := 0.0
	for k, a := range q.alpha {
		sum += a * (xi - q.grad[k])
	}
	return sum / q.c
}

// Value returns the dual objective D(α), computed as ½ α·(d + ∇) with ∇ = d − Hα.
func (q *Simplex) Value() float64 {
	return (floats.Dot(q.alpha, q.d) + floats.Dot(q.alpha, q.grad)) / 2
}

// Bound returns a lower bound on the maximum of D, the dual objective. This bound is Value, or Value minus its rounding
// errors if these exceed a millionth of Value. If columns are long, α·Hα is a small difference of large numbers, and
// Value may be far above D(α).
func (q *Simplex) Bound() float64 {
	value := q.Value()
	if rounding := q.c * q.Resolution(); !(rounding <= 1e-6*math.Abs(value)) {
		return value - rounding
	}
	return value
}

// refresh corrects α so that Σα = C up to the last bits, and recomputes the gradient ∇ = d − Hα.
func (q *Simplex) refresh() {
	q.moves = 0
	q.alpha[floats.MaxIdx(q.alpha)] += q.c - floats.Sum(q.alpha)
	copy(q.grad, q.d)
	for k, a := range q.alpha {
		if a > 0 && k > 0 {
			floats.AddScaled(q.grad, -a, q.h[k])
		}
	}
}

// Resolution returns an estimate of the rounding errors in the gradient ∇ = d − Hα. A smaller violation or gap cannot
// be distinguished from 0. The estimate uses the Cauchy-Schwarz inequality, |H_kl| ≤ √(H_kk H_ll).
func (q *Simplex) Resolution() float64 {
	var norm, sum, d float64
	for k, a := range q.alpha {
		r := math.Sqrt(max(0, q.diag[k]))
		norm = max(norm, r)
		sum += a * r
		d = max(d, math.Abs(q.d[k]))
	}
	const epsilon = 0x1p-52
	return epsilon * (d + norm*sum)
}

// Solve maximises the dual objective D from the present α until Gap() ≤ tol, or until rounding errors prevent further
// progress. It returns the number of steps, which are exchanges between two columns and Newton steps. If H or d
// contains an infinite number or NaN, Solve returns at once.
func (q *Simplex) Solve(tol float64) (steps int) {
	// Solve ends after this number of rounds without a clearly smaller gap, if the gap is near rounding errors.
	const patience = 10
	best, idle := math.Inf(1), 0
	q.refresh()
	for range 100 + 4*len(q.d) {
		gap := q.Gap()
		if q.Stop != nil && q.Stop() || !(gap > tol) || math.IsInf(gap, 1) {
			break
		}
		if gap < 0.9*best {
			best, idle = gap, 0
		} else if idle++; idle >= patience && gap < 1e3*q.Resolution() {
			break
		}
		// Exchanges find the columns that have α > 0 at the solution. Exchanges suffice for a large tol; Newton's method is
		// needed for a small tol.
		steps += q.exchange(tol, len(q.d))
		if q.refresh(); q.Gap() > tol {
			steps += q.newton(tol)
			q.refresh()
		}
	}
	return steps
}

// LineSearch maximises D on the line from α to C e_k, the point where α_k is C and all other α are 0. It solves no
// quadratic programme (Joachims, Finley and Yu 2009, section 3.2):
//
//	α ← (1 − s/C) α + s e_k,   s = clip(slope/curvature, 0, C),
//
// where slope is the first derivative of D along e_k − α/C, and curvature is minus the second derivative. D increases
// by at least ½ min(C, slope/curvature) slope (lemma 2).
func (q *Simplex) LineSearch(k int) {
	if k < 0 || k >= q.Len() {
		panic(fmt.Sprintf("qp: line search towards column %d: want a column from 0 to %d", k, q.Len()-1))
	}
	k++
	// ag is α·∇, and aHa is αᵀHα. Hα is computed as d − ∇, because the gradient ∇ is stored (in grad) and Hα is not.
	var ag, aHa float64
	for l, a := range q.alpha {
		ag += a * q.grad[l]
		aHa += a * (q.d[l] - q.grad[l])
	}
	slope := q.grad[k] - ag/q.c
	if !(slope > 0) {
		return
	}
	s := q.c
	if curvature := q.diag[k] - (2*(q.d[k]-q.grad[k])-aHa/q.c)/q.c; curvature*s > slope {
		s = slope / curvature
	}
	keep := 1 - s/q.c
	floats.Scale(keep, q.alpha)
	q.alpha[k] += s
	for l, row := 0, q.h[k]; l < len(row); l++ {
		q.grad[l] = keep*q.grad[l] + (s/q.c)*q.d[l] - s*row[l]
	}
	if q.moves++; q.moves >= 64 {
		q.refresh()
	}
}
