package cgm

import (
	"errors"
	"slices"
)

// ldl is the factorisation K = L D Lᵀ of a sparse symmetric matrix after a permutation, where L is unit lower
// triangular and D is diagonal. L is computed row by row. Each row is the solution of a sparse triangular system. The
// elimination tree gives its pattern of non-zeros (Davis 2005, LDL). Pivots are not chosen, so K must be
// quasi-definite: K = [H, Aᵀ; A, −C] with H and C positive definite. Then every order of elimination works (Vanderbei
// 1995).
//
// K is given by its entries in one triangle, in any order. Each entry is given once, as (i, j) or (j, i).
type ldl struct {
	n         int
	position  []int32   // position of variable i in the order of elimination
	start     []int     // n+1 offsets of the columns of the upper triangle of the permuted K
	row       []int32   // row of each entry of the upper triangle
	slot      []int     // for entry q of K: the index of the entry in row and value
	value     []float64 // value of each entry of the upper triangle
	parent    []int32   // parent of each node in the elimination tree, −1 for roots
	lStart    []int     // n+1 offsets of the columns of L
	lRow      []int32
	lValue, d []float64
	filled    []int     // number of entries of each column of L so far
	work      []float64 // the row of K that factorise works on, dense; all 0 when factorise begins and ends
	pattern   []int32   // columns of the non-zeros of the current row of L
	flag      []int32   // for each column of L: the last row whose pattern contains the column
	permuted  []float64 // working memory of solve
}

var errPivot = errors.New(
	"cgm: a pivot of the Newton system is 0 or NaN: the marginal of a cell with a positive count is too small")

// newLDL finds the order of elimination and the pattern of L. Entry q of K is at (rows[q], cols[q]).
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

// symbolic computes the elimination tree and the number of entries in each column of L.
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

// set sets entry q of the matrix K to v.
func (f *ldl) set(q int, v float64) { f.value[f.slot[q]] = v }

// factorise computes the factors L and D of the matrix K. It returns errPivot if a pivot is 0 or NaN.
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

// reach copies column k of K into work. It writes the pattern of row k of L to the end of pattern, from the returned
// index on, in an order in which children in the tree come before their parents.
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

// solve overwrites b with K⁻¹b. It uses the factors that factorise has computed.
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
