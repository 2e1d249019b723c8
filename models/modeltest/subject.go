package modeltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// subject is an example to check, with all its labellings.
type subject struct {
	*models.Example
	name  string // such as "train[0]"
	task  *models.Task
	all   []models.Vertex
	parts int
	low   []float64 // the smallest count of each part in a labelling
	high  []float64 // the largest count of each part in a labelling
	// offset contains the scores for w = 0 if the model adds fixed scores to the scores that depend on the weights. Such
	// models extend another model, or have no weights. It is nil for all other models, whose scores for w = 0 must be 0.
	offset []float64
	// scored is true if the feature map of the example has only Score, and no transpose. This is so for validation
	// examples if the weights are coefficients of kernel functions of the training examples.
	scored bool
	suite
}

func newSubject(list string, i int, e *models.Example, task *models.Task, all []models.Vertex, s suite) *subject {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b models.Vertex) int { return slices.Compare(a, b) })
	x := &subject{Example: e, name: fmt.Sprintf("%s[%d]", list, i), task: task, all: sorted, parts: e.Features.Parts(),
		scored: weightsOf(task).Norm != nil && list == "validation", suite: s}
	if fixed(task) {
		x.offset = make([]float64, x.parts)
		e.Features.Score(x.offset, make([]float64, task.Dim()))
	}
	return x
}

// fixed reports whether the scores of a task include fixed scores, which do not depend on the weights.
func fixed(task *models.Task) bool { return inference(task) || weightsOf(task).Inexact }

// weightsOf returns Task.Unknowns if they are weights, and the zero value otherwise.
func weightsOf(task *models.Task) models.Weights {
	w, _ := task.Unknowns.(models.Weights)
	return w
}

// inference reports whether the unknowns of a task are marginals.
func inference(task *models.Task) bool {
	_, ok := task.Unknowns.(models.Marginals)
	return ok
}

// rng returns a random number generator for one check. Each check uses a different stream.
func (x *subject) rng(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(x.seed, stream)) }

// scores draws part scores from a normal distribution.
func (x *subject) scores(rng *rand.Rand, scale float64) []float64 {
	return examples.Normals(rng, x.parts, scale)
}

// weights draws weights from the standard normal distribution.
func (x *subject) weights(rng *rand.Rand) []float64 { return examples.Normals(rng, x.task.Dim(), 1) }

// checkTask checks the fields of a task, and the values of its metrics for the truth.
func checkTask(t testing.TB, task *models.Task) {
	t.Helper()
	if task.Model == "" {
		t.Errorf("Task.Model is empty: want the model's name")
	}
	switch u := task.Unknowns.(type) {
	case nil:
		t.Errorf("Task.Unknowns is nil: want models.Weights, *models.Distributions or models.Marginals")
	case models.Weights:
		if u.Dim <= 0 {
			t.Errorf("Weights.Dim is %d: want the length of w, at least 1", u.Dim)
		}
		if u.Start != nil && len(u.Start) != u.Dim {
			t.Errorf("Weights.Start has %d components: want %d", len(u.Start), u.Dim)
		}
	}
	for i := range task.Train {
		if inference(task) && task.Train[i].Energy == nil {
			t.Errorf("train[%d] has no Energy: want one, as this is a task of inference", i)
		}
	}
	seen := map[string]bool{}
	for _, m := range task.Metrics {
		if m.Name == "" || seen[m.Name] {
			t.Errorf("metric name %q is empty or given twice", m.Name)
		}
		seen[m.Name] = true
		for i := range task.Validation {
			if m.Certified {
				if _, ok := task.Validation[i].Max.(models.Certifier); !ok || m.Of != nil {
					t.Errorf("metric %s is Certified: want a Certifier in validation[%d].Max, and no Of", m.Name, i)
				}
				continue
			}
			num, den := m.Of(task.Validation[i].Truth, &task.Validation[i])
			if !finite(num) || !finite(den) || den < 0 {
				t.Errorf("metric %s of the truth of validation[%d] is %v/%v: want finite numbers", m.Name, i, num, den)
			}
		}
	}
}

// sound checks what the other checks rely on: the number of parts, the labellings, the truth and the cost of the
// example.
func (x *subject) sound(t testing.TB) bool {
	t.Helper()
	ok := true
	fail := func(format string, args ...any) {
		t.Helper()
		ok = false
		t.Errorf(x.name+": "+format, args...)
	}
	if x.parts <= 0 {
		fail("Parts() is %d: want at least 1", x.parts)
	}
	if len(x.all) == 0 {
		fail("no labellings were given")
	}
	if x.Max == nil {
		fail("Max is nil: want a max-oracle")
	}
	for i, y := range x.all {
		if !slices.IsSorted(y) || len(y) > 0 && (y[0] < 0 || y[len(y)-1] >= x.parts) {
			fail("labelling %v: want non-decreasing parts in 0..%d", y, x.parts-1)
			return false
		}
		if i > 0 && y.Equal(x.all[i-1]) {
			fail("labelling %v was given twice", y)
		}
	}
	if unknown := inference(x.task) && x.Truth == nil; !unknown && !x.valid(x.Truth) {
		fail("Truth %v is not among the %d labellings", x.Truth, len(x.all))
		return false
	}
	switch {
	case x.ZeroOne < 0 || !finite(x.ZeroOne):
		fail("ZeroOne is %v: want 0 or a positive loss", x.ZeroOne)
	case x.ZeroOne > 0 && x.Cost != nil:
		fail("ZeroOne and Cost are both set: want one of them")
	case x.Cost != nil && len(x.Cost) > x.parts:
		fail("len(Cost) is %d: want at most Parts() = %d", len(x.Cost), x.parts)
	case x.Cost != nil:
		if c := score(x.Truth, x.Cost); c != 0 {
			fail("the cost of Truth is %v: want 0", c)
		}
		for _, y := range x.all {
			if c := score(y, x.Cost); !(c >= 0) || math.IsInf(c, 0) {
				fail("the cost of labelling %v is %v: want a finite loss of at least 0", y, c)
			}
		}
	}
	return ok
}

// valid reports whether y is one of the labellings. If the model extends a base, valid ignores the parts that the model
// adds after the parts of the base.
func (x *subject) valid(y models.Vertex) bool {
	n := models.BaseFeatures(x.Features).Parts()
	for len(y) > 0 && y[len(y)-1] >= n && y[len(y)-1] < x.parts {
		y = y[:len(y)-1]
	}
	_, found := slices.BinarySearchFunc(x.all, y, func(a, b models.Vertex) int { return slices.Compare(a, b) })
	return found
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// near reports whether got and want differ by at most tol·max(1, |want|). It returns false if one of them is NaN.
func near(got, want, tol float64) bool {
	return math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))
}

// unchanged reports an error if a call has changed an argument that it should only read.
func unchanged(t testing.TB, what string, got, want []float64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s changed its argument: want it unchanged", what)
	}
}

type suite struct {
	examples   int
	anyTies    bool
	countCosts bool
	seed       uint64
}
