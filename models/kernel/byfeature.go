package kernel

import (
	"github.com/gaplab/gaplab/datasets"
)

// byFeature holds sparse rows feature by feature. A feature of few rows is a list: those that have it, in increasing
// order, are row[start[f]:start[f+1]], and value has their values of it. One of many rows is whole[f], its value in
// each row.
type byFeature struct {
	start []int
	row   []int32
	value []float64
	whole [][]float64
}

// A feature that one row in so many has, or more, is held whole: adding its zeros takes less time than picking rows.
const wholeShare = 3

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
