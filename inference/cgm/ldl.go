package cgm

import (
	"errors"
	"slices"
)

// ldl is the factorisation K = L D Lᵀ of a sparse symmetric matrix after a permutation, L unit lower triangular and D
// diagonal: row by row, each a sparse triangular solve whose pattern is read off the elimination tree (Davis 2005,
// LDL). There are no pivots to choose, so K must be such that every order works: quasi-definite, that is H and C
// positive definite in K = [H, Aᵀ; A, −C] (Vanderbei 1995).
//
// K is given by entries of one triangle, any order, each place once.
type ldl struct {
	n         int
	position  []int32 // of variable i in the order
	start     []int   // n+1 offsets of the columns of the upper triangle of the permuted K
	row       []int32
	slot      []int // where entry q of K stands in value
	value     []float64
	parent    []int32 // of the elimination tree, −1 for roots
	lStart    []int   // n+1 offsets of the columns of L
	lRow      []int32
	lValue, d []float64
	filled    []int     // entries of each column of L so far
	work      []float64 // n zeros between rows
	pattern   []int32
	flag      []int32
	permuted  []float64
}

var errPivot = errors.New(
	"cgm: a pivot of the Newton system is zero or no number: the marginals are too small for its counts")

// newLDL finds the order and the pattern of L, for entries q at (rows[q], cols[q]).
func newLDL(n int, rows, cols []int32) *ldl {
	f := &ldl{n: n, position: make([]int32, n), start: make([]int, n+1), slot: make([]int, len(rows)),
		row:   make([]int32, len(rows)),
		value: make([]float64, len(rows)), parent: make([]int32, n), lStart: make([]int, n+1), d: make([]float64, n),
		filled: make([]int, n),
		work:   make([]float64, n), pattern: make([]int32, n), flag: make([]int32, n), permuted: make([]float64, n)}
	for at, i := range minimumDegree(n, rows, cols) {
		f.position[i] = int32(at)
	}
	column := func(q int) (i, j int32) {
		i, j = f.position[rows[q]], f.position[cols[q]]
		return min(i, j), max(i, j)
	}
	for q := range rows {
		_, j := column(q)
		f.start[j+1]++
	}
	for j := range n {
		f.start[j+1] += f.start[j]
	}
	at := slices.Clone(f.start)
	for q := range rows {
		i, j := column(q)
		f.slot[q], f.row[at[j]] = at[j], i
		at[j]++
	}
	f.symbolic()
	f.lRow, f.lValue = make([]int32, f.lStart[n]), make([]float64, f.lStart[n])
	return f
}

// symbolic finds the elimination tree, and counts the columns of L.
func (f *ldl) symbolic() {
	count := f.filled
	for k := range f.n {
		f.parent[k], f.flag[k] = none, int32(k)
		for _, i := range f.row[f.start[k]:f.start[k+1]] {
			for ; f.flag[i] != int32(k); i = f.parent[i] {
				if f.parent[i] == none {
					f.parent[i] = int32(k)
				}
				count[i]++
				f.flag[i] = int32(k)
			}
		}
	}
	for k := range f.n {
		f.lStart[k+1] = f.lStart[k] + count[k]
	}
}

// set writes entry q of K.
func (f *ldl) set(q int, v float64) { f.value[f.slot[q]] = v }

// factorise computes L and D.
func (f *ldl) factorise() error {
	clear(f.filled)
	for k := range f.n {
		top := f.reach(k)
		pivot := f.work[k]
		f.work[k] = 0
		for _, i := range f.pattern[top:] {
			y := f.work[i]
			f.work[i] = 0
			lo := f.lStart[i]
			hi := lo + f.filled[i]
			rows := f.lRow[lo:hi]
			values := f.lValue[lo:hi:hi][:len(rows)]
			for p, r := range rows {
				f.work[r] -= values[p] * y
			}
			l := y / f.d[i]
			pivot -= l * y
			f.lRow[hi], f.lValue[hi] = int32(k), l
			f.filled[i]++
		}
		if pivot == 0 || pivot != pivot {
			clear(f.work)
			return errPivot
		}
		f.d[k] = pivot
	}
	return nil
}

// reach scatters column k of K into work and lists the pattern of row k of L, in an order that respects the tree, at
// the end of pattern, from the returned index on.
func (f *ldl) reach(k int) int {
	top := f.n
	f.flag[k] = int32(k)
	for p := f.start[k]; p < f.start[k+1]; p++ {
		i := f.row[p]
		f.work[i] += f.value[p]
		length := 0
		for ; f.flag[i] != int32(k); i = f.parent[i] {
			f.pattern[length] = i
			length++
			f.flag[i] = int32(k)
		}
		for length > 0 {
			top--
			length--
			f.pattern[top] = f.pattern[length]
		}
	}
	return top
}

// solve overwrites b with K⁻¹b.
func (f *ldl) solve(b []float64) {
	x := f.permuted
	for i, at := range f.position {
		x[at] = b[i]
	}
	for j := range f.n {
		v := x[j]
		for p := f.lStart[j]; p < f.lStart[j+1]; p++ {
			x[f.lRow[p]] -= f.lValue[p] * v
		}
	}
	for j := f.n - 1; j >= 0; j-- {
		v := x[j] / f.d[j]
		for p := f.lStart[j]; p < f.lStart[j+1]; p++ {
			v -= f.lValue[p] * x[f.lRow[p]]
		}
		x[j] = v
	}
	for i, at := range f.position {
		b[i] = x[at]
	}
}
