package compare_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/compare"
	"github.com/gaplab/gaplab/harness/trace"
)

// run returns a run with a key, settings and rows. Its experiment is p/a at the scale smoke, and its data set is d.
func run(key string, spec map[string]any, rows ...map[string]float64) *trace.File {
	f := &trace.File{End: &trace.End{Status: trace.Done}}
	f.Manifest = trace.Manifest{Key: key, Experiment: "p/a", Scale: "smoke", Spec: spec,
		Labels: map[string]any{"as": "eg", trace.Lambda: 1.0}, Data: trace.DataManifest{Name: "d", Checksum: "0a"},
	}
	f.Manifest.Revisions = map[string]int{"solver eg": 1}
	for _, values := range rows {
		f.Rows = append(f.Rows, trace.Row{Values: values})
	}
	return f
}

// TestLines checks all lines of comparisons of two runs, in their order: the keys, the experiments if they differ, the
// settings, data and revisions that differ, how the runs ended, and the final values that both runs have, with a ratio
// if both are positive. It checks the comparison in both orders.
func TestLines(t *testing.T) {
	spec := func(name string, params map[string]any) map[string]any {
		return map[string]any{"C": 2.0, "solver": map[string]any{"name": name, "params": params}}
	}
	eg := spec("eg", map[string]any{"eta": 0.5, "order": "cyclic"})
	values := func(more map[string]float64) map[string]float64 {
		out := map[string]float64{trace.Passes: 4, trace.Epoch: 8}
		for name, v := range more {
			out[name] = v
		}
		return out
	}
	plain := run("A", eg, values(nil))
	other := run("B", eg, values(nil))
	other.Manifest.Experiment, other.Manifest.Revisions = "p/b", map[string]int{"solver eg": 2, "model chain": 3}
	other.Manifest.Data, other.End.Status = trace.DataManifest{Name: "e", Checksum: "0b"}, trace.Budget
	paper := run("B", eg, values(nil))
	paper.Manifest.Scale = "paper"
	path := func(key string) *trace.File {
		return run(key, eg, map[string]float64{trace.Passes: 1, trace.Stage: 0}, map[string]float64{trace.Passes: 2,
			trace.Stage: 1})
	}
	repetition := func(k, seconds float64) *trace.File {
		f := run("A", eg, values(map[string]float64{trace.Seconds: seconds}))
		f.Manifest.Labels[trace.Repetition] = k
		return f
	}
	over := func(v float64) *float64 { return &v }
	same := []compare.Line{{What: "run", A: "A", B: "B"}, {What: "status", A: "done", B: "done"}}
	passes := compare.Line{What: "final passes", A: "4", B: "4", Over: over(1)}
	epoch := compare.Line{What: "final epoch", A: "8", B: "8", Over: over(1)}
	for name, c := range map[string]struct {
		a, b *trace.File
		want []compare.Line
	}{
		"equal settings": {plain, run("B", eg, values(nil)), append(same[:2:2], passes, epoch)},
		"settings": {plain, run("B", spec("sgd", map[string]any{"eta": 0.25, "average": true}), values(nil)),
			[]compare.Line{same[0], {What: "solver.average", B: "true"}, {What: "solver.eta", A: "0.5", B: "0.25"},
				{What: "solver.name", A: "eg", B: "sgd"}, {What: "solver.order", A: "cyclic"}, same[1], passes, epoch}},
		"experiment, data and revisions": {plain, other, []compare.Line{same[0],
			{What: "experiment", A: "p/a, smoke", B: "p/b, smoke"}, {What: "data", A: "0a", B: "0b"},
			{What: "data set", A: "d", B: "e"}, {What: "revision of model chain", B: "3"},
			{What: "revision of solver eg", A: "1", B: "2"}, {What: "status", A: "done", B: "budget"}, passes, epoch}},
		"scale": {plain, paper, []compare.Line{same[0], {What: "experiment", A: "p/a, smoke", B: "p/a, paper"}, same[1],
			passes, epoch}},
		"columns of one run": {run("A", eg, values(map[string]float64{"one": 1})),
			run("B", eg, values(map[string]float64{"two": 2})), append(same[:2:2], passes, epoch)},
		"numbers that are not positive": {
			run("A", eg, values(map[string]float64{"a": 0, "b": -1, "c": 0, "d": -1, "e": 2})),
			run("B", eg, values(map[string]float64{"a": 1, "b": 1, "c": 0, "d": -2, "e": 1})),
			append(same[:2:2], passes, epoch, compare.Line{What: "final a", A: "0", B: "1"},
				compare.Line{What: "final b", A: "-1", B: "1"}, compare.Line{What: "final c", A: "0", B: "0"},
				compare.Line{What: "final d", A: "-1", B: "-2"}, compare.Line{What: "final e", A: "2", B: "1", Over: over(0.5)})},
		"columns about the problem": {
			run("A", eg, values(map[string]float64{trace.C: 1, trace.Lambda: 1, trace.Opt: 1, trace.OptLow: 1,
				trace.GapPercent: 1})),
			run("B", eg, values(map[string]float64{trace.C: 1, trace.Lambda: 1, trace.Opt: 1, trace.OptLow: 1,
				trace.GapPercent: 1})), append(same[:2:2], passes, epoch)},
		"no rows":            {plain, run("B", eg), same},
		"no rows in both":    {run("A", eg), run("B", eg), same},
		"paths":              {path("A"), path("B"), same},
		"a path and no path": {plain, path("B"), same},
		"a path and no rows": {path("A"), run("B", eg), same},
		"repetitions": {repetition(1, 2), repetition(2, 3), []compare.Line{{What: "run", A: "A", B: "A"}, same[1], passes,
			epoch, {What: "final seconds", A: "2", B: "3", Over: over(1.5)}}},
	} {
		if diff := cmp.Diff(c.want, compare.Runs(c.a, c.b)); diff != "" {
			t.Errorf("%s: lines differ (-want +got):\n%s", name, diff)
		}
		var back []compare.Line
		for _, line := range c.want {
			line.A, line.B = line.B, line.A
			if line.Over != nil {
				line.Over = over(1 / *line.Over)
			}
			back = append(back, line)
		}
		if diff := cmp.Diff(back, compare.Runs(c.b, c.a)); diff != "" {
			t.Errorf("%s, the second run first: lines differ (-want +got):\n%s", name, diff)
		}
	}
	want := "|  | A | B | B/A |\n| --- | ---: | ---: | ---: |\n| x | 3 | 1 | 0.3333 |\n| y | a |  |  |\n"
	var out bytes.Buffer
	if err := compare.Table([]compare.Line{{What: "x", A: "3", B: "1", Over: over(1.0 / 3)}, {What: "y", A: "a"}}).
		Markdown(&out); err != nil || out.String() != want {
		t.Errorf("table:\n%s%v, want\n%s", out.String(), err, want)
	}
}
