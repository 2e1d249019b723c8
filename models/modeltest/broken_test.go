package modeltest_test

import (
	"errors"
	"math"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
)

// This file has models with one defect each, for TestBrokenLists.

// altered is a listed model whose tasks are changed after they are built.
type altered struct {
	models.Builder
	change func(*models.Task)
}

func (a *altered) Build(train, validation datasets.Data) (*models.Task, error) {
	task, err := a.Builder.Build(train, validation)
	if err == nil {
		a.change(task)
	}
	return task, err
}

// changed returns the entry of a model whose tasks are changed by the function change.
func changed(e models.Entry, change func(*models.Task)) models.Entry {
	sound := e.New
	e.New = func() models.Builder { return &altered{sound(), change} }
	return e
}

// kept is a classifier that can be restored, but whose tasks return the given vocabulary instead of the correct one.
type kept struct {
	*multiclass.Model
	vocabulary func() any
}

func (k *kept) Build(train, validation datasets.Data) (*models.Task, error) {
	task, err := k.Model.Build(train, validation)
	if err == nil {
		task.Vocabulary = k.vocabulary
	}
	return task, err
}

// keeping returns a list with one classifier, whose tasks have the given vocabulary.
func keeping(vocabulary func() any) []models.Entry {
	e := classifier()
	e.New = func() models.Builder { return &kept{multiclass.New(), vocabulary} }
	return []models.Entry{e}
}

// decoding returns a list with one classifier, whose decoder makes examples by the function example.
func decoding(example func(d datasets.Data, sound models.Decoder) (models.Example, error)) []models.Entry {
	e := classifier()
	e.New = func() models.Builder { return &restoring{multiclass.New(), example, nil} }
	return []models.Entry{e}
}

// writing returns a list with one classifier, whose decoder changes the rows that it writes by a function.
func writing(change func(*datasets.Labelled) datasets.Data) []models.Entry {
	e := classifier()
	e.New = func() models.Builder { return &restoring{multiclass.New(), nil, change} }
	return []models.Entry{e}
}

// restoring is a classifier whose decoder makes examples by the function example, or changes its output by the function
// change.
type restoring struct {
	*multiclass.Model
	example func(d datasets.Data, sound models.Decoder) (models.Example, error)
	change  func(*datasets.Labelled) datasets.Data
}

func (r *restoring) Restore(vocabulary []byte) (models.Decoder, error) {
	d, err := r.Model.Restore(vocabulary)
	return &brokenDecoder{d, r}, err
}

type brokenDecoder struct {
	models.Decoder
	by *restoring
}

func (b *brokenDecoder) Example(d datasets.Data) (models.Example, error) {
	if b.by.example == nil {
		return b.Decoder.Example(d)
	}
	return b.by.example(d, b.Decoder)
}

func (b *brokenDecoder) Output(d datasets.Data, e models.Example, y models.Vertex) datasets.Data {
	out := b.Decoder.Output(d, e, y)
	if b.by.change == nil {
		return out
	}
	return b.by.change(out.(*datasets.Labelled))
}

func each(change func(*models.Example)) func(*models.Task) {
	return func(t *models.Task) {
		t.Train = slices.Clone(t.Train)
		for i := range t.Train {
			change(&t.Train[i])
		}
	}
}

func entryOf(name string, losses, metrics []string, m func() models.Builder) models.Entry {
	return models.Entry{Name: name, Revision: 1, About: "to be broken", Losses: losses, Metrics: metrics, New: m}
}

var errorRate = []string{"validation_error"}

func classifier() models.Entry {
	return entryOf("multiclass", []string{"log", "hinge", "slack"}, errorRate,
		func() models.Builder { return multiclass.New() })
}

func sequence() models.Entry {
	return entryOf("chain", []string{"log", "hinge", "slack"},
		[]string{"validation_error", "validation_sequence_error", "validation_f1"},
		func() models.Builder { return chain.New() })
}

func parser() models.Entry {
	return entryOf("deptree", []string{"log", "hinge"},
		[]string{"validation_error", "validation_accuracy", "validation_accuracy_words"},
		func() models.Builder { return deptree.New() })
}

func network() models.Entry {
	e := entryOf("bayes-net", []string{"hinge", "slack"}, errorRate,
		func() models.Builder { return generative.NewBayesNet() })
	e.Free = true
	return e
}

func kernels() models.Entry {
	return entryOf("kernel", []string{"log"}, errorRate, func() models.Builder { return kernel.New() })
}

// lowRadius is a feature map whose bound RadiusSq is too small.
type lowRadius struct {
	models.SparseMap
	models.Gram
	sound any
}

func (f lowRadius) RadiusSq(truth models.Vertex) float64 {
	return f.sound.(models.Bounded).RadiusSq(truth) / 100
}

// stretched is a feature map that wrongly implements models.Isotropic.
type stretched struct {
	models.SparseMap
	models.Gram
}

func (f stretched) ScaleSq() float64 { return 1.5 }

// otherRow is a RowMap whose Row returns a wrong row.
type otherRow struct{ models.RowMap }

func (f otherRow) Row() (x models.Row, half float64, ok bool) {
	x, half, ok = f.RowMap.Row()
	x.Value = slices.Clone(x.Value)
	x.Value[len(x.Value)-1]++
	return x, half, ok
}

type lowMajorant struct {
	models.SparseMap
	sound models.Majorant
}

func (f lowMajorant) Majorise(theta []float64, truth models.Vertex) float64 {
	return f.sound.Majorise(theta, truth) / 100
}

// polytope returns the same infeasibility for all marginals.
type polytope float64

func (p polytope) Infeasibility([]float64) float64 { return float64(p) }

// bowl is the energy sign·Σ (μ_r − 1)². AddGradient multiplies the gradient by slope; the result is correct if slope is
// 1.
type bowl struct {
	sign, slope float64
}

func (e bowl) Value(mu []float64) (v float64) {
	if len(mu) == 0 {
		panic("bowl: no marginals")
	}
	for _, m := range mu {
		v += e.sign * (m - 1) * (m - 1)
	}
	return v
}

func (e bowl) AddGradient(g, mu []float64, c float64) {
	if len(mu) != len(g) {
		panic("bowl: lengths differ")
	}
	for r, m := range mu {
		g[r] += c * e.slope * e.sign * 2 * (m - 1)
	}
}

func (e bowl) Convex() bool { return true }

// weights returns a function that changes the Weights in Task.Unknowns.
func weights(change func(*models.Weights)) func(*models.Task) {
	return func(t *models.Task) {
		w := t.Unknowns.(models.Weights)
		change(&w)
		t.Unknowns = w
	}
}

func inexact(t *models.Task) { weights(func(w *models.Weights) { w.Inexact = true })(t) }

// stubborn is a model that accepts no data.
type stubborn struct{ prefix string }

func (m *stubborn) Build(train, _ datasets.Data) (*models.Task, error) {
	return nil, errors.New(m.prefix + train.Kind())
}

// overwriting is an energy whose AddGradient overwrites g instead of adding to it.
type overwriting struct{ bowl }

func (e overwriting) AddGradient(g, mu []float64, c float64) {
	clear(g)
	e.bowl.AddGradient(g, mu, c)
}

// flat implements models.Convex with constant terms.
type flat struct{}

func (flat) At(int, float64) (value, slope, curvature float64) { return 0, 0, 0 }
func (flat) Tail(int) float64                                  { return math.Inf(-1) }
