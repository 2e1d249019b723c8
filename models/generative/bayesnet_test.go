package generative_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/real"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

func TestBayesNetConformance(t *testing.T) {
	d := examples.Discrete(t, 40, 0)
	for _, structure := range []string{"naive", "tan"} {
		for _, nodes := range []int{2, 4, 7} {
			task := examples.Build(t, generative.BayesNet{Nodes: nodes, Structure: structure, LossScale: 2, Eta: 1}, d, d)
			modeltest.Check(t, task, examples.Classes(3))
			if e := &task.Train[0]; e.LabelLoss(models.Vertex{(e.Truth[0] + 1) % 3}) != 2 {
				t.Errorf("costs = %v, want 2 for a wrong class", e.Cost)
			}
		}
	}
}

// allRows returns every possible row of four variables with two or three values. The class is the second variable.
func allRows() *datasets.Discrete {
	d := &datasets.Discrete{Class: 1}
	sizes := []int{2, 3, 2, 3}
	for v, n := range sizes {
		d.Variables = append(d.Variables,
			datasets.Variable{Name: string(rune('a' + v)), Values: strings.Split("xyz", "")[:n]})
	}
	for code := range 2 * 3 * 2 * 3 {
		for _, n := range sizes {
			d.Value = append(d.Value, uint8(code%n))
			code /= n
		}
	}
	return d
}

// TestBayesNetIsADistribution checks that the probabilities of all rows sum to 1, and that the counts of a row and a
// class are 1 for one entry of each table, and 0 for the other entries.
func TestBayesNetIsADistribution(t *testing.T) {
	d := allRows()
	for structure, want := range map[string][2]float64{"naive": {1 + 3*3, 3 + 3*2 + 3*2 + 3*3},
		"tan": {1 + 3 + 3*2 + 3*2, 0}} {
		task := examples.Build(t, generative.BayesNet{Nodes: 4, Structure: structure, LossScale: 1, Eta: 1}, d, nil)
		if structure == "naive" && (task.Facts["vectors"] != want[0] || task.Facts["dim"] != want[1]) {
			t.Errorf("naive: vectors = %v, dim = %v, want %v", task.Facts["vectors"], task.Facts["dim"], want)
		}
		g := distributions(task)
		theta := examples.LogProbabilities(g, 3)
		scores := make([]float64, 3)
		var total float64
		for i := range task.Train {
			e := &task.Train[i]
			e.Features.Score(scores, theta)
			total += math.Exp(e.Truth.Dot(scores))
			for c := range 3 {
				counts := make([]float64, task.Dim())
				mu := make([]float64, 3)
				mu[c] = 1
				e.Features.AddAdjoint(counts, 1, mu)
				active := 0
				for v := range g.Vectors() {
					sum := 0.0
					for _, n := range counts[g.First[v]:g.First[v+1]] {
						sum += n
					}
					if sum != 0 && sum != 1 {
						t.Fatalf("%s: count of vector %d = %v, want 0 or 1", structure, v, sum)
					}
					active += int(sum)
				}
				if active != 4 || counts[c] != 1 {
					t.Fatalf("%s: counts of row %d with class %d = %v, want one 1 in each of 4 tables", structure, i, c, counts)
				}
			}
		}
		if math.Abs(total-1) > 1e-12 {
			t.Errorf("%s: sum of the probabilities = %v, want 1", structure, total)
		}
	}
}

// TestBayesNetMaximumLikelihood checks maximum likelihood on a network whose tables can represent any distribution: the
// probability of a row is its relative frequency.
func TestBayesNetMaximumLikelihood(t *testing.T) {
	d := examples.Discrete(t, 300, 0)
	task := examples.Build(t, generative.BayesNet{Nodes: 3, Structure: "tan", LossScale: 1, Eta: 1}, d, nil)
	theta := distributions(task).MaximumLikelihood(task.Train, 0)
	scores := make([]float64, 3)
	for i := range 20 { // a complete network of three variables, so P(c, x) is the relative frequency of the row
		e := &task.Train[i]
		e.Features.Score(scores, theta)
		same := 0
		mine := models.SparseOf(countsOf(e, task.Dim()))
		for j := range task.Train {
			other := models.SparseOf(countsOf(&task.Train[j], task.Dim()))
			if slices.Equal(mine.Index, other.Index) {
				same++
			}
		}
		if want := math.Log(float64(same) / 300); math.Abs(e.Truth.Dot(scores)-want) > 1e-9 {
			t.Errorf("log-probability of row %d = %v, want %v", i, e.Truth.Dot(scores), want)
		}
	}
}

// countsOf returns the counts of the true labelling of an example.
func countsOf(e *models.Example, dim int) []float64 {
	counts := make([]float64, dim)
	e.Features.(models.SparseMap).Add(counts, 1, e.Truth)
	return counts
}

// TestBayesNetErrors checks the errors of wrong settings and data.
func TestBayesNetErrors(t *testing.T) {
	good := generative.BayesNet{Nodes: 3, Structure: "tan", LossScale: 1, Eta: 0.1}
	change := func(f func(*generative.BayesNet)) generative.BayesNet {
		m := good
		f(&m)
		return m
	}
	spoilt := func(f func(*datasets.Discrete)) *datasets.Discrete {
		d := allRows()
		f(d)
		return d
	}
	for _, c := range []struct {
		m                 generative.BayesNet
		train, validation datasets.Data
		want              string
	}{
		{change(func(m *generative.BayesNet) { m.Nodes = 5 }), allRows(), nil, "nodes is 5: want 2 to 4"},
		{change(func(m *generative.BayesNet) { m.Nodes = 1 }), allRows(), nil, "nodes is 1: want a number of at least 2"},
		{change(func(m *generative.BayesNet) { m.Structure = "tree" }), allRows(), nil,
			`structure is "tree"; accepted: tan, naive`},
		{change(func(m *generative.BayesNet) { m.LossScale = 0 }), allRows(), nil, "loss_scale is 0: want a number above 0"},
		{change(func(m *generative.BayesNet) { m.Eta = -1 }), allRows(), nil, "eta is -1: want a number above 0"},
		{change(func(m *generative.BayesNet) { m.Prior = "none" }), allRows(), nil, `prior is "none"; accepted: uniform`},
		{good, examples.Rows(2, 2, 2, true), nil, "the training data have labelled rows"},
		{good, allRows(), examples.Rows(2, 2, 2, true), "the validation data have labelled rows"},
		{good, spoilt(func(d *datasets.Discrete) { d.Value[6] = 2 }), nil,
			"row 2 of the training data has the value 2 of c: want 0 to 1"},
		{good, spoilt(func(d *datasets.Discrete) { d.Value = d.Value[:5] }), nil,
			"the training data have 5 values: want one for each of the 4 variables"},
		{good, spoilt(func(d *datasets.Discrete) { d.Value = nil }), nil, "the training data have 0 values"},
		{good, spoilt(func(d *datasets.Discrete) { d.Class = 4 }), nil, "the index of the class is 4"},
		{good, allRows(), spoilt(func(d *datasets.Discrete) { d.Class = 0 }), "the validation data have other variables"},
	} {
		_, err := c.m.Build(c.train, c.validation)
		examples.Refused(t, fmt.Sprintf("%+v", c.m), err, c.want, "model bayes-net")
	}
}

// TestBayesNetSize checks that an example takes little memory, since tasks have tens of thousands of examples.
func TestBayesNetSize(t *testing.T) {
	d := examples.Discrete(t, 1000, 0)
	n := testing.AllocsPerRun(1, func() {
		examples.Build(t, generative.BayesNet{Nodes: 7, Structure: "naive", LossScale: 1, Eta: 1}, d, nil)
	})
	if size := unsafe.Sizeof(models.Example{}); n > 300 || size > 192 {
		t.Errorf("allocations of 1000 examples = %v, want at most 300; bytes per example without features = %d, want at "+
			"most 192", n, size)
	}
}

// TestBayesNetConnect4 checks the sizes of networks for Connect-4, and the error of maximum likelihood on held-out
// positions, which is about a quarter.
func TestBayesNetConnect4(t *testing.T) {
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" || testing.Short() {
		t.Skip("the real data sets need GAPLAB_DATA, and a run without -short")
	}
	set, err := real.Connect4{Train: 30000, Validation: 37557, SplitSeed: 1}.Load(context.Background(),
		datasets.Source{Data: dir, Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		structure           string
		nodes               int
		vectors, dim, error float64
	}{{"naive", 13, 37, 111, 0.2834}, {"tan", 13, 103, 309, 0.2709}, {"naive", 43, 127, 381, 0.2746},
		{"tan", 43, 373, 1119, 0.2371}} {
		task := examples.Build(t, generative.BayesNet{Nodes: c.nodes, Structure: c.structure, LossScale: 1, Eta: 0.1},
			set.Train,
			set.Validation)
		theta := distributions(task).MaximumLikelihood(task.Train, 0.1)
		v := task.Evaluate(theta, 2)["validation_error"]
		if math.Abs(v-c.error) > 1e-4 || task.Facts["vectors"] != c.vectors || task.Facts["dim"] != c.dim {
			t.Errorf("%s, %d nodes: error = %.4f, facts = %v, want error %v, %v vectors and dim %v", c.structure, c.nodes, v,
				task.Facts, c.error,
				c.vectors, c.dim)
		}
	}
}

// distributions returns the unknowns of a task with log-probabilities.
func distributions(task *models.Task) *models.Distributions {
	return task.Unknowns.(*models.Distributions)
}
