package kernel

import (
	"github.com/gaplab/gaplab/datasets"
)

// byFeature stores sparse rows by feature. For a rare feature f, the rows with a non-zero value are
// row[start[f]:start[f+1]], in increasing order, and value has the values. For a frequent feature f, whole[f] has the
// value in every row.
type byFeature struct {
	start []int
	row   []int32
	value []float64
	whole [][]float64
}

// wholeShare defines frequent features: at least 1/wholeShare of the rows have a non-zero value. Such a feature is
// stored with its zeros, since adding zeros takes less time than selecting rows.
const wholeShare = 3

// transpose stores sparse rows by feature.
func transpose(rows *datasets.Rows) *byFeature {
	t := &byFeature{start: make([]int, rows.Dim+1), whole: make([][]float64, rows.Dim)}
	count := make([]int, rows.Dim)
	for _, f := range rows.Index {
		count[f]++
	}
	for f, c := range count {
		if c*wholeShare >= rows.N {
			t.whole[f] = make([]float64, rows.N)
			c = 0
		}
		t.start[f+1] = t.start[f] + c
	}
	t.row, t.value = make([]int32, t.start[rows.Dim]), make([]float64, t.start[rows.Dim])
	next := append([]int(nil), t.start...)
	for i := range rows.N {
		index, value := rows.Row(i)
		for p, f := range index {
			if whole := t.whole[f]; whole != nil {
				whole[i] = value[p]
				continue
			}
			t.row[next[f]], t.value[next[f]] = int32(i), value[p]
			next[f]++
		}
	}
	return t
}
