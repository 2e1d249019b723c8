package kernel

import (
	"gonum.org/v1/gonum/floats"

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

// column writes k(x_i, x_j) for each training row i into dst, bit by bit what evaluate gives at x_i with the list of
// j alone. The rows must be sparse. Cost: the rows that have each feature of x_j, and the exponentials, which are
// taken together.
//
// DotRow adds the products of x_j's non-zeros in four sums, by their place. Here each non-zero is met in that order,
// and its products go to that sum of all rows that have the feature; the others' are 0, which changes no sum where they
// are added: none is −0.
func (e *expansion) column(dst []float64, s *working, j int) {
	n, t := len(e.every), e.features()
	if len(s.sums[0]) != n {
		for l := range s.sums {
			s.sums[l] = make([]float64, n)
		}
	}
	index, value := e.rows.Row(j)
	paired := len(value) &^ 3 // places in all four sums; the rest is in the first
	for p, f := range index {
		lane := p & 3
		if p >= paired {
			lane = 0
		}
		sum, x := s.sums[lane], value[p]
		if whole := t.whole[f]; whole != nil {
			floats.AddScaled(sum, x, whole)
			continue
		}
		row := t.row[t.start[f]:t.start[f+1]]
		other := t.value[t.start[f]:t.start[f+1]][:len(row)]
		for at, i := range row {
			sum[i] += x * other[at]
		}
	}
	dst = dst[:n]
	a, b, c, d := s.sums[0][:n], s.sums[1][:n], s.sums[2][:n], s.sums[3][:n]
	for i := range dst {
		dst[i] = (a[i] + b[i]) + (c[i] + d[i])
		a[i], b[i], c[i], d[i] = 0, 0, 0, 0
	}
	e.count.Add(int64(n))
	e.apply(dst, e.every, e.norm[j])
}
