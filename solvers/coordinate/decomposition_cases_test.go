package coordinate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
)

// twoClasses returns the training problem with the hinge for rows x with classes y, which are 0 or 1.
func twoClasses(t testing.TB, model models.Builder, x [][]float64, y []int, lambda float64) *models.Risk {
	t.Helper()
	rows := datasets.Rows{N: len(x), Dim: len(x[0]), Start: []int{0}, Index: []int32{}}
	for _, row := range x {
		for j, v := range row {
			if v != 0 {
				rows.Index, rows.Value = append(rows.Index, int32(j)), append(rows.Value, v)
			}
		}
		rows.Start = append(rows.Start, len(rows.Value))
	}
	task, err := model.Build(&datasets.Labelled{X: rows, Y: y, Classes: []string{"-1", "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(models.Hinge(), lambda).(*models.Risk)
}

// overlapping draws rows of two Gaussian classes. It sets about 30% of the values to 0.
func overlapping(seed uint64, n, dim int) (x [][]float64, y []int) {
	rng := rand.New(rand.NewPCG(seed, seed))
	for range n {
		row, class := make([]float64, dim), rng.IntN(2)
		for j := range row {
			if rng.Float64() < 0.7 {
				row[j] = rng.NormFloat64()
			}
		}
		row[0] += 2*float64(class) - 1
		x, y = append(x, row), append(y, class)
	}
	return x, y
}

type binaryCase struct {
	name    string
	problem *models.Risk
}

// binaryCases returns the test problems, which include degenerate ones.
func binaryCases(t testing.TB) []binaryCase {
	var out []binaryCase
	for _, m := range []struct {
		name  string
		model models.Builder
	}{{"multiclass", multiclass.Model{}}, {"binary", multiclass.Binary{LossScale: 100}}} {
		add := func(name string, x [][]float64, y []int, lambda float64) {
			out = append(out, binaryCase{fmt.Sprintf("%s, %s, λ = %g", m.name, name, lambda),
				twoClasses(t, m.model, x, y, lambda)})
		}
		x, y := overlapping(1, 60, 5)
		for _, lambda := range []float64{10, 0.1, 1e-3} {
			add("overlapping", x, y, lambda)
		}
		x, y = overlapping(2, 20, 40)
		add("separable", x, y, 0.01)
		x, y = overlapping(3, 10, 3)
		other := slices.Clone(y)
		other[0], other[4] = 1-other[0], 1-other[4]
		add("duplicates", slices.Concat(x, x, x), slices.Concat(y, other, y), 0.05)
		add("one class", x, make([]int, len(x)), 0.05)
		x, y = overlapping(4, 12, 3)
		x[3], x[7] = make([]float64, 3), make([]float64, 3)
		add("rows without features", x, y, 0.05)
		add("single", [][]float64{{1, -0.5}}, []int{1}, 0.3)
		x, y = overlapping(10, 30, 4)
		add("label losses differ", x, y, 0.01)
		last := &out[len(out)-1]
		last.problem = differentLosses(last.problem)
	}
	return out
}

// differentLosses returns a copy of a problem with two classes whose examples have different label losses, also 0. The
// largest belongs to an example in the middle.
func differentLosses(p *models.Risk) *models.Risk {
	k := 0
	return p.Map(func(e *models.Example) {
		e.Cost = make([]float64, 2)
		e.Cost[1-e.Truth[0]] = []float64{1, 0, 0.3, 2.5}[k%4]
		if k == len(p.Examples)/2 {
			e.Cost[1-e.Truth[0]] = 7
		}
		k++
	}).(*models.Risk)
}

// eachPair runs a subtest for each test problem and each value of the setting Pair (the rule for the second variable).
func eachPair(t *testing.T, check func(t *testing.T, p *models.Risk, s *Decomposition)) {
	t.Helper()
	for _, c := range binaryCases(t) {
		for _, pair := range []string{"violating", "second-order"} {
			t.Run(c.name+"/"+pair, func(t *testing.T) { check(t, c.problem, &Decomposition{Tol: 1e-3, Cache: 1, Pair: pair}) })
		}
	}
}

// soon reports whether the epoch of an iterate is at most 5000, which suffices for every test problem. If not, soon
// fails the test.
func soon(t *testing.T, it solvers.Iterate) bool {
	t.Helper()
	if it.Epoch < 5000 {
		return true
	}
	t.Errorf("the run has not ended after %d epochs", it.Epoch)
	return false
}
