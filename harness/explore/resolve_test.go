package explore_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// run returns a finished run with the given number of rows, whose primal falls from 2 towards 1.
func run(key, as string, seed, n float64, rows int) *trace.File {
	f := &trace.File{End: &trace.End{Status: trace.Done, Rows: rows}, Manifest: trace.Manifest{Key: key, Scale: "smoke",
		Labels: map[string]any{"as": as, "seed": seed, "n": n, "lambda": 0.1, "model": "m", "loss": "log"}}}
	for i := range rows {
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.MaxCalls: n * float64(i),
			trace.SecondCalls: 1, trace.Primal: 1 + 1/float64(i+1), trace.Dual: 1 - 1/float64(i+1), "error": 0.25}})
	}
	return f
}

// files returns two runs of EG with different seeds, and a long run of SGD.
func files() []*trace.File {
	return []*trace.File{run("aa", "eg", 1, 100, 3), run("bb", "eg", 2, 100, 3), run("cc", "sgd", 1, 100, 1000)}
}

// resolve makes a figure of runs, and the data of the page from it.
func resolve(f *lang.FigureSpec, files []*trace.File, metrics ...string) (explore.Data, bool) {
	own, _ := figure.Resolve(f, trace.NewSet(files), figure.Meta{})
	return explore.Resolve(f, own, files, metrics)
}

// column returns the index of a column.
func column(t *testing.T, d explore.Data, name string) int {
	t.Helper()
	for i, c := range d.Columns {
		if c.Name == name {
			return i
		}
	}
	t.Fatalf("no column %s in %+v", name, d.Columns)
	return -1
}

// TestPanels checks the panels that Resolve returns: the panel of the figure and, because the figure leaves out a run,
// a panel with all runs.
func TestPanels(t *testing.T) {
	f := &lang.FigureSpec{Panels: []lang.Panel{{Title: "EG", Where: `as == "eg"`, X: trace.Passes,
		Y: lang.Strings{"100 * error"}, YLabel: "Error (%)", Bound: "x + 1"}}}
	d, ok := resolve(f, files(), "error", "none")
	if !ok || len(d.Panels) != 2 {
		t.Fatalf("Resolve = %v with %d panels, want the figure's panel and one with all runs", ok, len(d.Panels))
	}
	own, all := d.Panels[0], d.Panels[1]
	if own.Title != "EG" || own.Y.Label != "Error (%)" || d.Columns[own.Of].Name != trace.Passes {
		t.Errorf("panel of the figure = %+v, want title EG, label Error (%%) and passes on the x axis", own)
	}
	y := column(t, d, "100 * error")
	want := []explore.Line{{Label: "eg", Name: "eg", Of: y, Runs: []int{0, 1}}}
	if diff := cmp.Diff(want, own.Lines[:1]); diff != "" {
		t.Error(diff)
	}
	if bound := own.Lines[1]; bound.Of != -1 || len(bound.X) == 0 || len(bound.X) != len(bound.Y) {
		t.Errorf("bound = %+v, want no column and its own points", bound)
	}
	if d.Columns[y].Label != "Error (%)" {
		t.Errorf("label of the expression's column = %q, want the panel's label", d.Columns[y].Label)
	}
	if len(all.Lines) != 2 || !all.Y.Log {
		t.Errorf("panel with all runs = %+v, want 2 lines and a logarithmic y axis", all)
	}
	if diff := cmp.Diff([]string{"as", "seed"}, d.Labels); diff != "" {
		t.Error(diff)
	}
	for i, key := range []string{"aa", "bb", "cc"} {
		if r := d.Runs[i]; r.Key != key || r.Labels["seed"] != []string{"1", "2", "1"}[i] {
			t.Errorf("run %d = %+v, want key %s and its seed", i, r, key)
		}
	}
}

// TestValues checks that a column with equal values becomes one number, that the calls of all oracles are summed,
// that long runs are thinned and counted, and that columns of work come first and metrics last.
func TestValues(t *testing.T) {
	d, ok := explore.Resolve(nil, figure.Figure{}, files(), []string{"error"})
	if !ok || d.Thinned != 1 {
		t.Fatalf("Resolve = %v with %d thinned runs, want 1", ok, d.Thinned)
	}
	var names []string
	for _, c := range d.Columns {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{trace.Passes, explore.OracleCalls, trace.Primal, trace.Dual, trace.ExcessPercent,
		trace.Opt, trace.OptLow, "error"}, names); diff != "" {
		t.Errorf("columns: work, objectives and metrics, in this order (-want +got):\n%s", diff)
	}
	values := func(run int, name string) []float64 { return d.Runs[run].Values[column(t, d, name)] }
	if diff := cmp.Diff([]float64{1, 101, 201}, values(0, explore.OracleCalls)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0.25}, values(0, "error")); diff != "" {
		t.Error(diff)
	}
	long := values(2, trace.Passes)
	if len(long) > explore.Points+8 || long[0] != 0 || long[len(long)-1] != 999 {
		t.Errorf("passes of the long run = %d values from %v to %v, want about %d from 0 to 999", len(long), long[0],
			long[len(long)-1], explore.Points)
	}
	if !d.Columns[column(t, d, explore.OracleCalls)].Work || d.Columns[column(t, d, trace.Primal)].Work {
		t.Error("the column of oracle calls must be marked as work, and the primal must not")
	}
}

// TestCalls checks that the column of all oracle calls is the sum over all kinds of oracles, without set-up, for each
// set of kinds that a run may have.
func TestCalls(t *testing.T) {
	kinds := []string{trace.MaxCalls, trace.ExpCalls, trace.SumCalls, trace.SlackCalls, trace.SecondCalls}
	for set := 1; set < 1<<len(kinds); set++ {
		f := run("aa", "eg", 1, 100, 2)
		for _, r := range f.Rows {
			delete(r.Values, trace.MaxCalls)
			delete(r.Values, trace.SecondCalls)
			r.Values[trace.SetupCalls] = 1000
		}
		for k, name := range kinds { // calls of kind k: 0 in the first row, 2^k in the second
			if set&(1<<k) != 0 {
				f.Rows[0].Values[name], f.Rows[1].Values[name] = 0, float64(int(1)<<k)
			}
		}
		d, _ := explore.Resolve(nil, figure.Figure{}, []*trace.File{f}, nil)
		if got := d.Runs[0].Values[column(t, d, explore.OracleCalls)]; len(got) != 2 || got[1] != float64(set) {
			t.Errorf("oracle calls = %v, want 0 and %d", got, set)
		}
	}
}

// TestSweep checks a figure in which each run is one point, at x = n with a final value as y. Both columns must have
// one value per run.
func TestSweep(t *testing.T) {
	f := &lang.FigureSpec{Panels: []lang.Panel{{X: "n", Y: lang.Strings{"final.passes"}, By: "as"}}}
	d, _ := resolve(f, []*trace.File{run("aa", "eg", 1, 100, 3), run("bb", "eg", 1, 200, 4)})
	if len(d.Panels) != 1 || len(d.Panels[0].Lines) != 1 {
		t.Fatalf("panels = %+v, want one with one line", d.Panels)
	}
	x, y := d.Panels[0].Of, d.Panels[0].Lines[0].Of
	if !d.Columns[x].Once || !d.Columns[y].Once {
		t.Error("the columns have several values per run, want one")
	}
	got := fmt.Sprint(d.Runs[0].Values[x], d.Runs[0].Values[y], d.Runs[1].Values[x], d.Runs[1].Values[y])
	if got != "[100] [2] [200] [3]" {
		t.Errorf("values of the runs = %s, want [100] [2] [200] [3]", got)
	}
}

// TestColumnsOfSomeRuns checks columns that only some runs have: they are columns of the page, and a run without them
// has no values. A run without rows has no values at all, and one with one row has values.
func TestColumnsOfSomeRuns(t *testing.T) {
	list := append(files(), run("dd", "sgd", 2, 100, 0), run("ee", "sgd", 3, 100, 1))
	for i, f := range list {
		for _, r := range f.Rows {
			if i != 1 {
				delete(r.Values, trace.Dual)
			}
			if i == 0 {
				r.Values["only"] = r.Values[trace.Passes]
			}
		}
	}
	d, _ := explore.Resolve(nil, figure.Figure{}, list, []string{"only", "never"})
	for name, want := range map[string][]int{trace.Dual: {1}, "only": {0}, trace.Primal: {0, 1, 2, 4},
		trace.Passes: {0, 1, 2, 4}} {
		at := column(t, d, name)
		for i := range list {
			if values := d.Runs[i].Values[at]; (len(values) > 0) != slices.Contains(want, i) {
				t.Errorf("column %s of run %d has the values %v; want values only in the runs %v", name, i, values, want)
			}
		}
		if slices.IndexFunc(d.Columns, func(c explore.Column) bool { return c.Name == name }) != at {
			t.Errorf("two columns are named %s", name)
		}
	}
	names := map[string]bool{}
	for _, c := range d.Columns {
		if names[c.Name] || c.Name == "never" {
			t.Errorf("columns %+v, want each name once, and no column that no run has", d.Columns)
		}
		names[c.Name] = true
	}
}

// TestValuesAsJSON checks that numbers have six significant digits in JSON, and that NaN and infinity become null.
func TestValuesAsJSON(t *testing.T) {
	text, err := json.Marshal([]explore.Values{nil, {}, {1.0 / 3, 1e-9, 123456789, math.NaN(), math.Inf(1),
		math.Inf(-1)}})
	if err != nil || string(text) != "[null,[],[0.333333,1e-09,1.23457e+08,null,null,null]]" {
		t.Errorf("JSON = %s, %v, want six digits and null for NaN and infinity", text, err)
	}
}

// TestAllRuns checks what the panel with all runs shows on its y axis: the gap if all runs have it, else the excess if
// all runs have it, else the primal. A run has an excess if its primal is a number. Runs without rows do not matter.
func TestAllRuns(t *testing.T) {
	all := []int{0, 1, 2}
	for _, c := range []struct {
		gap, excess, empty []int // the runs that have a gap, that have an excess, and that have no rows
		want               string
	}{
		{all, all, nil, trace.Gap},
		{all, nil, nil, trace.Gap},
		{[]int{0}, all, nil, trace.ExcessPercent},
		{[]int{1, 2}, all, nil, trace.ExcessPercent},
		{nil, all, nil, trace.ExcessPercent},
		{[]int{1, 2}, all, []int{0}, trace.Gap},
		{nil, []int{1, 2}, []int{0}, trace.ExcessPercent},
	} {
		list := files()
		for i, f := range list {
			for _, r := range f.Rows {
				if delete(r.Values, trace.Dual); slices.Contains(c.gap, i) {
					r.Values[trace.Dual], r.Values[trace.Gap] = 0.5, r.Values[trace.Primal]-0.5
				}
				if !slices.Contains(c.excess, i) {
					delete(r.Values, trace.Primal)
				}
			}
			if slices.Contains(c.empty, i) {
				f.Rows = nil
			}
		}
		d, ok := explore.Resolve(nil, figure.Figure{}, list, nil)
		if !ok || len(d.Panels) != 1 || d.Panels[0].Title != "All runs" || len(d.Panels[0].Lines) == 0 {
			t.Errorf("gap in runs %v, excess in %v: Resolve = %+v, want one panel with all runs", c.gap, c.excess, d.Panels)
			continue
		}
		if y := d.Columns[d.Panels[0].Lines[0].Of].Name; y != c.want || !d.Panels[0].Y.Log {
			t.Errorf("gap in runs %v, excess in %v: y = %s, logarithmic %v; want %s, logarithmic", c.gap, c.excess, y,
				d.Panels[0].Y.Log, c.want)
		}
	}
}

// TestNothingIsMissing checks when the page has a panel with all runs beside the panel of the figure: only if the
// figure leaves out a run with rows that did not lose a comparison.
func TestNothingIsMissing(t *testing.T) {
	f := &lang.FigureSpec{Panels: []lang.Panel{{Title: "EG", Where: `as == "eg"`, X: trace.Passes,
		Y: lang.Strings{trace.Primal}}}}
	for _, c := range []struct {
		as     string // the third run, which the figure shows only if it is "eg"
		rows   int
		chosen any // nil: the run took part in no comparison
		want   int
	}{{"eg", 3, nil, 1}, {"sgd", 3, nil, 2}, {"sgd", 1, nil, 2}, {"sgd", 0, nil, 1}, {"sgd", 3, false, 1},
		{"sgd", 3, true, 2}} {
		third := run("cc", c.as, 3, 100, c.rows)
		if c.chosen != nil {
			third.End.Labels = map[string]any{"chosen": c.chosen}
		}
		list := append(files()[:2], third)
		d, ok := resolve(f, list)
		if !ok || len(d.Panels) != c.want || d.Panels[0].Title != "EG" || len(d.Runs) != len(list) {
			t.Errorf("%+v: %d panels, %d runs; want %d panels and %d runs", c, len(d.Panels), len(d.Runs), c.want, len(list))
		}
	}
}

// TestNothing checks that Resolve returns no data if no run has rows.
func TestNothing(t *testing.T) {
	if d, ok := explore.Resolve(nil, figure.Figure{}, []*trace.File{run("aa", "eg", 1, 100, 0)}, nil); ok {
		t.Errorf("Resolve of a run without rows = %+v, true, want false", d)
	}
}
