package inputs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/inputs"
	"github.com/gaplab/gaplab/models"
)

const spec = `apiVersion: gaplab/v1
id: my/spec
title: Mine
dataset: {name: digits, train: 30, validation: 10, seed: {grid: [1, 2]}}
model: {name: multiclass, loss: hinge, loss_scale: {grid: [1, 5]}}
regularisation: {convention: lambda, lambda: [0.1, 1]}
repeat: {folds: 2}
solvers: [{name: bcfw}]
stop: {passes: 2}
`

// TestSharing checks which runs share a task: runs that agree in the settings of the data, in those of the model and in
// the fold. It also checks that each task has the settings of its run.
func TestSharing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(file, []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := harness.Find(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At(e.Scales()[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Plan()
	if err != nil || len(runs) != 16 {
		t.Fatalf("%d runs, %v, want 16", len(runs), err)
	}
	in := inputs.New(s, harness.Catalogue(), datasets.Source{})
	type shared struct {
		seed, scale any
		fold        int
	}
	tasks, keys := map[shared]*models.Task{}, map[*models.Task]shared{}
	for _, r := range runs {
		in.Hold(r)
		task, _, err := in.Task(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		settings := r.Resolved()
		key := shared{params(settings["dataset"])["seed"], params(settings["model"])["loss_scale"], r.Fold}
		if known, ok := tasks[key]; ok && known != task {
			t.Errorf("two runs with %+v have two tasks", key)
		}
		if other, ok := keys[task]; ok && other != key {
			t.Errorf("runs with %+v and with %+v share a task", other, key)
		}
		tasks[key], keys[task] = task, key
	}
	if len(tasks) != 8 {
		t.Errorf("%d tasks, want 8: %v", len(tasks), tasks)
	}
}

// params returns the parameters in a section of a run's settings.
func params(section any) map[string]any {
	p, _ := section.(map[string]any)["params"].(map[string]any)
	return p
}
