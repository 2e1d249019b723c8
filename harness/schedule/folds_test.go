package schedule_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/inputs"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestFolds checks that each fold is validated on its own share of the training data and trains on the rest. Results
// for three folds must not be reused for four folds. More folds than examples must be an error.
func TestFolds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 30, gap: 1e-4}\nrepeat: {folds: 3}\n")
	r := toy.Run(t, dir, s, toy.Workers(2))
	if len(r.Files) != 3 {
		t.Fatalf("%d runs, want 3, one per fold", len(r.Files))
	}
	seen := map[string]bool{}
	for i, f := range r.Files {
		if f.Manifest.N != 40 || f.Manifest.Labels["fold"] != float64(i+1) {
			t.Errorf("fold %v trains on %d examples, want fold %d on 40 of 60", f.Manifest.Labels["fold"], f.Manifest.N, i+1)
		}
		seen[fmt.Sprint(toy.Last(t, f)[trace.Primal])] = true
		if _, ok := toy.Last(t, f)["validation_error"]; !ok {
			t.Error("the last row has no validation_error")
		}
	}
	if len(seen) != 3 {
		t.Errorf("the final primals of the 3 folds are %v, want 3 different ones", seen)
	}
	if r.Set.Err != nil { // an error would mean that runs of different folds were compared with the same optimum
		t.Error(r.Set.Err)
	}
	var other toy.Journal
	toy.Run(t, dir, toy.Spec(t,
		toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 30, gap: 1e-4}\nrepeat: {folds: 4}\n"),
		other.Option())
	other.Want(t, []string{"ascent", "ascent", "ascent", "ascent"}, nil)
	toy.SameRows(t, "three folds beside four", r.Files, toy.Read(t, dir, s).Files)
	if err := toy.Do(context.Background(),
		toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 1}\nrepeat: {folds: 61}\n"),
		toy.Options(dir)); err == nil {
		t.Error("61 folds of 60 examples: no error, want one")
	}
}

// TestFoldsShareTheirData checks that all folds use the same copy of the examples in memory.
func TestFoldsShareTheirData(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 1}\nrepeat: {folds: 3}\n")
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	o := toy.Options(t.TempDir())
	in := inputs.New(s, o.Catalogue, o.Source)
	features := map[any]bool{}
	for _, r := range runs {
		task, _, err := in.Task(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range slices.Concat(task.Train, task.Validation) {
			features[e.Features] = true
		}
	}
	if len(features) != 60 {
		t.Errorf("3 folds have %d distinct feature maps, want 60, one per example", len(features))
	}
}
