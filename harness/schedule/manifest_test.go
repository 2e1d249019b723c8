package schedule_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestLabelsAgreeWithRows checks that a label of a run that has the name of a column agrees with this column in each
// row. Hence a run over a path of C has no label lambda, and its label C is the first C. The labels of a run with
// annealing are the values at its end. Every other run must have both labels.
func TestLabelsAgreeWithRows(t *testing.T) {
	t.Parallel()
	r := toy.Run(t, t.TempDir(), toy.Spec(t, toy.AtC+variety), toy.Workers(2))
	paths := 0
	for _, f := range r.Files {
		labels := f.Manifest.Labels
		if labels["as"] == "path" {
			paths++
			delete(labels, trace.C)
		} else if labels[trace.C] == nil || labels[trace.Lambda] == nil {
			t.Errorf("labels of %s = %v, want C and lambda among them", f.Describe(), labels)
		}
		for name, v := range labels {
			for i, row := range f.Rows {
				if got, ok := row.Values[name]; ok && labels["as"] != "annealed" && got != v {
					t.Errorf("%s has the label %s = %v, but its row %d has %v", f.Describe(), name, v, i+1, got)
					break
				}
			}
		}
		m := f.Manifest
		if labels["n"] != float64(toy.N) || m.N != toy.N || m.Validation != 40 || m.Dim != 18 {
			t.Errorf("size of %s = %+v with the label n = %v, want 60 and 40 examples", f.Describe(), m.Size, labels["n"])
		}
	}
	if paths != 2 {
		t.Errorf("%d runs over a path, want 2", paths)
	}
}

// TestManifestIsComplete checks that each field of a run's manifest and of its end is filled in, except those that
// cannot be known for this run, and that the fields that options or the plan determine have their values.
func TestManifestIsComplete(t *testing.T) {
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}, {as: b, name: ascent, rate: 0.25}]\n"+
		"stop: {passes: 2}\nrecord: {examples: [validation_error]}\nfigure: {x: seconds, y: primal}\n")
	r := toy.Run(t, t.TempDir(), s, toy.Weights(), toy.Workers(3), func(o *schedule.Options) {
		o.Command, o.Sitting = []string{"gaplab", "run"}, "today"
	})
	f := toy.Labelled(t, r, "as", "b")
	empty := map[string]bool{}
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.Type.Kind() == reflect.Struct {
				look(v.Field(i))
			} else if v.Field(i).IsZero() {
				empty[field.Name] = true
			}
		}
	}
	look(reflect.ValueOf(f.Manifest))
	look(reflect.ValueOf(*f.End))
	for _, name := range []string{"Files", "Outside", "Warnings", "Auto", "Thinned", "Kept", "Exact", "Because",
		"Commit", "Dirty", "Program", "Load", "CPU", "CPUSeconds", "DataCPUSeconds", "Least", "PeakBytes", "GC",
		"Resumed", "Reference", "Slowdown", "Remade", "Labels", "RecordSeconds", "Seconds"} {
		delete(empty, name)
	}
	if len(empty) > 0 {
		t.Errorf("empty fields of the manifest and the end: %v", slices.Sorted(maps.Keys(empty)))
	}
	m := f.Manifest
	if m.Experiment != "test/tiny" || m.Order != 1 || m.Scale != "own" || m.Key == m.Plan ||
		!slices.Equal(m.Command, []string{"gaplab", "run"}) || m.Sitting != "today" || m.Workers != 3 || !m.Alone ||
		!m.Data.Synthetic || m.Data.Name != "points" ||
		m.Plan != origin.PlanKey(mustPlan(t, s)[1]) {
		t.Errorf("manifest %+v, want the values of the plan and of the options", m)
	}
	if _, err := time.Parse(time.RFC3339, m.Start); err != nil {
		t.Error(err)
	}
	for i, run := range mustPlan(t, s) {
		now := r.Files[i].Manifest
		want := lang.Revisions(toy.Catalogue().Components(run))
		if !maps.Equal(now.Revisions, want) || !maps.Equal(now.Sources, origin.Sources(toy.Catalogue(), run)) ||
			!origin.Agree(now.Spec, run.Resolved()) {
			t.Errorf("run %d: revisions %v, sources %v; want those of its components", i, now.Revisions, now.Sources)
		}
		w, err := store.WeightsOf(r.Files[i])
		if err != nil || w.Experiment != now.Experiment || w.Key != now.Key || w.Model != "classifier" || w.Loss != "log" ||
			w.Kind == "" || w.Data.Name != "points" || w.Data.Format != "" || len(w.Data.Params) == 0 ||
			!maps.Equal(w.Revisions, want) || w.Dim != now.Dim {
			t.Errorf("run %d: weights file %+v, %v; want those of the run", i, w, err)
		}
	}
}

// mustPlan returns the runs of a spec.
func mustPlan(t *testing.T, s *lang.Spec) []lang.Run {
	t.Helper()
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return runs
}
