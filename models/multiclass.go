package models

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
)

// Multiclass is multinomial classification: the parts of an example are its k classes, a labelling is one class, and
//
//	θ_c = x · w_c,   w = (w_{jc}) stored feature by class: w[j·k + c],
//
// so that a non-zero feature touches k neighbours. The label loss is 0/1. No bias is added (eg, eq. 29).
//
// Score and AddAdjoint cost nnz(x)·k; both oracles cost k. Per example 24 bytes beside the rows themselves.
type Multiclass struct{}

// Build makes the task of labelled rows. The validation data, which may be nil, must share the training classes.
func (Multiclass) Build(train, validation datasets.Data) (*Task, error) {
	rows, ok := train.(*datasets.Labelled)
	if !ok {
		return nil, fmt.Errorf("model multiclass needs labelled rows; the data set has %s", train.Kind())
	}
	k := len(rows.Classes)
	if k < 2 {
		return nil, fmt.Errorf("model multiclass needs at least 2 classes; the training data have %d", k)
	}
	t := &Task{
		Model:   "multiclass",
		Dim:     rows.X.Dim * k,
		Classes: rows.Classes,
		Train:   classExamples(rows, rows.X.Dim, k),
		Metrics: []Metric{{Name: "validation_error", Of: wrong}},
	}
	if validation != nil {
		held, ok := validation.(*datasets.Labelled)
		if !ok {
			return nil, fmt.Errorf("model multiclass needs labelled rows; the validation data have %s", validation.Kind())
		}
		if held.X.Dim > rows.X.Dim || len(held.Classes) > k {
			return nil, fmt.Errorf("the validation data have %d features and %d classes; the training data %d and %d",
				held.X.Dim, len(held.Classes), rows.X.Dim, k)
		}
		t.Validation = classExamples(held, rows.X.Dim, k)
	}
	return t, nil
}

// wrong is the 0/1 loss of a prediction.
func wrong(prediction Vertex, e *Example) (num, den float64) {
	if prediction.Equal(e.Truth) {
		return 0, 1
	}
	return 1, 1
}

func classExamples(d *datasets.Labelled, dim, k int) []Example {
	truths, costs := make([]Vertex, k), make([][]float64, k)
	for c := range k {
		truths[c] = Vertex{c}
		costs[c] = make([]float64, k)
		for r := range k {
			if r != c {
				costs[c][r] = 1
			}
		}
	}
	every := make([]int32, d.X.Dim) // the index of dense rows
	for j := range every {
		every[j] = int32(j)
	}
	features := make([]classFeatures, d.X.N)
	examples := make([]Example, d.X.N)
	for i := range examples {
		f := &features[i]
		f.index, f.value = d.X.Row(i)
		if f.index == nil {
			f.index = every
		}
		f.k, f.dim, f.norm = k, dim*k, normSq(f.value)
		y := d.Y[i]
		examples[i] = Example{Features: f, Max: oneOf{}, Exp: oneOf{}, Slack: oneOf{}, Second: oneOf{}, Truth: truths[y], Cost: costs[y]}
	}
	return examples
}

// oneOf holds the oracles of a labelling that is exactly one of its parts.
type oneOf struct{}

func (oneOf) Max(dst Vertex, theta []float64) (Vertex, float64) {
	best := 0
	for r, s := range theta {
		if s > theta[best] {
			best = r
		}
	}
	return append(dst[:0], best), theta[best]
}

func (oneOf) LogSum(mu, theta []float64) float64 {
	if mu != nil && len(mu) != len(theta) {
		panic("models: len(mu) != len(theta)")
	}
	top := theta[0]
	for _, s := range theta[1:] {
		top = max(top, s)
	}
	var z float64
	if mu == nil {
		for _, s := range theta {
			z += math.Exp(s - top)
		}
		return top + math.Log(z)
	}
	for r, s := range theta {
		mu[r] = math.Exp(s - top)
		z += mu[r]
	}
	for r := range mu {
		mu[r] /= z
	}
	return top + math.Log(z)
}

func (oneOf) MaxSlack(dst Vertex, theta, cost []float64, truth Vertex) (Vertex, float64) {
	if len(cost) != len(theta) {
		panic("models: len(cost) != len(theta)")
	}
	gold := truth.Dot(theta)
	best, value := 0, math.Inf(-1)
	for r, s := range theta {
		if v := cost[r] * (1 + s - gold); v > value {
			best, value = r, v
		}
	}
	return append(dst[:0], best), value
}

func (oneOf) Second(dst Vertex, theta []float64, not Vertex) (Vertex, float64) {
	best, value := -1, math.Inf(-1)
	for r, s := range theta {
		if r != not[0] && (best < 0 || s > value) {
			best, value = r, s
		}
	}
	return append(dst[:0], best), value
}
