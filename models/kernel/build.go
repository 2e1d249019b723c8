package kernel

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Build implements models.Builder for labelled rows. In the exact form, it computes the kernel values in advance if
// they fit into Cache.
func (m Model) Build(train, validation datasets.Data) (*models.Task, error) {
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("model kernel: %w", err)
	}
	rows, held, err := classes.Rows("kernel", train, validation)
	if err != nil {
		return nil, err
	}
	switch k := len(rows.Classes); {
	case k < 2:
		return nil, fmt.Errorf("model kernel needs at least 2 classes; the training data have %d", k)
	case rows.X.N == 0:
		return nil, fmt.Errorf("model kernel needs at least 1 training example; the data set has none")
	case m.Basis > rows.X.N:
		return nil, fmt.Errorf("model kernel: basis is %d, but there are %d training examples: want at most this number",
			m.Basis,
			rows.X.N)
	}
	kernel, err := m.kernelOf(&rows.X)
	if err != nil {
		return nil, fmt.Errorf("model kernel: %w", err)
	}
	t := &models.Task{
		Model:   "kernel",
		Classes: rows.Classes,
		Metrics: []models.Metric{{Name: "validation_error", Of: models.ZeroOneLoss}},
	}
	if m.Basis == 0 {
		m.exact(t, kernel, rows, held)
		return t, nil
	}
	if err := m.lowRank(t, kernel, rows, held); err != nil {
		return nil, err
	}
	return t, nil
}

// exact adds the examples to the task of the exact form (see Model). The kernel values between validation and training
// rows are stored, too, if they fit into Cache.
func (m Model) exact(t *models.Task, f *function, rows, held *datasets.Labelled) {
	n := rows.X.N
	e := m.expand(f, n, len(rows.Classes))
	t.Vocabulary = keep(rows, e.every, nil)
	room := m.Cache << 20 / 8
	if room/n >= n {
		room -= n * n
		e.fill()
	}
	t.Unknowns = models.Weights{Dim: e.dim, Norm: e.multiply}
	t.Facts = map[string]float64{}
	if e.matrix != nil {
		t.Facts["kernel_evaluations"] = float64(f.KernelEvaluations())
	}
	t.Train = m.expanded(e, rows, true, e.matrix)
	for i := range t.Train { // |ψ(x, y) − ψ(x, ȳ)|² is the sum of k(x, x) + bias² for y and for ȳ
		t.Facts["radius_sq"] = max(t.Facts["radius_sq"], 2*t.Train[i].Features.(*exactFeatures).lengthSq())
	}
	if held == nil {
		return
	}
	var values []float64
	if e.matrix != nil && room/n >= held.X.N {
		values = e.values(&held.X, e.every)
	}
	t.Validation = m.expanded(e, held, false, values)
}

// lowRank adds the examples to the task of the low-rank form (see Model).
func (m Model) lowRank(t *models.Task, f *function, rows, held *datasets.Labelled) error {
	b := m.draw(f, rows)
	for y, class := range rows.Classes {
		if b.start[y] == b.start[y+1] {
			t.Warnings = append(t.Warnings,
				fmt.Sprintf("model kernel: no pair of class %s is in the basis, so its score is always 0: increase basis",
					class))
		}
	}
	phi := b.values(&rows.X, b.list)
	factors, largest, err := b.factors(rows, phi)
	if err != nil {
		return err
	}
	if largest > 1e-6 {
		t.Warnings = append(t.Warnings,
			fmt.Sprintf("model kernel: the pairs of the basis are nearly linearly dependent: %.0e times "+
				"the mean of the kernel matrix's diagonal was added to the diagonal", largest))
	}
	t.Facts = map[string]float64{"kernel_evaluations": float64(f.KernelEvaluations())}
	b.whiten(phi, factors)
	t.Unknowns, t.Train = models.Weights{Dim: m.Basis}, m.represented(b, rows, phi)
	t.Vocabulary = keep(rows, b.list, b.start)
	for i := range t.Train {
		t.Facts["radius_sq"] = max(t.Facts["radius_sq"], t.Train[i].Features.(*basisFeatures).radiusSq())
	}
	if held != nil {
		phi = b.values(&held.X, b.list)
		b.whiten(phi, factors)
		t.Validation = m.represented(b, held, phi)
	}
	return nil
}

// expanded returns the examples of the exact form. training means that d are the training rows, whose kernel functions
// are the basis. values has the kernel values of d with all training rows, row by row, or is nil.
func (m Model) expanded(e *expansion, d *datasets.Labelled, training bool, values []float64) []models.Example {
	truths, costs := classes.Labels(e.k, m.LossScale)
	features, n := make([]exactFeatures, d.X.N), len(e.every)
	examples := make([]models.Example, d.X.N)
	for i := range examples {
		f := &features[i]
		f.expansion, f.at = e, -1
		f.index, f.value = d.X.Row(i)
		f.norm = vec.DotRow(nil, f.value, f.value)
		f.self = e.self(f.norm)
		if training {
			f.at = i
		}
		if values != nil {
			f.row = values[i*n : (i+1)*n : (i+1)*n]
		}
		examples[i] = classes.Example(f, truths[d.Y[i]], costs[d.Y[i]])
	}
	return examples
}

// represented returns the examples of the low-rank form. phi has the vectors φ(x) of all rows.
func (m Model) represented(b *basis, d *datasets.Labelled, phi []float64) []models.Example {
	truths, costs := classes.Labels(len(b.start)-1, m.LossScale)
	features, size := make([]basisFeatures, d.X.N), len(b.list)
	examples := make([]models.Example, d.X.N)
	for i := range examples {
		features[i] = basisFeatures{b, phi[i*size : (i+1)*size : (i+1)*size]}
		examples[i] = classes.Example(&features[i], truths[d.Y[i]], costs[d.Y[i]])
	}
	return examples
}
