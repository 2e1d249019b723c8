// Package multiclass implements linear classifiers of labelled rows. Model has one weight vector per class. Binary has
// one weight vector for two classes.
//
//	task, err := multiclass.New().Build(train, validation)
package multiclass

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Model is multinomial classification. The parts of an example are its k classes, a labelling is one class, and
//
//	θ_c = x · w_c,   w = (w_{jc}) stored feature by class: w[j·k + c],
//
// so the k weights of a feature are neighbours. The label loss is LossScale·[y ≠ y_i]. There is no bias, as in equation
// 29 of the paper eg.
//
// Score and AddAdjoint cost nnz(x)·k operations. The oracles cost k. Memory per example: 24 bytes besides the rows.
type Model struct {
	// label loss of a wrong class; 0 means 1
	LossScale float64 `yaml:"loss_scale" jsonschema:"exclusiveMinimum=0"`
}

// New returns the model with its default settings.
func New() *Model { return &Model{LossScale: 1} }

// Build implements models.Builder for labelled rows. The validation data may be nil. They must have the classes of the
// training data.
func (m Model) Build(train, validation datasets.Data) (*models.Task, error) {
	if m.LossScale == 0 {
		m.LossScale = 1
	}
	if !(m.LossScale > 0) || math.IsInf(m.LossScale, 1) {
		return nil, fmt.Errorf("model multiclass: loss_scale is %v: want a positive finite number", m.LossScale)
	}
	rows, held, err := classes.Rows("multiclass", train, validation)
	if err != nil {
		return nil, err
	}
	k := len(rows.Classes)
	if k < 2 {
		return nil, fmt.Errorf("model multiclass needs at least 2 classes; the training data have %d", k)
	}
	t := &models.Task{
		Model:      "multiclass",
		Unknowns:   models.Weights{Dim: rows.X.Dim * k},
		Classes:    rows.Classes,
		Train:      m.examples(rows, rows.X.Dim, k),
		Metrics:    []models.Metric{{Name: "validation_error", Of: models.ZeroOneLoss}},
		Vocabulary: classes.NewVocabulary(rows),
	}
	if held != nil {
		t.Validation = m.examples(held, rows.X.Dim, k)
	}
	var norm float64 // |ψ(x, y) − ψ(x, ȳ)|² = 2|x|² for two classes: x in the block of y, −x in the block of ȳ
	for i := range t.Train {
		of := t.Train[i].Features.(*features).norm
		if math.IsInf(of, 1) {
			return nil, tooLong("multiclass", i)
		}
		norm = max(norm, of)
	}
	t.Facts = map[string]float64{"radius_sq": 2 * norm}
	return t, nil
}

// tooLong returns the error for row i of the training data, counted from 0, whose squared norm overflows.
func tooLong(model string, i int) error {
	return fmt.Errorf("model %s: the sum of the squared features of training row %d overflows; "+
		"scale the features to values of about 1", model, i+1)
}

func (m Model) examples(d *datasets.Labelled, dim, k int) []models.Example {
	truths, costs := classes.Labels(k, m.LossScale)
	var every []int32 // the indices of all features, a list that all dense rows share
	if d.X.Index == nil {
		every = make([]int32, d.X.Dim)
		for j := range every {
			every[j] = int32(j)
		}
	}
	features := make([]features, d.X.N)
	examples := make([]models.Example, d.X.N)
	for i := range examples {
		f := &features[i]
		f.index, f.value = d.X.Row(i)
		if f.index == nil {
			f.index = every
		}
		f.k, f.dim, f.norm = k, dim*k, vec.NormSq(f.value)
		y := d.Y[i]
		examples[i] = classes.Example(f, truths[y], costs[y])
	}
	return examples
}
