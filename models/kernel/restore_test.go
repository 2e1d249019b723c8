package kernel_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestRestoredKernels checks that a restored model gives rows the scores of the task's validation examples: for each
// kernel, with and without a bias, a stored matrix and a basis, of dense and sparse training rows.
func TestRestoredKernels(t *testing.T) {
	const k = 3
	for _, sparse := range []bool{false, true} {
		train, held := examples.Rows(20, 5, k, sparse), examples.Rows(12, 5, k, true)
		held.Classes = train.Classes
		for _, name := range []string{"linear", "rbf", "polynomial"} {
			for _, change := range []func(*kernel.Model){
				func(m *kernel.Model) { m.Cache = 1 }, func(m *kernel.Model) { m.Bias = 1.5 },
				func(m *kernel.Model) { m.Basis, m.BasisSeed, m.Gamma = 7, 3, 0 }, func(m *kernel.Model) { m.Degree = 3 },
			} {
				m := exactKernel(name, 0)
				change(m)
				task := examples.Build(t, m, train, held)
				d := examples.Restored(t, m, task)
				w := examples.Weights(5, task.Dim())
				a, b := make([]float64, k), make([]float64, k)
				for i := range task.Validation {
					e, err := d.Example(held.Pick([]int{i}))
					if err != nil {
						t.Fatal(err)
					}
					task.Validation[i].Features.Score(a, w)
					e.Features.Score(b, w)
					for c := range a {
						if math.Abs(a[c]-b[c]) > 1e-7*(1+math.Abs(a[c])) {
							t.Fatalf("%+v, row %d: scores %v, want %v", m, i, b, a)
						}
					}
				}
			}
		}
	}
}

// TestRestoredChainKernel checks that a restored chain gives sequences the scores and the predictions of the task's
// validation examples, by each rule of prediction.
func TestRestoredChainKernel(t *testing.T) {
	train, held := examples.Sequences(11, "sparse", 3, 4, 5, 3, 1), examples.Sequences(12, "sparse", 3, 4, 4, 1, 6)
	different := 0
	for _, name := range []string{"linear", "rbf", "polynomial"} {
		for _, edges := range []string{"tied", "untied"} {
			for _, decode := range []string{"viterbi", "marginal", "risk"} {
				m := chainKernel(name, edges, 1)
				m.Decode = decode
				task := examples.Build(t, m, train, held)
				if task.Posterior != (decode != "viterbi") {
					t.Errorf("decode %s: Posterior = %v", decode, task.Posterior)
				}
				d := examples.Restored(t, m, task)
				for seed := range uint64(6) {
					w := examples.Weights(seed, task.Dim())
					for i := range task.Validation {
						one := examples.SequenceAt(held, i)
						e, err := d.Example(one)
						if err != nil {
							t.Fatal(err)
						}
						want := &task.Validation[i]
						a, b := make([]float64, want.Features.Parts()), make([]float64, e.Features.Parts())
						want.Features.Score(a, w)
						e.Features.Score(b, w)
						for r := range a {
							if math.Abs(a[r]-b[r]) > 1e-10*(1+math.Abs(a[r])) {
								t.Fatalf("%+v, sequence %d: score %d = %v, want %v", m, i, r, b[r], a[r])
							}
						}
						x, _ := want.Predict(nil, a)
						y, _ := e.Predict(nil, b)
						if best, _ := want.Max.Max(nil, a); !best.Equal(x) {
							different++
						}
						if !x.Equal(y) {
							t.Fatalf("%+v, sequence %d: prediction %v, want %v", m, i, y, x)
						}
					}
				}
			}
		}
	}
	if different == 0 {
		t.Error("all predictions are the best labellings")
	}
}

// TestDegrees checks the polynomial kernel for each degree, and which settings are out of range.
func TestDegrees(t *testing.T) {
	d := &datasets.Labelled{X: datasets.Rows{N: 2, Dim: 2, Value: []float64{1, 0.5, -0.5, 1}}, Y: []int{0, 1},
		Classes: []string{"a", "b"}}
	for degree := 1; degree <= 32; degree++ {
		m := &kernel.Model{Kernel: "polynomial", Gamma: 0.5, Coef: 0.75, Degree: degree, LossScale: 1, Cache: degree % 2}
		task := examples.Build(t, m, d, nil)
		theta := make([]float64, 2)
		task.Train[0].Features.Score(theta, []float64{1, 0, 0, 1})
		want := [2]float64{math.Pow(0.5*1.25+0.75, float64(degree)), math.Pow(0.75, float64(degree))}
		for c, v := range want {
			if math.Abs(theta[c]-v) > 1e-12*v {
				t.Errorf("degree %d: kernel value = %v, want %v", degree, theta[c], v)
			}
		}
		x, k := task.Train[1].Features.(models.KernelMap).Input()
		if k != (models.Kernel{Name: "polynomial", Gamma: 0.5, Coef: 0.75, Degree: degree}) || len(x.Value) != 2 ||
			x.Value[0] != -0.5 || x.Index != nil {
			t.Errorf("degree %d: input %v of the kernel %+v", degree, x, k)
		}
	}
	for want, change := range map[string]func(*kernel.Model){
		"degree is 33":           func(m *kernel.Model) { m.Degree = 33 },
		"gamma is +Inf":          func(m *kernel.Model) { m.Gamma = math.Inf(1) },
		"gamma is NaN":           func(m *kernel.Model) { m.Gamma = math.NaN() },
		"coef is +Inf":           func(m *kernel.Model) { m.Coef = math.Inf(1) },
		"loss_scale is +Inf":     func(m *kernel.Model) { m.LossScale = math.Inf(1) },
		"bias is +Inf":           func(m *kernel.Model) { m.Bias = math.Inf(1) },
		"cache is 1000001: want": func(m *kernel.Model) { m.Cache = 1_000_001 },
	} {
		m := exactKernel("polynomial", 0)
		change(m)
		_, err := m.Build(d, nil)
		examples.Refused(t, want, err, want)
	}
}

// TestDamagedInputs checks which vocabularies a kernel refuses, and that it predicts with all others, also if all
// inputs are 0.
func TestDamagedInputs(t *testing.T) {
	const start = `{"features": 3, "classes": ["a", "b"], `
	exact, basis := exactKernel("rbf", 0), exactKernel("rbf", 0)
	basis.Basis = 2
	for _, c := range []struct {
		m          *kernel.Model
		text, want string
	}{
		{exact, `"start": [0, 3, 6], "value": [1, 2, 3, 4, 5, 6]}`, ""},
		{exact, `"start": [0, 2, 3], "index": [0, 2, 1], "value": [1, 2, 3]}`, ""},
		{exact, `"start": [0, 0, 3], "index": [0, 1, 2], "value": [1, 2, 3]}`, ""},
		{exact, `"start": [0, 0, 0], "value": []}`, ""},
		{exact, `"start": [0], "value": []}`, "offsets of the inputs"},
		{exact, `"start": [1, 3], "value": [1, 2, 3]}`, "offsets of the inputs"},
		{exact, `"start": [0, 3], "value": [1, 2, 3, 4]}`, "offsets of the inputs"},
		{exact, `"start": [0, 2], "index": [0], "value": [1, 2]}`, "more or fewer indices"},
		{exact, `"start": [0, 2, 6], "value": [1, 2, 3, 4, 5, 6]}`, "input 1 is not a row of 3 features"},
		{exact, `"start": [0, 3, 1, 3], "index": [0, 1, 2], "value": [1, 2, 3]}`, "input 2 is not a row"},
		{exact, `"start": [0, 2], "index": [1, 1], "value": [1, 2]}`, "input 1: feature 1 is out of order"},
		{exact, `"start": [0, 2], "index": [2, 0], "value": [1, 2]}`, "feature 0 is out of order"},
		{exact, `"start": [0, 1], "index": [3], "value": [1]}`, "feature 3 is out of"},
		{exact, `"start": [0, 1], "index": [-1], "value": [1]}`, "feature -1 is out of"},
		{basis, `"start": [0, 3, 6], "value": [1, 2, 3, 4, 5, 6], "basis": [0, 1, 2]}`, ""},
		{basis, `"start": [0, 3, 6], "value": [1, 2, 3, 4, 5, 6], "basis": [0, 0, 2]}`, ""},
		{basis, `"start": [0, 3], "value": [1, 2, 3], "basis": [0, 1, 1]}`, "has 1 training inputs in 2 classes: want 2"},
		{basis, `"start": [0, 3, 6], "value": [1, 2, 3, 4, 5, 6], "basis": [0, 2]}`, "in 1 classes"},
		{basis, `"start": [0, 3, 6], "value": [1, 2, 3, 4, 5, 6], "basis": [1, 1, 2]}`, "2 training inputs"},
		{basis, `"start": [0, 3, 6], "value": [1, 2, 3, 4, 5, 6], "basis": [0, 1, 1]}`, "2 training inputs"},
		{basis, `"start": [0, 3, 6], "value": [1, 2, 3, 4, 5, 6], "basis": [0, 3, 2]}`, "decrease"},
	} {
		d, err := c.m.Restore([]byte(start + c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("vocabulary %s: error %v, want %q", c.text, err, c.want)
		}
		if err != nil {
			continue
		}
		row := &datasets.Labelled{X: datasets.Rows{N: 1, Dim: 3, Value: []float64{1, 0, 2}}, Y: []int{0},
			Classes: []string{"a", "b"}}
		e, err := d.Example(row)
		if err != nil {
			t.Errorf("vocabulary %s: %v", c.text, err)
			continue
		}
		e.Features.Score(make([]float64, 2), examples.Weights(1, d.Dim()))
	}
}
