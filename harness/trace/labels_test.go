package trace_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestLabelsOfCurves checks that numbers in labels of any type become float64, in the manifest, the end and a plan,
// that the labels of the end win, and that the stages of a path share all labels but their own.
func TestLabelsOfCurves(t *testing.T) {
	m := map[string]any{"as": "eg", "a": 1, "b": int64(2), "c": uint64(3), "d": float32(0.5), "e": 5.5, "f": true,
		"lambda": 1, "chosen": false}
	want := map[string]any{"as": "eg", "a": 1., "b": 2., "c": 3., "d": 0.5, "e": 5.5, "f": true, "lambda": 1.,
		"chosen": false}
	if c := trace.NewMissing(m, trace.Damaged, "why"); !reflect.DeepEqual(c.Labels, want) || c.Stage != -1 ||
		c.Len() != 0 || c.Why != "why" || c.Status != trace.Damaged || c.Reason() != "damaged (why)" {
		t.Errorf("a run without a trace is %+v, want the labels %v", c, want)
	}
	f := run(m, row("passes", 0, "stage", 0, "C", 4, "lambda", 2), row("passes", 1, "stage", 0, "C", 4, "lambda", 2),
		row("passes", 2, "stage", 2, "lambda", 1))
	f.End = &trace.End{Status: trace.Budget, Why: "2 passes", Rule: "passes", PeakBytes: 9,
		Labels: map[string]any{"chosen": true, "a": 7, "k": 8}}
	f.Manifest.Warnings = []string{"first", "second"}
	f.Warnings = []string{"cut"}
	set := trace.NewSet([]*trace.File{f, f})
	want["chosen"], want["a"], want["k"], want["scale"] = true, 7., 8., "smoke"
	for i, c := range set.Curves {
		status, why, rule := trace.Done, "", ""
		want["stage"], want["C"], want["lambda"] = 0., 4., 2.
		if i%2 == 1 {
			status, why, rule = trace.Budget, "2 passes", "passes"
			want["stage"], want["lambda"] = 2., 1.
			delete(want, "C")
		}
		want["status"] = string(status)
		if !reflect.DeepEqual(c.Labels, want) || c.Status != status || c.Why != why || c.Rule != rule || c.File != f ||
			c.Stage != int(want["stage"].(float64)) || c.Len() != 2-i%2 || c.Has(trace.PeakBytes) != (i%2 == 1) {
			t.Errorf("stage %d is %+v, want the labels %v", i, c, want)
		}
	}
	const name = "eg/fig06 (as=eg): "
	if diff := cmp.Diff([]string{"cut", name + "first", name + "second", "cut", name + "first", name + "second"},
		set.Warnings); diff != "" {
		t.Errorf("warnings: %s", diff)
	}
	if m["a"] != 1 || len(set.Curves) != 4 {
		t.Errorf("the labels of the file are %v, with %d curves", m, len(set.Curves))
	}
}

// TestOlderThan checks the text about other revisions: each component that both have, sorted, with both numbers.
func TestOlderThan(t *testing.T) {
	m := trace.Manifest{Components: trace.Components{Revisions: map[string]int{"solver eg": 1, "model m": 4, "data d": 2,
		"gone": 1}}}
	for want, today := range map[string]map[string]int{
		"": {"solver eg": 1, "model m": 4, "data d": 2, "new": 5}, "model m 4, now 3; solver eg 1, now 2": {"solver eg": 2,
			"model m": 3, "data d": 2}, "data d 2, now 0": {"data d": 0},
	} {
		if got := m.OlderThan(today); got != want {
			t.Errorf("older than %v: %q, want %q", today, got, want)
		}
	}
	if got := (trace.Manifest{}).OlderThan(map[string]int{"solver eg": 2}); got != "" {
		t.Errorf("a run without revisions is older: %q", got)
	}
}
