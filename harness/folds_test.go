package harness

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestFolds: each validates on its own part of the training data and trains on the rest.
func TestFolds(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 30, gap: 1e-4}\nrepeat: {folds: 3}\n")
	r := runIn(t, dir, s, Workers(2))
	if len(r.Files) != 3 {
		t.Fatalf("%d runs of 3 folds", len(r.Files))
	}
	seen := map[string]bool{}
	for i, f := range r.Files {
		if f.Manifest.N != 40 || f.Manifest.Labels["fold"] != float64(i+1) {
			t.Errorf("fold %v trains on %d examples, want fold %d on 40 of 60", f.Manifest.Labels["fold"], f.Manifest.N, i+1)
		}
		seen[fmt.Sprint(lastRow(t, f)[trace.Primal])] = true
		if _, ok := lastRow(t, f)["validation_error"]; !ok {
			t.Error("no validation error")
		}
	}
	if len(seen) != 3 {
		t.Errorf("the folds end at %v: they are not three problems", seen)
	}
	if r.Set.Err != nil { // each fold is a problem of its own, with an optimum of its own
		t.Error(r.Set.Err)
	}
	var other journal
	runIn(t, dir, readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 30, gap: 1e-4}\nrepeat: {folds: 4}\n"),
		other.option())
	other.want(t, []string{"eg", "eg", "eg", "eg"}, nil)
	read, err := Read(s, Root(dir))
	if err != nil {
		t.Fatal(err)
	}
	sameRows(t, "three folds beside four", r.Files, read.Files)
	if _, err := Run(context.Background(),
		readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 1}\nrepeat: {folds: 61}\n"), Root(dir)); err == nil {
		t.Error("61 folds of 60 examples")
	}
}

// TestFoldsShareTheirData: ten folds do not hold ten copies.
func TestFoldsShareTheirData(t *testing.T) {
	s := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 1}\nrepeat: {folds: 3}\n")
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	tasks := schedule.NewTasks(s, newOptions(nil).Options)
	features := map[any]bool{}
	for _, r := range runs {
		task, _, err := tasks.Of(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range slices.Concat(task.Train, task.Validation) {
			features[e.Features] = true
		}
	}
	if len(features) != 60 {
		t.Errorf("%d rows are held for 60", len(features))
	}
}
