package nonlocal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// segmentsData returns sequences with one segment of label a and at most one of label b. The rows of numbers show the
// labels, with noise.
func segmentsData(seed uint64, n int) *datasets.Sequences {
	rng := rand.New(rand.NewPCG(seed, 2))
	s := &datasets.Sequences{X: datasets.Rows{Dim: 4}, Start: []int{0}, Labels: []string{"B-a", "I-a", "B-b", "O"}}
	for i := range n {
		labels := [][]int{{3, 0, 1, 3}, {0, 1, 3}, {0, 2, 3, 3, 3}, {2, 3, 0, 3}}[i%4]
		for _, y := range labels {
			for j := range 4 {
				x := 0.8 * rng.NormFloat64()
				if j == y {
					x++
				}
				s.X.Value = append(s.X.Value, x)
			}
			s.Y = append(s.Y, y)
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s
}

// segmentsBase returns the task of a chain, and weights that predict the label that a row shows.
func segmentsBase(t testing.TB) (base *models.Task, w []float64) {
	t.Helper()
	base, err := chain.Model{}.Build(segmentsData(1, 40), nil)
	if err != nil {
		t.Fatal(err)
	}
	w = make([]float64, base.Dim())
	for j := range 4 {
		w[j*4+j] = 2
	}
	return base, w
}

func softTask(t testing.TB, m SoftConstraints, validation datasets.Data) *models.Task {
	t.Helper()
	base, w := segmentsBase(t)
	task, err := m.Extend(base, w, segmentsData(2, 40), validation)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func softSettings() SoftConstraints { return *NewSoftConstraints() }

// TestSoftConstraintsWithoutPenaltiesAreTheBase checks that without penalties the labellings, values and metrics are
// exactly the same as for the base.
func TestSoftConstraintsWithoutPenaltiesAreTheBase(t *testing.T) {
	base, v := segmentsBase(t)
	data := segmentsData(3, 20)
	task := softTask(t, softSettings(), data)
	below, err := base.Examples(data)
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, task.Dim())
	for i := range below {
		e, f := &below[i], &task.Validation[i]
		theta, tilted := make([]float64, e.Features.Parts()), make([]float64, f.Features.Parts())
		e.Features.Score(theta, v)
		f.Features.Score(tilted, w)
		want, value := e.Max.Max(nil, theta)
		got, same := f.Max.Max(nil, tilted)
		if d := same - value; !got.Equal(want) || d > 1e-12 || d < -1e-12 {
			t.Fatalf("sequence %d: result = %v with value %v, want %v with value %v as for the base",
				i, got, same, want, value)
		}
	}
	base.Validation = below
	for name, want := range base.Evaluate(v, 1) {
		if got := task.Evaluate(w, 1)[name]; got != want {
			t.Errorf("%s = %v, want %v as for the base", name, got, want)
		}
	}
}

// TestSoftConstraintsViolations checks that a labelling contains the part of a constraint once for each violation of
// this constraint. This also applies to the truth of a training example. The truth of a validation example contains no
// such parts.
func TestSoftConstraintsViolations(t *testing.T) {
	m := softSettings()
	m.Templates, m.Occurs = "at-most-one at-least-one", 1
	task := softTask(t, m, segmentsData(3, 4))
	var names []string
	for _, c := range constraintsOf(task) {
		names = append(names, c.Text)
	}
	want := []string{"at most one a", "at least one a", "at most one b"}
	if !slices.Equal(names, want) {
		t.Fatalf("constraints = %q, want %q", names, want)
	}
	e := &task.Train[0] // the parts are 16 labels at 4 positions, 16 pairs of labels and 3 constraints
	for scores, want := range map[string]models.Vertex{
		"aaaa": {0, 4, 8, 12, 16, 16, 16, 32, 32, 32},
		"bbab": {2, 6, 8, 14, 18, 24, 26, 34, 34},
		"OOOO": {3, 7, 11, 15, 31, 31, 31, 33},
	} {
		theta := make([]float64, e.Features.Parts())
		// The scores of the positions differ. With equal scores, dual decomposition would find only labellings with all or
		// none of the segments.
		for i, c := range scores {
			theta[4*i+map[rune]int{'a': 0, 'b': 2, 'O': 3}[c]] = 6 + float64(i)
		}
		if got, _ := e.Max.Max(nil, theta); !got.Equal(want) {
			t.Errorf("%s: parts of the labelling = %v, want %v", scores, got, want)
		}
		held := task.Validation[0]
		if got, _ := held.Max.Max(nil, theta); !got.Equal(want[:7]) {
			t.Errorf("%s: parts of the prediction = %v, want %v", scores, got, want[:7])
		}
		for r := 32; r < 35; r++ {
			theta[r] = 100 // a positive weight must not reward violations
		}
		if got, value := e.Max.Max(nil, theta); !got.Equal(want) || value != 30 {
			t.Errorf("%s with positive weights: result = %v with value %v, want %v with value 30", scores, got, value, want)
		}
		for r := 32; r < 35; r++ {
			theta[r] = -20
		}
		if got, _ := e.Max.Max(nil, theta); len(got) != 7 {
			t.Errorf("%s with penalties of 20: the labelling %v violates a constraint", scores, got)
		}
	}
	for i := range task.Train {
		if l := len(task.Train[i].Truth); l%2 == 0 { // a chain of n positions has 2n − 1 parts
			t.Errorf("truth = %v, want no parts of constraints", task.Train[i].Truth)
		}
	}
}

// TestSoftConstraintsTruth checks that the truth of training data may violate constraints, and that labels that the
// base does not know are ignored.
func TestSoftConstraintsTruth(t *testing.T) {
	base, w := segmentsBase(t)
	m := softSettings()
	m.Templates, m.Occurs = "at-most-one", 1
	data := segmentsData(2, 4)
	copy(data.Y, []int{0, 0, 0, 2})
	below, err := base.Examples(data)
	if err != nil {
		t.Fatal(err)
	}
	base.Examples = func(datasets.Data) ([]models.Example, error) { return slices.Clone(below), nil }
	truth := func() models.Vertex {
		task, err := m.Extend(base, w, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return task.Train[0].Truth
	}
	if got, want := truth(), (models.Vertex{0, 4, 8, 14, 16, 16, 18, 32, 32}); !got.Equal(want) {
		t.Errorf("truth = %v, want %v", got, want)
	}
	below[0].Cost = slices.Clone(below[0].Cost)
	below[0].Cost[4] = 1 // as if the base did not know the true label at position 1
	if got, want := truth(), (models.Vertex{0, 4, 8, 14, 16, 16, 18, 32}); !got.Equal(want) {
		t.Errorf("truth with an unknown label = %v, want %v", got, want)
	}
}

// TestSoftConstraintsLearn checks that a perceptron learns penalties that improve the base's predictions on validation
// data.
func TestSoftConstraintsLearn(t *testing.T) {
	for _, cost := range []string{costNone, costLabels} {
		m := softSettings()
		m.Cost = cost
		task := softTask(t, m, segmentsData(5, 100))
		if len(task.Train[0].Cost) > 0 != (cost == costLabels) {
			t.Fatalf("cost %s: costs of the first training example = %v, want costs only for the setting cost: labels", cost,
				task.Train[0].Cost)
		}
		w := make([]float64, task.Dim())
		before := task.Evaluate(w, 1)
		p := examples.RiskOf(t, task, models.Hinge(), 1e-3)
		if !p.Inexact {
			t.Error("Inexact of the risk is false, want true, because the risk is not convex")
		}
		start := p.Primal(w)
		g := make([]float64, task.Dim())
		for range 50 {
			p.Gradient(g, w)
			for j := range w {
				w[j] -= 0.5 * g[j]
			}
		}
		after := task.Evaluate(w, 1)
		if end := p.Primal(w); !(end < start) {
			t.Errorf("cost %s: risk after learning = %v, want less than %v", cost, end, start)
		}
		for _, name := range []string{"validation_error", "validation_sequence_error"} {
			if !(after[name] < before[name]) {
				t.Errorf("cost %s: %s after learning = %v, want less than %v, the value of the base",
					cost, name, after[name], before[name])
			}
		}
		if after["validation_f1"] <= before["validation_f1"] {
			t.Errorf("cost %s: F1 = %v, want more than %v, the F1 of the base",
				cost, after["validation_f1"], before["validation_f1"])
		}
	}
}

// TestSoftConstraintsCertified checks that all predictions without penalties are certified, and that with penalties a
// prediction is certified if its value reaches the bound within the maximal number of calls.
func TestSoftConstraintsCertified(t *testing.T) {
	for calls, all := range map[int]bool{1: false, 500: true} {
		m := softSettings()
		m.Templates, m.Occurs, m.MaxCalls = "at-most-one at-least-one", 1, calls
		task := softTask(t, m, segmentsData(3, 40))
		w := make([]float64, task.Dim())
		if got := task.Evaluate(w, 1)["validation_certified"]; got != 1 {
			t.Errorf("%d calls: certified share without penalties = %v, want 1", calls, got)
		}
		for j := range w {
			w[j] = -3
		}
		met := 0.0
		for i := range task.Validation {
			e := &task.Validation[i]
			theta := make([]float64, e.Features.Parts())
			e.Features.Score(theta, w)
			o := e.Max.(*softMax)
			if value, bound := o.solve(new(softScratch), o.base, theta, o.l); bound-value <= 1e-9 {
				met++
			}
		}
		met /= float64(len(task.Validation))
		if got := task.Evaluate(w, 2)["validation_certified"]; got != met || all != (got > 0.9) || got == 0 {
			t.Errorf("%d calls: certified share = %v, want %v, and more than half with 500 calls", calls, got, met)
		}
	}
}
