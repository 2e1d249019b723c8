package inputs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/inputs"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/models"
)

// warned is the model of package toy with a warning.
type warned struct {
	toy.Classifier `yaml:",inline"`
}

// Build implements models.Builder.
func (w *warned) Build(train, validation datasets.Data) (*models.Task, error) {
	task, err := w.Classifier.Build(train, validation)
	if err == nil {
		task.Warnings = []string{"of the model"}
	}
	return task, err
}

// counted is the data set of package toy with a warning. It counts how often it is loaded.
type counted struct {
	toy.Points `yaml:",inline"`
	loads      *int
}

// Load implements datasets.Loader.
func (c *counted) Load(ctx context.Context, s datasets.Source) (*datasets.Set, error) {
	*c.loads++
	set, err := c.Points.Load(ctx, s)
	if err == nil {
		set.Warnings = []string{"of the data"}
	}
	return set, err
}

// catalogue returns the catalogue of package toy with these two, and the number of loads so far.
func catalogue() (lang.Catalogue, *int) {
	cat, loads := toy.Catalogue(), new(int)
	cat.Sources = nil // without the cache of parsed data
	points := cat.Datasets[0].New
	cat.Datasets[0].New = func() any { return &counted{*points().(*toy.Points), loads} }
	cat.Models[0].New = func() any { return &warned{} }
	return cat, loads
}

// TestFolds checks the tasks and data sets of the runs of an experiment with folds: each row is held out in exactly one
// fold, the checksum names the fold, and tasks have the warnings of the model and of the data.
func TestFolds(t *testing.T) {
	const folds = 7
	s := toy.Spec(t, toy.AtC+"repeat: {folds: 7}\nsolvers: [{name: ascent}]\nstop: {passes: 1}\n")
	runs, err := s.Plan()
	if err != nil || len(runs) != folds {
		t.Fatalf("%d runs, %v, want %d", len(runs), err, folds)
	}
	cat, _ := catalogue()
	in := inputs.New(s, cat, datasets.Source{})
	whole := runs[0]
	whole.Fold, whole.Folds = 0, 0
	all, base, err := in.Task(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	held := make([]int, len(all.Train))
	for _, r := range runs {
		task, set, err := in.Task(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%s fold %d of %d", base.Checksum, r.Fold, folds); set.Checksum != want {
			t.Errorf("checksum of the fold %q, want %q", set.Checksum, want)
		}
		if want := []string{"of the model", "of the data"}; !slices.Equal(task.Warnings, want) {
			t.Errorf("warnings of the task %q, want %q", task.Warnings, want)
		}
		var seen []int
		for k, e := range slices.Concat(task.Validation, task.Train) {
			i := slices.IndexFunc(all.Train, func(o models.Example) bool { return o.Features == e.Features })
			seen = append(seen, i)
			if k < len(task.Validation) {
				held[i]++
			}
			if (i%folds == r.Fold-1) != (k < len(task.Validation)) {
				t.Errorf("fold %d: row %d is held out: %v, want only each seventh row, from row %d on", r.Fold, i,
					k < len(task.Validation), r.Fold-1)
			}
		}
		slices.Sort(seen)
		if len(slices.Compact(seen)) != len(all.Train) || len(seen) != len(all.Train) {
			t.Errorf("fold %d has the rows %v, want each of %d once", r.Fold, seen, len(all.Train))
		}
	}
	if slices.ContainsFunc(held, func(n int) bool { return n != 1 }) {
		t.Errorf("rows are held out %v times, want once each", held)
	}
}

// TestHold checks that a data set stays in memory as long as a run holds it, and that it is loaded again afterwards.
func TestHold(t *testing.T) {
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: {grid: [0.5, 0.25]}}]\nstop: {passes: 1}\n")
	runs, err := s.Plan()
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v, want 2", len(runs), err)
	}
	cat, loads := catalogue()
	in := inputs.New(s, cat, datasets.Source{})
	use := func(want int) *models.Task {
		t.Helper()
		var last *models.Task
		for _, r := range runs {
			task, _, err := in.Task(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if last != nil && task != last {
				t.Error("runs with the same data and model have two tasks, want one")
			}
			last = task
		}
		if *loads != want {
			t.Errorf("the data set was loaded %d times, want %d", *loads, want)
		}
		return last
	}
	in.Hold(runs[0])
	in.Hold(runs[1])
	first := use(1)
	in.Release(runs[0])
	if use(1) != first {
		t.Error("the task was built again although a run holds it")
	}
	in.Release(runs[1])
	if use(2) == first {
		t.Error("the task is still there although no run holds it")
	}
}

// TestWeightsOfTheBase checks a run that builds on the weights of another run: it needs these weights, and reports the
// reason why there are none.
func TestWeightsOfTheBase(t *testing.T) {
	s := toy.Spec(t, toy.AtC+`problems:
  base: {}
  upon: {from: base, model: {name: shifted, loss: log}}
solvers: [{name: ascent}]
stop: {passes: 1}
`)
	runs, err := s.Plan()
	if err != nil || len(runs) != 2 || runs[1].Base == nil {
		t.Fatalf("runs %v, %v, want two, the second upon the first", runs, err)
	}
	cat, _ := catalogue()
	reason := errors.New("it diverged")
	for _, c := range []struct {
		set  func(in *inputs.Inputs)
		want error
	}{
		{func(*inputs.Inputs) {}, inputs.ErrNoWeights},
		{func(in *inputs.Inputs) { in.SetWeights("another", []float64{1}, nil) }, inputs.ErrNoWeights},
		{func(in *inputs.Inputs) { in.SetWeights(origin.PlanKey(*runs[1].Base), nil, reason) }, reason},
		{func(in *inputs.Inputs) {
			in.SetWeights(origin.PlanKey(*runs[1].Base), make([]float64, 100), nil)
		}, nil},
	} {
		in := inputs.New(s, cat, datasets.Source{})
		c.set(in)
		_, set, err := in.Task(t.Context(), runs[1])
		if !errors.Is(err, c.want) {
			t.Errorf("error %v, want %v", err, c.want)
		}
		if err == nil {
			_, below, _ := in.Task(t.Context(), *runs[1].Base)
			if !strings.HasSuffix(set.Checksum, " upon "+below.Checksum) {
				t.Errorf("checksum %q, want one that names the base's, %q", set.Checksum, below.Checksum)
			}
		}
	}
}
