package trace_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

// run returns a finished run in memory.
func run(labels map[string]any, rows ...trace.Row) *trace.File {
	m := manifest()
	m.Labels = labels
	return &trace.File{Manifest: m, Rows: rows, End: &trace.End{Status: trace.Done, Rows: len(rows)}}
}

func labels(as string, c float64) map[string]any {
	return map[string]any{"as": as, "C": c, "lambda": c / 1000, "model": "multiclass", "loss": "log"}
}

// TestOptimumIsSharedByAProblem checks the columns opt, opt_low, gap_percent and excess_percent of runs with the same C
// and of a run with another C.
func TestOptimumIsSharedByAProblem(t *testing.T) {
	set := trace.NewSet([]*trace.File{
		run(labels("eg", 10), row("passes", 0, "primal", 4, "dual", 1), row("passes", 1, "primal", 2.5, "dual", 1.5)),
		run(labels("lbfgs", 10), row("passes", 0, "primal", 4), row("passes", 9, "primal", 2)),
		run(labels("eg", 1), row("passes", 0, "primal", 1, "dual", 1)),
	})
	if set.Err != nil {
		t.Fatal(set.Err)
	}
	eg, lbfgs, other := set.Curves[0], set.Curves[1], set.Curves[2]
	for _, check := range []struct {
		c      *trace.Curve
		column string
		want   []float64
	}{
		{eg, trace.Opt, []float64{2, 2}},
		{lbfgs, trace.OptLow, []float64{1.5, 1.5}},
		{eg, trace.GapPercent, []float64{150, 50}},
		{eg, trace.ExcessPercent, []float64{100, 25}},
		{lbfgs, trace.ExcessPercent, []float64{100, 0}},
		{other, trace.GapPercent, []float64{0}},
	} {
		if diff := cmp.Diff(check.want, check.c.Columns[check.column]); diff != "" {
			t.Errorf("%v %s: %s", check.c.Labels, check.column, diff)
		}
	}
	if lbfgs.Has(trace.GapPercent) {
		t.Error("a curve without a dual has the column gap_percent")
	}
	if eg.Doubt == "" || other.Doubt != "" || len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "C=10: ") {
		t.Errorf("doubts %q, %q, warnings %q; want a doubt and a warning for C=10 only", eg.Doubt, other.Doubt, set.Warnings)
	}
}

// TestPrimalBelowDual checks that it is an error, which names the run, if a primal lies below a dual by more than
// rounding.
func TestPrimalBelowDual(t *testing.T) {
	for _, test := range []struct {
		primal, dual float64
		broken       bool
	}{{1, 1, false}, {1 - 1e-12, 1, false}, {1 - 1e-6, 1, true},
		{1e-16, 3e-16, false}, {-1e-16, 0, false}, {0, 1e-12, true}} { // an optimum of 0: every answer is right
		set := trace.NewSet([]*trace.File{
			run(labels("eg", 10), row("passes", 0, "primal", 1.5), row("passes", 1, "primal", 1.5, "dual", test.dual)),
			run(labels("sgd", 10), row("passes", 1, "primal", test.primal)),
		})
		if (set.Err != nil) != test.broken {
			t.Errorf("primal %v, dual %v: error %v, want one: %v", test.primal, test.dual, set.Err, test.broken)
		}
		if test.broken && !strings.Contains(set.Err.Error(), "as=sgd, C=10") {
			t.Errorf("error %v, want the run as=sgd, C=10 in it", set.Err)
		}
		first := fmt.Sprintf(": a primal of %.12g (", test.primal)
		second := fmt.Sprintf(") lies below a dual of %.12g (", test.dual)
		if says := fmt.Sprint(set.Err); test.broken && (!strings.Contains(says, first) || !strings.Contains(says, second)) {
			t.Errorf("error %s, want first the primal %v and then the dual %v", says, test.primal, test.dual)
		}
	}
}

// TestOptimumLaws checks, for random rows with primal ≥ dual, that [opt_low, opt] contains the optimum, that the
// interval lies between every dual and every primal of the problem, and that 0 ≤ excess_percent ≤ gap_percent.
func TestOptimumLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		optimum := map[float64]float64{1: rapid.Float64Range(0.1, 5).Draw(rt, "opt1"),
			10: rapid.Float64Range(0.1, 5).Draw(rt, "opt10")}
		var files []*trace.File
		for range rapid.IntRange(1, 4).Draw(rt, "runs") {
			c := rapid.SampledFrom([]float64{1, 10}).Draw(rt, "C")
			var rows []trace.Row
			for i := range rapid.IntRange(1, 5).Draw(rt, "rows") {
				over, under := rapid.Float64Range(0, 3).Draw(rt, "over"), rapid.Float64Range(0, 3).Draw(rt, "under")
				rows = append(rows, row("passes", i, "primal", optimum[c]+over, "dual", optimum[c]-under))
			}
			files = append(files, run(labels("eg", c), rows...))
		}
		set := trace.NewSet(files)
		if set.Err != nil {
			rt.Fatal(set.Err)
		}
		for _, c := range set.Curves {
			truth := optimum[c.Labels["C"].(float64)]
			for i := range c.Len() {
				at := func(column string) float64 { return c.Columns[column][i] }
				if at(trace.OptLow) > truth || at(trace.Opt) < truth || at(trace.Opt) > at(trace.Primal) ||
					at(trace.OptLow) < at(trace.Dual) {
					rt.Fatalf("opt_low %v, opt %v, true optimum %v, primal %v, dual %v: want dual ≤ opt_low "+
						"≤ optimum ≤ opt ≤ primal",
						at(trace.OptLow), at(trace.Opt), truth, at(trace.Primal), at(trace.Dual))
				}
				if at(trace.ExcessPercent) < 0 || at(trace.GapPercent) < at(trace.ExcessPercent)-1e-9 {
					rt.Fatalf("excess_percent %v, gap_percent %v: want 0 ≤ excess ≤ gap", at(trace.ExcessPercent),
						at(trace.GapPercent))
				}
			}
		}
	})
}

// TestPathStages checks that each stage of a path (a sequence of values of C) is a separate curve, with its own C,
// status and optimum.
func TestPathStages(t *testing.T) {
	file := run(map[string]any{"as": "path", "model": "multiclass", "loss": "log"},
		row("passes", 0, "stage", 0, "stage_passes", 0, "C", 1000, "lambda", 1.0, "primal", 3, "dual", 1),
		row("passes", 2, "stage", 0, "stage_passes", 2, "C", 1000, "lambda", 1.0, "primal", 2, "dual", 2),
		row("passes", 2, "stage", 1, "stage_passes", 0, "C", 700, "lambda", 0.7, "primal", 1.5, "dual", 1.2),
		row("passes", 3, "stage", 1, "stage_passes", 1, "C", 700, "lambda", 0.7, "primal", 1.4, "dual", 1.3))
	file.End = nil
	cold := run(map[string]any{"as": "cold", "model": "multiclass", "loss": "log", "C": 700, "lambda": 0.7 + 1e-16},
		row("passes", 5, "primal", 1.3, "dual", 1.3))
	set := trace.NewSet([]*trace.File{file, cold})
	if len(set.Curves) != 3 {
		t.Fatalf("%d curves, want 3", len(set.Curves))
	}
	first, second := set.Curves[0], set.Curves[1]
	if first.Labels["C"] != 1000.0 || second.Labels["C"] != 700.0 || second.Labels["stage"] != 1.0 || second.Stage != 1 {
		t.Errorf("labels of the stages = %v, %v; want C 1000 and C 700, stage 1", first.Labels, second.Labels)
	}
	if first.Status != trace.Done || second.Status != trace.Interrupted {
		t.Errorf("status of the stages = %s, %s; want done, interrupted", first.Status, second.Status)
	}
	if second.Final(trace.Opt) != 1.3 || first.Final(trace.Opt) != 2 {
		t.Errorf("opt of the stages = %v, %v; want 2, 1.3 (the optimum of the run with the same λ)", first.Final(trace.Opt),
			second.Final(trace.Opt))
	}
	if second.Final(trace.Passes) != 3 || second.Final(trace.StagePasses) != 1 {
		t.Errorf("passes, stage_passes of the second stage = %v, %v; want 3, 1", second.Final(trace.Passes),
			second.Final(trace.StagePasses))
	}
}

func TestAtAndFinal(t *testing.T) {
	c := trace.NewSet([]*trace.File{run(labels("eg", 1), row("passes", 1, "primal", 3), row("passes", 2, "primal", 2),
		row("passes", 4))}).Curves[0]
	for x, want := range map[float64]float64{0.5: math.NaN(), 1: 3, 1.99: 3, 2: 2, 100: 2} {
		if got := c.At("primal", x); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("At(primal, %v) = %v, want %v", x, got, want)
		}
	}
	if c.Final("passes") != 4 || c.Final("primal") != 2 || !math.IsNaN(c.Final("none")) {
		t.Errorf("Final(passes), Final(primal), Final(none) = %v, %v, %v; want 4, 2, NaN", c.Final("passes"),
			c.Final("primal"), c.Final("none"))
	}
}

func TestVarying(t *testing.T) {
	a, b, c := labels("eg", 10), labels("eg", 1), labels("sgd", 1)
	for _, l := range []map[string]any{a, b, c} {
		l["solver"] = l["as"]
	}
	set := trace.NewSet([]*trace.File{run(a), run(b), run(c)})
	if diff := cmp.Diff([]string{"as", "C"}, set.Varying()); diff != "" {
		t.Error(diff)
	}
	if got := set.Curves[2].Describe(set.Varying()); got != "as=sgd, C=1" {
		t.Error(got)
	}
}

func TestFormatLabel(t *testing.T) {
	for want, v := range map[string]any{"1000": 1000.0, "0.01": 0.01, "1e+07": 1e7, "0.797923": 0.797922662976, "eg": "eg",
		"true": true, "1e-05": 1e-5, "0": 0.0, "0.0001": 1e-4, "0.000123457": 1.23456789e-4, "9.87654321e-05": 9.87654321e-5,
		"9999999": 9999999.0, "1.23457e+06": 1234567.89, "1.23456789e+07": 12345678.9, "-0.5": -0.5} {
		if got := trace.FormatLabel(v); got != want {
			t.Errorf("FormatLabel(%v) = %s, want %s", v, got, want)
		}
	}
}

// TestCSV checks that the table has every column that some curve has, and an empty field where a curve lacks it.
func TestCSV(t *testing.T) {
	annealed := labels("eg, annealed", 1)
	set := trace.NewSet([]*trace.File{
		run(annealed, row("passes", 0, "C", 10, "primal", 0.5), row("passes", 1, "C", 1, "primal", 0.25, "zeal", 1e-9)),
		run(map[string]any{"as": "sgd", "chosen": false}),
		run(labels("lbfgs", 1), row("passes", 2, "gap", 0.125, "line_search", 3)),
	})
	var out bytes.Buffer
	if err := trace.WriteCSV(&out, set); err != nil {
		t.Fatal(err)
	}
	want := `as,model,loss,C,lambda,scale,status,chosen,passes,row_C,primal,gap,opt,excess_percent,line_search,zeal
"eg, annealed",multiclass,log,1,0.001,smoke,done,,0,10,0.5,,0.25,100,,
"eg, annealed",multiclass,log,1,0.001,smoke,done,,1,1,0.25,,0.25,0,,1e-09
lbfgs,multiclass,log,1,0.001,smoke,done,,2,,,0.125,,,3,
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestWarningsOfRowsAreCounted checks that a warning of several rows is reported once, with the number of rows.
func TestWarningsOfRowsAreCounted(t *testing.T) {
	a, b := row("passes", 1), row("passes", 2)
	a.Warnings, b.Warnings = []string{"rate capped"}, []string{"rate capped", "slow"}
	set := trace.NewSet([]*trace.File{run(labels("eg", 1), a, b)})
	want := []string{"eg/fig06 (as=eg, C=1): rate capped (first at 1 passes; 2 of 2 rows)",
		"eg/fig06 (as=eg, C=1): slow (first at 2 passes; 1 of 2 rows)"}
	if diff := cmp.Diff(want, set.Warnings); diff != "" {
		t.Error(diff)
	}
}

// TestVaryingLabels checks the labels that usually follow from others, such as the status: Varying leaves out such a
// label if it distinguishes no further curves, and otherwise lists it.
func TestVaryingLabels(t *testing.T) {
	for _, name := range []string{"status", "stage", "lambda", "solver", "chosen"} {
		curve := func(as string, v any) *trace.Curve { return &trace.Curve{Labels: map[string]any{"as": as, name: v}} }
		set := &trace.Set{Curves: []*trace.Curve{curve("a", 1.0), curve("b", 2.0)}}
		if diff := cmp.Diff([]string{"as"}, set.Varying()); diff != "" {
			t.Errorf("%s follows from as, so Varying must omit it (-want +got):\n%s", name, diff)
		}
		set.Curves = append(set.Curves, curve("a", 3.0))
		if got := set.Varying(); len(got) != 2 {
			t.Errorf("%s does not follow from as: varying labels %q, want both", name, got)
		}
	}
}

// TestVaryingOfFailedRuns checks that runs without a result count as others do: Varying keeps the only label that
// tells such a run from another one, and leaves out a label that follows from the others.
func TestVaryingOfFailedRuns(t *testing.T) {
	for _, status := range []trace.Status{trace.Done, trace.Missing, trace.Damaged, trace.Failed, trace.Interrupted} {
		for _, name := range []string{"status", "stage", "lambda", "solver", "chosen"} {
			curve := func(as string, v any, s trace.Status) *trace.Curve {
				return &trace.Curve{Labels: map[string]any{"as": as, name: v}, Status: s}
			}
			set := &trace.Set{Curves: []*trace.Curve{curve("a", 1.0, trace.Done), curve("a", 2.0, status)}}
			if got := set.Varying(); len(got) != 1 || got[0] != name {
				t.Errorf("two runs, the second %s, differ in %s only: varying labels %q", status, name, got)
			}
			set.Curves = append(set.Curves, curve("b", 2.0, status))
			if got := set.Varying(); len(got) != 2 {
				t.Errorf("the runs a1 and, %s, a2 and b2, with %s as number: varying labels %q, want both", status, name,
					got)
			}
			set.Curves[1].Labels[name] = 1.0
			if got := set.Varying(); len(got) != 1 || got[0] != "as" {
				t.Errorf("the runs a1 and, %s, a1 and b2, with %s as number: varying labels %q, want as", status, name,
					got)
			}
		}
	}
}

// TestMemoryOfARun checks that the memory of a run is in its last row only, and the time of its data in each row.
func TestMemoryOfARun(t *testing.T) {
	f := run(labels("eg", 10), row("passes", 0, "primal", 4), row("passes", 1, "primal", 3), row("passes", 2, "primal", 2))
	f.End.PeakBytes, f.Manifest.DataCPUSeconds = 7, 1.5
	c := trace.NewSet([]*trace.File{f}).Curves[0]
	nan := math.NaN()
	for name, want := range map[string][]float64{trace.PeakBytes: {nan, nan, 7}, trace.DataCPUSeconds: {1.5, 1.5, 1.5}} {
		if diff := cmp.Diff(want, c.Columns[name], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestFailureTexts checks the descriptions of failures: the run with its labels, its status and the reason, without the
// status again.
func TestFailureTexts(t *testing.T) {
	f := run(map[string]any{"as": "eg", "C": 10., "lambda": 0.1, "seed": 2., "loss": "log", "n": 5., "eta": 0.5})
	f.End.Status, f.End.Why = trace.Failed, "singular"
	g := run(map[string]any{"as": "sgd", "lambda": 0.1})
	g.End.Status, g.End.Why = trace.Unsupported, "unsupported: needs a smooth loss"
	want := []string{"eg C=10 eta=0.5 seed=2: failed: singular", "sgd lambda=0.1: unsupported: needs a smooth loss"}
	if got := trace.Failures([]*trace.File{f, g}); !slices.Equal(got, want) {
		t.Errorf("failures %q, want %q", got, want)
	}
}

// TestFailures checks which runs are reported as failures: those that failed or diverged, without losers of a
// comparison, and unsupported runs if no run ended otherwise.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		statuses []trace.Status
		chosen   any // label of the first run; nil: it was not compared
		want     int // number of reported runs
	}{
		{[]trace.Status{trace.Done, trace.Failed, trace.Diverged, trace.Unsupported}, nil, 2},
		{[]trace.Status{trace.Failed, trace.Unsupported}, nil, 2},
		{[]trace.Status{trace.Unsupported, trace.Unsupported}, nil, 2},
		{[]trace.Status{trace.Failed, trace.Done}, true, 1},
		{[]trace.Status{trace.Failed, trace.Done}, false, 0},
		{[]trace.Status{trace.Diverged, trace.Diverged}, false, 1},
		{[]trace.Status{trace.Interrupted, trace.Unsupported, trace.Budget, trace.Stalled}, nil, 0},
	} {
		var files []*trace.File
		for i, s := range c.statuses {
			f := run(labels("eg", 10))
			f.End.Status = s
			if i == 0 && c.chosen != nil {
				f.End.Labels = map[string]any{"chosen": c.chosen}
			}
			files = append(files, f)
		}
		if got := trace.Failures(files); len(got) != c.want {
			t.Errorf("%v, the first chosen: %v: failures %q, want %d", c.statuses, c.chosen, got, c.want)
		}
	}
}

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
