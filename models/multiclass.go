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
// so that a non-zero feature touches k neighbours. The label loss is LossScale·[y ≠ y_i], and 0/1 for Multiclass{}. No
// bias is added (eg, eq. 29).
//
// Score and AddAdjoint cost nnz(x)·k; both oracles cost k. Per example 24 bytes beside the rows themselves.
type Multiclass struct {
	// label loss of a wrong class; 1 if not given
	LossScale float64 `yaml:"loss_scale" jsonschema:"exclusiveMinimum=0"`
}

// MarshalYAML leaves out the label loss of 1. Results are kept under a hash of the settings, and those that were made
// before there was this setting stay valid.
func (m Multiclass) MarshalYAML() (any, error) {
	settings := map[string]any{}
	if m.LossScale != 0 && m.LossScale != 1 {
		settings["loss_scale"] = m.LossScale
	}
	return settings, nil
}

// Build makes the task of labelled rows. The validation data, which may be nil, must share the training classes.
func (m Multiclass) Build(train, validation datasets.Data) (*Task, error) {
	if m.LossScale == 0 {
		m.LossScale = 1
	}
	if !(m.LossScale > 0) || math.IsInf(m.LossScale, 1) {
		return nil, fmt.Errorf("model multiclass: loss_scale is %v: want a positive finite number", m.LossScale)
	}
	rows, held, err := labelledRows("multiclass", train, validation)
	if err != nil {
		return nil, err
	}
	k := len(rows.Classes)
	if k < 2 {
		return nil, fmt.Errorf("model multiclass needs at least 2 classes; the training data have %d", k)
	}
	t := &Task{
		Model:   "multiclass",
		Dim:     rows.X.Dim * k,
		Classes: rows.Classes,
		Train:   m.examples(rows, rows.X.Dim, k),
		Metrics: []Metric{{Name: "validation_error", Of: wrong}},
	}
	if held != nil {
		t.Validation = m.examples(held, rows.X.Dim, k)
	}
	var norm float64 // |ψ(x, y) − ψ(x, ȳ)|² = 2|x|²: x in the block of y, −x in that of ȳ
	for i := range t.Train {
		norm = max(norm, t.Train[i].Features.(*classFeatures).norm)
	}
	t.Facts = map[string]float64{"radius_sq": 2 * norm}
	return t, nil
}

// labelledRows checks that the data of a classifier are rows, those for validation, if any, with no other features or
// classes than the training rows.
func labelledRows(model string, train, validation datasets.Data) (rows, held *datasets.Labelled, err error) {
	rows, ok := train.(*datasets.Labelled)
	if !ok {
		return nil, nil, fmt.Errorf("model %s needs labelled rows; the data set has %s", model, train.Kind())
	}
	if validation == nil {
		return rows, nil, nil
	}
	held, ok = validation.(*datasets.Labelled)
	if !ok {
		return nil, nil, fmt.Errorf("model %s needs labelled rows; the validation data have %s", model, validation.Kind())
	}
	if held.X.Dim > rows.X.Dim || len(held.Classes) > len(rows.Classes) {
		return nil, nil, fmt.Errorf("the validation data have %d features and %d classes; the training data %d and %d",
			held.X.Dim, len(held.Classes), rows.X.Dim, len(rows.Classes))
	}
	return rows, held, nil
}

// wrong is the 0/1 loss of a prediction.
func wrong(prediction Vertex, e *Example) (num, den float64) {
	if prediction.Equal(e.Truth) {
		return 0, 1
	}
	return 1, 1
}

// classLabels are the labellings of k classes, and the costs of the parts where each is the truth.
func classLabels(k int, scale float64) (truths []Vertex, costs [][]float64) {
	truths, costs = make([]Vertex, k), make([][]float64, k)
	for c := range k {
		truths[c] = Vertex{c}
		costs[c] = make([]float64, k)
		for r := range k {
			if r != c {
				costs[c][r] = scale
			}
		}
	}
	return truths, costs
}

// classExample is an example whose labellings are the classes.
func classExample(f FeatureMap, truth Vertex, cost []float64) Example {
	return Example{Features: f, Max: oneOf{}, Exp: oneOf{}, Slack: oneOf{}, Second: oneOf{}, Polytope: oneOf{},
		Truth: truth, Cost: cost}
}

func (m Multiclass) examples(d *datasets.Labelled, dim, k int) []Example {
	truths, costs := classLabels(k, m.LossScale)
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
		examples[i] = classExample(f, truths[y], costs[y])
	}
	return examples
}

// oneOf holds the oracles of a labelling that is exactly one of its parts.
type oneOf struct{}

// Infeasibility is |Σ μ − 1|.
func (oneOf) Infeasibility(mu []float64) float64 {
	sum := -1.0
	for _, m := range mu {
		sum += m
	}
	return math.Abs(sum)
}

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
