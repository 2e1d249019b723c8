package trace_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestLeastTimes checks the columns of the least CPU times: each is its time of one call, times the number of examples
// and the passes. A run without passes, or of which they are not known, has none.
func TestLeastTimes(t *testing.T) {
	f := run(labels("eg", 10), row("passes", 0.5, "primal", 4), row("primal", 3), row("passes", 2, "primal", 2))
	f.Manifest.Least, f.Manifest.N = &trace.Least{Arithmetic: 2, Memory: 3}, 100
	c := trace.NewSet([]*trace.File{f}).Curves[0]
	nan := math.NaN()
	for name, want := range map[string][]float64{trace.ArithmeticCPUSeconds: {100, nan, 400},
		trace.MemoryCPUSeconds: {150, nan, 600}, trace.Passes: {0.5, nan, 2}} {
		if diff := cmp.Diff(want, c.Columns[name], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	f.Manifest.Least = nil
	g := run(labels("eg", 10), row("primal", 4))
	g.Manifest.Least = &trace.Least{Arithmetic: 2, Memory: 3}
	for _, c := range trace.NewSet([]*trace.File{f, g}).Curves {
		if c.Has(trace.ArithmeticCPUSeconds) || c.Has(trace.MemoryCPUSeconds) || c.Has(trace.DataCPUSeconds) ||
			c.Has(trace.PeakBytes) {
			t.Errorf("a curve has the columns %v, want none of unknown times", c.ColumnNames())
		}
	}
}

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

// TestProblemsApart checks which differences of two runs give them two optima: those of the data, their number, the
// model, the weights they start from, the loss and λ, but not those of the solver or of rounding. The settings with
// defaults (File.Spec) count in place of those in the manifest.
func TestProblemsApart(t *testing.T) {
	spec := func(model, from string) map[string]any {
		return map[string]any{"model": model, "from": from, "stop": from}
	}
	for name, c := range map[string]struct {
		change func(f *trace.File)
		apart  bool
	}{
		"nothing":            {func(f *trace.File) {}, false},
		"solver":             {func(f *trace.File) { f.Manifest.Labels["as"] = "other" }, false},
		"problem":            {func(f *trace.File) { f.Manifest.Labels["problem"] = "other" }, false},
		"examples":           {func(f *trace.File) { f.Manifest.N++ }, true},
		"data":               {func(f *trace.File) { f.Manifest.Data.Checksum = "other" }, true},
		"validation":         {func(f *trace.File) { f.Manifest.Validation++ }, false},
		"name of the model":  {func(f *trace.File) { f.Manifest.Labels["model"] = "other" }, true},
		"loss":               {func(f *trace.File) { f.Manifest.Labels["loss"] = "hinge" }, true},
		"lambda":             {func(f *trace.File) { f.Manifest.Labels["lambda"] = 0.0100001 }, true},
		"rounding of lambda": {func(f *trace.File) { f.Manifest.Labels["lambda"] = 0.01 * (1 + 1e-15) }, false},
		"model":              {func(f *trace.File) { f.Manifest.Spec = spec("n", "a") }, true},
		"weights":            {func(f *trace.File) { f.Manifest.Spec = spec("m", "b") }, true},
		"model with defaults": {func(f *trace.File) {
			f.Manifest.Spec, f.Spec = spec("old", "old"), spec("m", "a")
		}, false},
		"other defaults": {func(f *trace.File) { f.Spec = spec("n", "a") }, true},
	} {
		a := run(labels("eg", 10), row("passes", 1, "primal", 2, "dual", 1))
		b := run(labels("eg", 10), row("passes", 1, "primal", 4, "dual", 0.5))
		a.Manifest.Spec, b.Manifest.Spec = spec("m", "a"), spec("m", "a")
		c.change(b)
		set := trace.NewSet([]*trace.File{a, b})
		want := [2]float64{2, 1}
		if c.apart {
			want = [2]float64{4, 0.5}
		}
		if got := [2]float64{set.Curves[1].Final(trace.Opt), set.Curves[1].Final(trace.OptLow)}; got != want {
			t.Errorf("another %s: opt and opt_low %v, want %v", name, got, want)
		}
	}
}

// TestOptimumOfZero checks that relative distances from an optimum of 0 are missing, except that of 0, and that curves
// without a primal have no optimum.
func TestOptimumOfZero(t *testing.T) {
	c := trace.NewSet([]*trace.File{run(labels("eg", 10), row("passes", 0, "primal", 1, "dual", -1), row("passes", 1,
		"primal", 0, "dual", -1), row("passes", 2, "primal", 0, "dual", 0))}).Curves[0]
	nan := math.NaN()
	for name, want := range map[string][]float64{trace.ExcessPercent: {nan, 0, 0}, trace.GapPercent: {nan, nan, 0},
		trace.Opt: {0, 0, 0}, trace.OptLow: {0, 0, 0}} {
		if diff := cmp.Diff(want, c.Columns[name], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	negative := trace.NewSet([]*trace.File{run(labels("eg", 10), row("passes", 0, "primal", -1), row("passes", 1, "primal",
		-2, "dual", -4))}).Curves[0]
	for name, want := range map[string][]float64{trace.ExcessPercent: {50, 0}, trace.GapPercent: {nan, 100}} {
		if diff := cmp.Diff(want, negative.Columns[name], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s of a negative optimum: %s", name, diff)
		}
	}
	none := trace.NewSet([]*trace.File{run(labels("eg", 10), row("passes", 0, "dual", 1))})
	if c := none.Curves[0]; c.Has(trace.Opt) || c.Doubt != "" || len(none.Warnings) > 0 {
		t.Errorf("without a primal: %v, doubt %q, warnings %q; want none", c.ColumnNames(), c.Doubt, none.Warnings)
	}
}

// TestSameProblemByLabel checks each label that tells problems apart, and one that does not.
func TestSameProblemByLabel(t *testing.T) {
	for _, name := range []string{"dataset", "model", "loss", "C", "lambda", "fold", "seed"} {
		own := labels("eg", 10)
		own["dataset"], own["fold"], own["seed"] = "d", 1., 1.
		other := labels("eg", 10)
		other["dataset"], other["fold"], other["seed"] = "d", 1., 1.
		if other[name] = any("other"); name == "C" || name == "lambda" {
			other[name] = 7.5
		}
		set := trace.NewSet([]*trace.File{run(own, row("passes", 1, "primal", 2, "dual", 1))})
		first, second := trace.NewMissing(other, trace.Missing, ""), trace.NewMissing(own, trace.Damaged, "")
		want := second
		if name == "seed" {
			want = first
		}
		set.Missing = []*trace.Curve{first, second}
		if got := set.BoundLacking(set.Curves[0]); got != want {
			t.Errorf("another %s: the run %+v might have bounded the optimum, want %+v", name, got, want)
		}
	}
	f := run(labels("eg", 10), row("passes", 1, "primal", 2, "dual", 1))
	f.End.Status = trace.Failed
	set := trace.NewSet([]*trace.File{f})
	if got := set.BoundLacking(set.Curves[0]); got != nil {
		t.Errorf("a failed run lacks its own bound: %+v", got)
	}
}

// TestShareOfRepetitions checks that each repetition of a run counts as a planned run, and the stages of a path as one.
func TestShareOfRepetitions(t *testing.T) {
	set := trace.NewSet(append(repeated(1, 2, 3), run(labels("p", 1), row("stage", 0, "lambda", 1), row("stage", 1,
		"lambda", 2))))
	if got := set.Share(); got != "" {
		t.Errorf("share %q, want none if all runs have a result", got)
	}
	set.Missing = []*trace.Curve{trace.NewMissing(labels("a", 1), trace.Missing, ""),
		trace.NewMissing(labels("b", 1), trace.Damaged, "")}
	if got := set.Share(); got != "4 of 6 runs" || len(set.Lacking()) != 2 || set.Lacking()[0] != set.Missing[0] {
		t.Errorf("share %q with two missing runs, want 4 of 6", got)
	}
}

// TestReferences checks what a reference records, and that neither it nor a thinned copy changes its run. A thinned run
// that is thinned again keeps the number of its rows, and a reference of it has no digest.
func TestReferences(t *testing.T) {
	var rows []trace.Row
	for i := range 40 {
		rows = append(rows, row("passes", float64(i), "primal", 100-float64(i), "dual", float64(i)))
	}
	f := run(labels("eg", 1), rows...)
	before := trace.Exact(f.Rows)
	ref := f.Reference(10)
	m := ref.Manifest
	if len(ref.Rows) >= 40 || m.Thinned != 40 || m.Exact != before || len(m.Kept) != len(ref.Rows) ||
		ref.End.Rows != len(ref.Rows) {
		t.Errorf("a reference has %d rows, %+v, and the end %+v", len(ref.Rows), m.Thinning, ref.End)
	}
	for i, k := range m.Kept {
		if d := trace.DiffRow(ref.Rows[i], f.Rows[k]); d != "" {
			t.Errorf("row %d of the reference is not row %d of the run: %s", i, k, d)
		}
	}
	again := ref.Thin(4)
	second := f.Thin(10).Reference(4)
	if again.Manifest.Thinned != 40 || len(again.Rows) >= len(ref.Rows) || again.End.Rows != len(again.Rows) ||
		ref.End.Rows != len(ref.Rows) || second.Manifest.Exact != "" || second.Manifest.Kept != nil ||
		second.Manifest.Thinned != 40 {
		t.Errorf("thinned again: %+v and %+v; want 40 rows of the run, and no digest", again.Manifest.Thinning,
			second.Manifest.Thinning)
	}
	for _, n := range []int{40, 41} {
		if whole := f.Reference(n); len(whole.Rows) != 40 || whole.Manifest.Thinned != 0 || whole.Manifest.Kept != nil ||
			whole.Manifest.Exact != before {
			t.Errorf("a reference with all rows has %d rows, %+v", len(whole.Rows), whole.Manifest.Thinning)
		}
	}
	if f.Manifest.Thinned != 0 || f.Manifest.Exact != "" || f.End.Rows != 40 || len(f.Rows) != 40 ||
		trace.Exact(f.Rows) != before {
		t.Errorf("the run has become %+v, end %+v", f.Manifest.Thinning, f.End)
	}
	f.End = nil
	if open := f.Thin(10); open.End != nil || open.Manifest.Thinned != 40 {
		t.Errorf("a run without an end, thinned: %+v", open)
	}
}

// TestReadDirOrder checks that files of one position are in the order of their paths, that subfolders are read, but not
// those that begin with a dot, unless the folder itself does, and that all readable files come with the errors of all
// others.
func TestReadDirOrder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".runs")
	for i, name := range []string{"c/x", "a/y", "b/x", ".trials/x", "b/.trials/z", ".z", "a"} {
		m := manifest()
		m.Key, m.Order = name, 1
		if i == 2 {
			m.Order = 0
		}
		w, err := create(filepath.Join(dir, filepath.FromSlash(name)+".jsonl"), m)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(trace.End{Status: trace.Done}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a/bad.jsonl", "worse.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte("x\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := trace.ReadDir(dir)
	got := ""
	for _, f := range files {
		got += f.Manifest.Key + " "
	}
	if got != "b/x a a/y c/x " && got != "b/x a/y a c/x " {
		t.Errorf("files %q, want b/x first, and the others by path", got)
	}
	if says := fmt.Sprint(err); strings.Count(says, "not a line of a trace") != 2 ||
		!strings.Contains(says, "bad.jsonl:1") || !strings.Contains(says, "worse.jsonl:1") {
		t.Errorf("error %v, want both unreadable files", err)
	}
}

// TestAbbreviateBorders checks from which length, and for which labels, texts are shortened.
func TestAbbreviateBorders(t *testing.T) {
	text := func(n int, end string) string { return strings.Repeat("w", n-2-len(end)) + " " + end + "." }
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"x", text(30, "b"), text(30, "c"), true}, {"x", text(29, "b"), text(29, "c"), false},
		{"x", text(30, "b"), text(30, "b"), false}, {"as", text(40, "b"), text(40, "c"), false},
		{"problem", text(40, "b"), text(40, "c"), false}, {"dataset", text(40, "b"), text(40, "c"), false},
		{"model", text(40, "b"), text(40, "c"), false}, {"x", text(30, "b"), text(40, "c"), false},
		{"x", text(30, "b") + " w", "w c", true},
	} {
		s := (&trace.Set{Curves: []*trace.Curve{{Labels: map[string]any{c.name: c.a}}, {Labels: map[string]any{c.name: c.b,
			"y": 1.}}}}).Abbreviate()
		if got := len(s) > 0; got != c.want || got && (s[c.name][c.a] == "" || s[c.name][c.b] == "") {
			t.Errorf("%s %q and %q: short texts %q, want some: %v", c.name, c.a, c.b, s, c.want)
		}
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
