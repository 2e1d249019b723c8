package summary_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestOf checks each number of the summary of a run without a path, of a run with a path, and of a run without rows. C
// and λ are the labels of the run; with a path, they are the values of its last row.
func TestOf(t *testing.T) {
	list := lang.Catalogue{Models: []lang.Entry{{Name: "chain", Metrics: []string{"none", "validation_error", "error"}},
		{Name: "other", Metrics: []string{"validation_f1"}}}}
	p := func(v float64) *float64 { return &v }
	row := func(more map[string]float64) trace.Row {
		values := map[string]float64{trace.Passes: 2, trace.Seconds: 3, trace.CPUSeconds: 4, trace.Primal: 5, trace.Dual: 6,
			trace.Gap: 7, trace.MaxCalls: 8, trace.ExpCalls: 9, trace.SumCalls: 10, "validation_error": 0.25, "error": 0.5,
			"validation_f1": 0.75, trace.C: 11, trace.Lambda: 12}
		for name, v := range more {
			values[name] = v
		}
		return trace.Row{Values: values, Warnings: []string{"a doubt", "another"}}
	}
	early := trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Primal: 99, trace.C: 98, trace.Stage: 0},
		Warnings: []string{"early"}}
	for name, c := range map[string]struct {
		rows      []trace.Row
		c, lambda *float64
	}{
		"no path": {[]trace.Row{early, row(nil)}, p(20), p(30)},
		"path":    {[]trace.Row{early, row(map[string]float64{trace.Stage: 1})}, p(11), p(12)},
		"no rows": {nil, p(20), p(30)},
	} {
		f := &trace.File{Path: "a.jsonl", Rows: c.rows, Warnings: []string{"cut"}, End: &trace.End{Status: trace.Done,
			Why: "enough", Weights: "w.gz", Labels: map[string]any{"chosen": false}}}
		f.Manifest = trace.Manifest{Experiment: "p/a", Key: "key", Scale: "smoke", Warnings: []string{"old"},
			Labels: map[string]any{"dataset": "letters", "model": "chain", "seed": 5., trace.C: 20., trace.Lambda: 30.},
			Spec: map[string]any{"solver": map[string]any{"name": "eg", "as": "eg 1",
				"params": map[string]any{"eta": 0.5}}}}
		chosen := false
		want := summary.Summary{Experiment: "p/a", Key: "key", Dataset: "letters", Model: "chain",
			Solver: map[string]any{"name": "eg", "as": "eg 1", "eta": 0.5}, C: c.c, Lambda: c.lambda, Seed: 5,
			Scale: "smoke", Status: trace.Done, Why: "enough", Metrics: map[string]float64{}, Trace: "a.jsonl",
			Weights: "w.gz", Chosen: &chosen, Warnings: []string{"old", "cut"}}
		if c.rows != nil {
			want.Passes, want.Seconds, want.CPUSeconds = p(2), p(3), p(4)
			want.Primal, want.Dual, want.Gap, want.MaxCalls, want.ExpCalls = p(5), p(6), p(7), 8, 19
			want.Metrics["validation_error"], want.Metrics["error"] = 0.25, 0.5
			want.Warnings = append(want.Warnings, "early", "a doubt", "another")
		}
		second, third := *f, *f
		second.Manifest.Key, third.Manifest.Key = "key 2", "key 3"
		got := summary.Of([]*trace.File{f, &second, &third}, list)
		for i, key := range []string{"key", "key 2", "key 3"} {
			if len(got) != 3 || got[i].Key != key {
				t.Fatalf("%s: summaries %+v of three runs, want one each in their order", name, got)
			}
		}
		got = got[:1]
		if diff := cmp.Diff([]summary.Summary{want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestOfIncompleteRuns checks the summary of a run that has neither labels nor settings nor an end, and of one that won
// a comparison.
func TestOfIncompleteRuns(t *testing.T) {
	won := &trace.File{End: &trace.End{Status: trace.Budget, Labels: map[string]any{"chosen": true}},
		Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 0, trace.SumCalls: 2}}}}
	got := summary.Of([]*trace.File{{}, won, {End: &trace.End{Status: trace.Done}}}, lang.Catalogue{})
	yes, zero := true, 0.0
	want := []summary.Summary{{Status: (&trace.File{}).Status()}, {Status: trace.Budget, Chosen: &yes, Passes: &zero,
		ExpCalls: 2}, {Status: trace.Done}}
	for i := range want {
		want[i].Metrics, want[i].Solver = map[string]float64{}, map[string]any{}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summaries differ (-want +got):\n%s", diff)
	}
}
