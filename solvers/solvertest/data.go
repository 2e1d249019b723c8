package solvertest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// table is a small multiclass data set. It stores dense rows, from which the suite computes the reference optimum. If
// sparse is true, the models get the rows in sparse form.
type table struct {
	name   string
	x      [][]float64
	y      []int
	k      int
	sparse bool
}

// labelled returns the table as a data set.
func (d *table) labelled() *datasets.Labelled {
	out := &datasets.Labelled{X: datasets.Rows{N: len(d.x), Dim: len(d.x[0])}, Y: d.y}
	for c := range d.k {
		out.Classes = append(out.Classes, strconv.Itoa(c))
	}
	if !d.sparse {
		for _, row := range d.x {
			out.X.Value = append(out.X.Value, row...)
		}
		return out
	}
	out.X.Start, out.X.Index = []int{0}, []int32{}
	for _, row := range d.x {
		for j, v := range row {
			if v != 0 {
				out.X.Index = append(out.X.Index, int32(j))
				out.X.Value = append(out.X.Value, v)
			}
		}
		out.X.Start = append(out.X.Start, len(out.X.Value))
	}
	return out
}

// classes returns all labellings of each row. It builds them by definition, without code of the model: each feature
// belongs to a class and a column, and the loss of a wrong class is 1.
func (d *table) classes() [][]labelling {
	out := make([][]labelling, len(d.x))
	for i, x := range d.x {
		for c := range d.k {
			y := labelling{features: map[string]float64{}, loss: 1}
			for j, v := range x {
				y.features[fmt.Sprint(c, " ", j)] = v
			}
			if c == d.y[i] {
				y.loss = 0
				out[i] = slices.Insert(out[i], 0, y)
				continue
			}
			out[i] = append(out[i], y)
		}
	}
	return out
}

// tables returns the multiclass data sets of the suite. Two of them are degenerate: one has a single row, and one has a
// single class.
func tables() []*table {
	return []*table{denseTable(), sparseTable(), separableTable(), duplicateTable(), singleTable(), oneClassTable(),
		twoClassTable()}
}

// twoClassTable returns two classes that overlap, for solvers of two classes only. One row occurs with both labels.
func twoClassTable() *table {
	rng := rand.New(rand.NewPCG(5, 1))
	d := &table{name: "two classes", k: 2}
	for i := range 30 {
		y := i % 2
		row := testbed.Gaussian(rng, 5)
		row[0] += 1.2 * float64(2*y-1)
		d.x, d.y = append(d.x, row), append(d.y, y)
	}
	d.x, d.y = append(d.x, d.x[0], d.x[0]), append(d.y, d.y[0], 1-d.y[0])
	return d
}

// denseTable returns dense noisy rows of classes that cannot be separated without error.
func denseTable() *table {
	rng := rand.New(rand.NewPCG(1, 1))
	d := &table{name: "dense", k: 4}
	for i := range 40 {
		y := i % d.k
		row := testbed.Gaussian(rng, 6)
		row[y] += 1.5
		d.x, d.y = append(d.x, row), append(d.y, y)
	}
	return d
}

// sparseTable returns rows with few non-zeros. One row has no non-zeros. The number of rows is not a multiple of ten.
func sparseTable() *table {
	rng := rand.New(rand.NewPCG(2, 2))
	d := &table{name: "sparse", k: 5, sparse: true}
	for i := range 53 {
		y := rng.IntN(d.k)
		row := make([]float64, 10)
		for j := range row {
			if i != 7 && rng.Float64() < 0.3 {
				row[j] = rng.NormFloat64()
			}
		}
		if i != 7 && i%2 == 0 {
			row[y] = 2
		}
		d.x, d.y = append(d.x, row), append(d.y, y)
	}
	return d
}

// separableTable returns data that some w classifies without error. So the norm of the optimal w grows as λ decreases.
func separableTable() *table {
	rng := rand.New(rand.NewPCG(3, 3))
	d := &table{name: "separable", k: 3}
	for i := range 20 {
		y := i % d.k
		row := testbed.Gaussian(rng, 5)
		for j := range row {
			row[j] *= 0.1
		}
		row[y]++
		d.x, d.y = append(d.x, row), append(d.y, y)
	}
	return d
}

// duplicateTable returns a table in which every row occurs three times, once with another label.
func duplicateTable() *table {
	rng := rand.New(rand.NewPCG(4, 4))
	d := &table{name: "duplicates", k: 3}
	for range 8 {
		row, y := testbed.Gaussian(rng, 4), rng.IntN(d.k)
		d.x = append(d.x, row, row, row)
		d.y = append(d.y, y, y, (y+1)%d.k)
	}
	return d
}

// singleTable returns a table with one row.
func singleTable() *table {
	return &table{name: "single", k: 3, x: [][]float64{{1, -0.5, 0.25}}, y: []int{1}}
}

// oneClassTable returns rows of only one of the three classes.
func oneClassTable() *table {
	rng := rand.New(rand.NewPCG(5, 5))
	d := &table{name: "one class", k: 3}
	for range 20 {
		d.x, d.y = append(d.x, testbed.Gaussian(rng, 4)), append(d.y, 2)
	}
	return d
}
