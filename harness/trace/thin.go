package trace

import (
	"math"
	"sort"
)

// Thin returns about n rows of a run, which give curves and derived columns that look the same. It keeps the first and
// the last row of each stage, and the rows with the smallest primal and the largest dual. Of the other rows it keeps a
// selection: half of it is spread evenly by index, and half by the logarithm of the passes. The rows remain in order
// and are not copied. If there are at most n rows, Thin returns all of them. The same rows always give the same
// selection.
func Thin(rows []Row, n int) []Row {
	if len(rows) <= n {
		return rows
	}
	var kept []Row
	for _, i := range thinned(rows, n) {
		kept = append(kept, rows[i])
	}
	return kept
}

// thinned returns the indices of the rows that Thin keeps if there are more than n rows.
func thinned(rows []Row, n int) []int {
	keep := make([]bool, len(rows))
	for start := 0; start < len(rows); {
		end := start + 1
		for end < len(rows) && rows[end].Values[Stage] == rows[start].Values[Stage] {
			end++
		}
		keepStage(keep[start:end], rows[start:end])
		start = end
	}
	keepEven(keep, n/2)
	keepLog(keep, rows, n-n/2)
	var kept []int
	for i := range rows {
		if keep[i] {
			kept = append(kept, i)
		}
	}
	return kept
}

// Thin returns a copy of the file with about n rows (see the function Thin). The manifest of the copy records the
// original number of rows.
func (f *File) Thin(n int) *File {
	thinned := *f
	thinned.Rows = Thin(f.Rows, n)
	if len(thinned.Rows) == len(f.Rows) {
		return &thinned
	}
	if f.Manifest.Thinned == 0 {
		thinned.Manifest.Thinned = len(f.Rows)
	}
	if f.End != nil {
		end := *f.End
		end.Rows = len(thinned.Rows)
		thinned.End = &end
	}
	return &thinned
}

// keepStage marks the rows of one stage (one value of C) that thinning must keep: the first, the last, the row with the
// smallest primal and the row with the largest dual. The last two determine the bounds opt and opt_low of the optimum.
func keepStage(keep []bool, rows []Row) {
	keep[0], keep[len(rows)-1] = true, true
	least, most := -1, -1
	for i, r := range rows {
		if v, ok := r.Values[Primal]; ok && (least < 0 || v < rows[least].Values[Primal]) {
			least = i
		}
		if v, ok := r.Values[Dual]; ok && (most < 0 || v > rows[most].Values[Dual]) {
			most = i
		}
	}
	for _, i := range []int{least, most} {
		if i >= 0 {
			keep[i] = true
		}
	}
}

func keepEven(keep []bool, n int) {
	for k := range n {
		keep[k*len(keep)/n] = true
	}
}

// keepLog computes n numbers of passes in geometric progression. For each number it marks the first row at or after it.
func keepLog(keep []bool, rows []Row, n int) {
	passes := func(i int) float64 { return rows[i].Values[Passes] }
	first := sort.Search(len(rows), func(i int) bool { return passes(i) > 0 })
	if first == len(rows) {
		return
	}
	low, high := math.Log(passes(first)), math.Log(passes(len(rows)-1))
	for k := range n {
		x := math.Exp(low + (high-low)*float64(k)/float64(n))
		if i := sort.Search(len(rows), func(i int) bool { return passes(i) >= x }); i < len(rows) {
			keep[i] = true
		}
	}
}
