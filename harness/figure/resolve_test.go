package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

type labels = map[string]any

// run returns a run with three rows whose primal, dual and validation error are proportional to size.
func run(l labels, size float64) *trace.File {
	f := &trace.File{End: &trace.End{Status: trace.Done}}
	f.Manifest = trace.Manifest{
		Scale: "smoke", Size: trace.Size{N: 1000}, Origin: trace.Origin{Commit: "0123456789abcdef", Dirty: true}, Labels: l,
		Data: trace.DataManifest{Name: "digits", Synthetic: true},
	}
	if l["C"] != nil {
		l["lambda"] = l["C"].(float64) / 1000
	}
	for i := range 3 {
		x := float64(i)
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": x, "primal": size * (4 - x),
			"dual": size * (x - 4), "validation_error": 0.1 * size}})
	}
	return f
}

// meta returns the information for a figure of the runs, with the named bounds of all papers.
func meta(t *testing.T, set *trace.Set) figure.Meta {
	t.Helper()
	m := figure.NewMeta(&lang.Spec{ID: "eg/fig06", Title: "A title"}, set)
	var err error
	if m.Bounds, err = experiments.Bounds(); err != nil {
		t.Fatal(err)
	}
	return m
}

// resolve makes a figure of some runs.
func resolve(t *testing.T, f lang.FigureSpec, files ...*trace.File) figure.Figure {
	t.Helper()
	set := trace.NewSet(files)
	out, err := figure.Resolve(&f, set, meta(t, set))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// tell returns a text with the label, style, hue, dash pattern and points of each line of a panel.
func tell(p figure.Panel) string {
	var out []string
	for _, l := range p.Lines {
		out = append(out, fmt.Sprintf("%s|%d.%d.%d|%v %v", l.Label, l.Style, l.Hue, l.Dash, l.X, l.Y))
	}
	return strings.Join(out, "\n")
}

// TestLines checks the labels, styles, hues and points of the lines of several panels.
func TestLines(t *testing.T) {
	eg1000, eg10 := labels{"as": "eg", "C": 1000.0}, labels{"as": "eg", "C": 10.0}
	sgd := labels{"as": "sgd", "C": 10.0}
	files := func() []*trace.File { return []*trace.File{run(eg1000, 1), run(eg10, 2), run(sgd, 3)} }
	for _, test := range []struct {
		name  string
		panel lang.Panel
		want  string
	}{
		{"labels by default", lang.Panel{Where: `as == "eg"`, X: "passes", Y: lang.Strings{"primal"}},
			"C=1000|0.0.0|[0 1 2] [4 3 2]\nC=10|0.1.0|[0 1 2] [8 6 4]"},
		{"template", lang.Panel{Where: `as == "eg"`, X: "passes", Y: lang.Strings{"primal"},
			Series: lang.SeriesList{{Label: "{as}: C={C}"}}},
			"eg: C=1000|0.0.0|[0 1 2] [4 3 2]\neg: C=10|0.1.0|[0 1 2] [8 6 4]"},
		{"two y", lang.Panel{Where: `C == 1000`, X: "passes", Y: lang.Strings{"primal", "dual"}},
			"eg, primal|0.0.0|[0 1 2] [4 3 2]\neg, dual|0.0.1|[0 1 2] [-4 -3 -2]"},
		{"two y in a template", lang.Panel{Where: `C == 1000`, X: "passes", Y: lang.Strings{"primal", "dual"},
			Series: lang.SeriesList{{Label: "{y} at C={C}"}}},
			"primal at C=1000|0.0.0|[0 1 2] [4 3 2]\ndual at C=1000|0.0.1|[0 1 2] [-4 -3 -2]"},
		{"series", lang.Panel{Where: "C == 10", X: "passes", Y: lang.Strings{"primal"},
			Series: lang.SeriesList{{Of: "sgd", Label: "SGD"}, {Of: "eg", Label: "EG", Y: lang.Strings{"dual"}}}},
			"SGD|0.0.0|[0 1 2] [12 9 6]\nEG|0.1.0|[0 1 2] [-8 -6 -4]"},
		{"expression", lang.Panel{Where: "C == 1000", X: "passes", Y: lang.Strings{"100 * validation_error"}},
			"eg|0.0.0|[0 1 2] [10 10 10]"},
		{"sweep", lang.Panel{X: "C", Y: lang.Strings{"final.primal"}, By: "as"}, `eg|1.0.0|[10 1000] [4 2]
sgd|1.1.0|[10] [6]`},
		{"bound", lang.Panel{Where: "C == 1000", X: "passes", Y: lang.Strings{"primal"}, Bound: "n * C"},
			"eg|0.0.0|[0 1 2] [4 3 2]\nbound|2.0.0|[0 " /* and so on */},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := resolve(t, lang.FigureSpec{Panel: test.panel}, files()...)
			if got := tell(f.Panels[0]); !strings.HasPrefix(got, test.want) {
				t.Error(cmp.Diff(test.want, got))
			}
		})
	}
}

// TestFigureFrame checks the title, the caption and the axes of a figure.
func TestFigureFrame(t *testing.T) {
	f := resolve(t, lang.FigureSpec{Columns: 2, Panels: []lang.Panel{
		{Title: "left", X: "passes", Y: lang.Strings{"primal", "dual"}, YScale: "log", XRange: &[2]float64{0, 5}},
		{Title: "right", X: "passes", Y: lang.Strings{"gap_percent"}, XLabel: "work"},
		{X: "C", Y: lang.Strings{"100 * final.validation_error"}},
	}}, run(labels{"as": "eg", "C": 10.0}, 1))
	if f.ID != "eg/fig06" || f.Title != "A title" || f.Columns != 2 {
		t.Errorf("figure = %+v, want the id and title of the spec, and 2 columns", f)
	}
	if want := "data digits (generated) · n 1000 · scale smoke · commit 0123456+"; f.Caption != want {
		t.Errorf("caption = %q, want %q", f.Caption, want)
	}
	left, right := f.Panels[0], f.Panels[1]
	if left.X.Label != "Effective passes" || left.Y.Label != "Objective" || !left.Y.Log || left.X.Log ||
		*left.X.Max != 5 || left.Y.Max != nil {
		t.Errorf("axes of the left panel = %+v, %+v, want linear passes up to 5 and a logarithmic objective", left.X, left.Y)
	}
	if right.X.Label != "work" || right.Y.Label != "Duality gap (%)" {
		t.Errorf("axes of the right panel = %+v, %+v, want work and Duality gap (%%)", right.X, right.Y)
	}
	if got := f.Panels[2].Y.Label; got != "Validation error (%)" {
		t.Errorf("y label of the third panel = %q, want Validation error (%%)", got)
	}
}

// TestSeriesOfAVariant checks which runs a series with the key "of" selects: the runs of the solver listed under this
// name (as) or, if there is no such solver, all runs of the algorithm with this name.
func TestSeriesOfAVariant(t *testing.T) {
	plain, other := labels{"as": "egr", "solver": "egr"}, labels{"as": "egr-adaptive", "solver": "egr"}
	panel := func(of string) lang.FigureSpec {
		return lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"},
			Series: lang.SeriesList{{Of: of, Label: "{as}"}}}}
	}
	if f := resolve(t, panel("egr"), run(plain, 1), run(other, 2)); len(f.Panels[0].Lines) != 1 ||
		f.Panels[0].Lines[0].Label != "egr" {
		t.Errorf("of: egr draws %d lines, want only the variant egr", len(f.Panels[0].Lines))
	}
	if f := resolve(t, panel("egr"), run(other, 1),
		run(labels{"as": "third", "solver": "egr"}, 2)); len(f.Panels[0].Lines) != 2 {
		t.Errorf("of: egr draws %d lines, want both variants of the solver, since no variant is called egr",
			len(f.Panels[0].Lines))
	}
}

// TestHuesAcrossPanels checks that a line has the same colour in all panels.
func TestHuesAcrossPanels(t *testing.T) {
	panel := func(where string) lang.Panel {
		return lang.Panel{Where: where, X: "passes", Y: lang.Strings{"primal"}, Series: lang.SeriesList{{Label: "C={C}"}}}
	}
	f := resolve(t, lang.FigureSpec{Panels: []lang.Panel{panel("C >= 10"), panel("C <= 10")}},
		run(labels{"as": "eg", "C": 100.0}, 1), run(labels{"as": "eg", "C": 10.0}, 2), run(labels{"as": "eg", "C": 1.0}, 3))
	var hues []int
	for _, p := range f.Panels {
		for _, l := range p.Lines {
			hues = append(hues, l.Hue)
		}
	}
	if diff := cmp.Diff([]int{0, 1, 1, 2}, hues); diff != "" {
		t.Error(diff)
	}
}

// TestSeedsMakeABand checks that runs that differ only in their seeds become one line with a band, both for curves and
// where each run is one point. If the label contains the seed, they must be separate lines.
func TestSeedsMakeABand(t *testing.T) {
	files := func() []*trace.File {
		return []*trace.File{run(labels{"as": "eg", "C": 10.0, "seed": 1.0}, 1),
			run(labels{"as": "eg", "C": 10.0, "seed": 2.0}, 3)}
	}
	panel := lang.Panel{X: "passes", Y: lang.Strings{"primal"}}
	lines := resolve(t, lang.FigureSpec{Panel: panel}, files()...).Panels[0].Lines
	want := []figure.Line{{Label: "eg", Name: "eg", X: []float64{0, 1, 2}, Y: []float64{8, 6, 4}, Low: []float64{4, 3, 2},
		High: []float64{12, 9, 6}, Runs: []int{0, 1}, Of: "primal"}}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	panel.Series = lang.SeriesList{{Label: "seed {seed}"}}
	lines = resolve(t, lang.FigureSpec{Panel: panel}, files()...).Panels[0].Lines
	if len(lines) != 2 || lines[1].Label != "seed 2" || lines[1].Low != nil {
		t.Errorf("lines with the seed in the label = %+v, want 2 without a band", lines)
	}
	sweep := lang.Panel{X: "C", Y: lang.Strings{"final.primal"}}
	lines = resolve(t, lang.FigureSpec{Panel: sweep}, files()...).Panels[0].Lines
	want = []figure.Line{{Label: "eg", Name: "eg", X: []float64{10}, Y: []float64{4}, Low: []float64{2},
		High: []float64{6}, Style: figure.Points, Runs: []int{0, 1}, Of: "final.primal"}}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// sized returns a run on n examples with one row for each value of work.
func sized(as string, n float64, status trace.Status, work ...float64) *trace.File {
	f := &trace.File{End: &trace.End{Status: status}}
	f.Manifest = trace.Manifest{Size: trace.Size{N: int(n)}, Labels: labels{"as": as, "n": n, "C": 10.0}}
	for i, w := range work {
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": float64(i), "work": w}})
	}
	return f
}

// TestSweepWithStoppedRuns checks lines on which each run is one point, where the budget stopped some runs. Such a run
// must not count in a mean, and must come after the finished runs at the same x. If its value only grows during a run,
// the line must be marked as Rising.
func TestSweepWithStoppedRuns(t *testing.T) {
	panel := lang.Panel{X: "n", Y: lang.Strings{"final.work"}}
	for _, test := range []struct {
		name  string
		files []*trace.File
		want  figure.Line
	}{
		{"growing", []*trace.File{
			sized("eg", 300, trace.Budget, 0, 5, 9), sized("eg", 100, trace.Done, 3, 2), sized("eg", 200, trace.Budget, 1, 3),
			sized("eg", 200, trace.Done, 1, 4),
			sized("eg", 200, trace.Done, 1, 8),
		}, figure.Line{
			Label: "eg", Name: "eg", Style: figure.Points, X: []float64{100, 200, 200, 300}, Y: []float64{2, 6, 3, 9},
			Low: []float64{2, 4, 3, 9}, High: []float64{2, 8, 3, 9}, Stopped: []bool{false, false, true, true}, Rising: true,
			Runs: []int{0, 1, 2, 3, 4}, Of: "final.work",
		}},
		{"falling once", []*trace.File{sized("eg", 100, trace.Done, 1, 2), sized("eg", 200, trace.Budget, 0, 5, 4, 9)},
			figure.Line{
				Label: "eg", Name: "eg", Style: figure.Points, X: []float64{100, 200}, Y: []float64{2, 9},
				Stopped: []bool{false, true}, Runs: []int{0, 1}, Of: "final.work",
			}},
		{"never changing", []*trace.File{sized("eg", 100, trace.Budget, 3, 3)}, figure.Line{
			Label: "eg", Name: "eg", Style: figure.Points, X: []float64{100}, Y: []float64{3}, Stopped: []bool{true},
			Runs: []int{0}, Of: "final.work",
		}},
		{"all done", []*trace.File{sized("eg", 200, trace.Done, 1, 2), sized("eg", 100, trace.Done, 1, 1)}, figure.Line{
			Label: "eg", Name: "eg", Style: figure.Points, X: []float64{100, 200}, Y: []float64{1, 2},
			Runs: []int{0, 1}, Of: "final.work",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := resolve(t, lang.FigureSpec{Panel: panel}, test.files...)
			if diff := cmp.Diff([]figure.Line{test.want}, f.Panels[0].Lines); diff != "" {
				t.Error(diff)
			}
			if len(f.Warnings) > 0 {
				t.Errorf("warnings = %q, want none", f.Warnings)
			}
		})
	}
	// A curve whose run was stopped remains one line.
	curve := resolve(t, lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"work"}}},
		sized("eg", 100, trace.Budget, 1, 2)).Panels[0].Lines[0]
	if !curve.Censored || curve.Stopped != nil {
		t.Errorf("line of a stopped run = %+v, want it censored, without Stopped", curve)
	}
}

// TestPooledRunsOfASweep checks that there is a warning if runs whose mean is drawn at one x differ in more than their
// seed or fold.
func TestPooledRunsOfASweep(t *testing.T) {
	a, b := sized("eg", 100, trace.Done, 1), sized("eg", 100, trace.Done, 3)
	b.Manifest.Labels["C"] = 1.0
	sweep := lang.FigureSpec{Panel: lang.Panel{X: "n", Y: lang.Strings{"final.work"}}}
	f := resolve(t, sweep, a, b)
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "the runs of as=eg that share a value of n differ in C") {
		t.Errorf("warnings = %q, want one about runs that differ in C", f.Warnings)
	}
	a, b = sized("eg", 100, trace.Done, 1), sized("eg", 100, trace.Done, 3)
	for i, f := range []*trace.File{a, b} { // folds may have different numbers of examples
		f.Manifest.Labels["dataset.fold"], f.Manifest.Labels["validation"] = float64(i), float64(10+i)
	}
	if f = resolve(t, sweep, a, b); len(f.Warnings) > 0 {
		t.Errorf("warnings about folds = %q, want none", f.Warnings)
	}
}

// TestSeveralProblems checks that each problem has its own lines, and that the labels name the problem only if there
// are several. It also checks filters on the problem.
func TestSeveralProblems(t *testing.T) {
	of := func(problem, dataset, as string, n float64) *trace.File {
		f := sized(as, n, trace.Done, 1, n)
		f.Manifest.Labels["problem"], f.Manifest.Labels["dataset"] = problem, dataset
		return f
	}
	files := func() []*trace.File {
		return []*trace.File{
			of("letters", "ocr", "cached", 100), of("letters", "ocr", "plain", 100), of("words", "chunk", "cached", 200),
			of("words", "chunk", "plain", 200),
		}
	}
	for _, test := range []struct {
		panel lang.Panel
		want  []string
	}{
		{lang.Panel{X: "n", Y: lang.Strings{"final.work"}},
			[]string{"letters, cached", "letters, plain", "words, cached", "words, plain"}},
		{lang.Panel{X: "n", Y: lang.Strings{"final.work"}, Where: `problem == "words"`}, []string{"cached", "plain"}},
		{lang.Panel{X: "n", Y: lang.Strings{"final.work"}, Where: `as == "cached"`, By: "problem"},
			[]string{"letters", "words"}},
		{lang.Panel{X: "n", Y: lang.Strings{"final.work"}, Where: `as == "cached"`, By: "dataset"},
			[]string{"dataset=ocr", "dataset=chunk"}},
		{lang.Panel{X: "passes", Y: lang.Strings{"work"}},
			[]string{"letters, cached", "letters, plain", "words, cached", "words, plain"}},
		{lang.Panel{X: "passes", Y: lang.Strings{"work"}, Where: `problem == "letters"`}, []string{"cached", "plain"}},
		{lang.Panel{X: "passes", Y: lang.Strings{"work"}, Where: `as == "plain"`}, []string{"letters", "words"}},
		{lang.Panel{X: "n", Y: lang.Strings{"final.work"}, Bound: "max(passes, x) * C"},
			[]string{"letters, cached", "letters, plain", "words, cached", "words, plain",
				"bound", "bound"}},
	} {
		var got []string
		for _, l := range resolve(t, lang.FigureSpec{Panel: test.panel}, files()...).Panels[0].Lines {
			got = append(got, l.Label)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v: labels differ (-want +got):\n%s", test.panel, diff)
		}
	}
}

// TestRunsThatAreNotDrawn checks the warnings about runs without rows, about runs without the drawn column, and about a
// panel without runs.
func TestRunsThatAreNotDrawn(t *testing.T) {
	failed := run(labels{"as": "lbfgs", "C": 10.0}, 1)
	failed.Rows, failed.End = nil, &trace.End{Status: trace.Failed, Why: "line search"}
	censored := run(labels{"as": "slow", "C": 10.0}, 1)
	censored.End.Status = trace.Budget
	noDual := run(labels{"as": "sgd", "C": 10.0}, 1)
	for _, r := range noDual.Rows {
		delete(r.Values, "dual")
	}
	f := resolve(t, lang.FigureSpec{Panels: []lang.Panel{
		{X: "passes", Y: lang.Strings{"dual"}},
		{Title: "none", Where: `as == "lbfgs"`, X: "passes", Y: lang.Strings{"dual"}},
	}}, run(labels{"as": "eg", "C": 10.0}, 1), failed, censored, noDual)
	if len(f.Panels) != 1 || len(f.Panels[0].Lines) != 2 || f.Panels[0].Lines[0].Censored ||
		!f.Panels[0].Lines[1].Censored {
		t.Errorf("panels = %+v, want one with 2 lines, the second censored", f.Panels)
	}
	want := []string{"the run as=lbfgs is not drawn: failed: line search",
		`dual of as=sgd is not drawn: y: unknown name "dual"`,
		"panel 2 (none) is left out, because none of its runs has rows"}
	for i, w := range want {
		if i >= len(f.Warnings) || !strings.HasPrefix(f.Warnings[i], w) {
			t.Fatalf("warnings = %q, want %q", f.Warnings, want)
		}
	}
}

// TestResolveErrors checks the errors about filters, expressions, labels and bounds.
func TestResolveErrors(t *testing.T) {
	y := lang.Strings{"primal"}
	for _, test := range []struct {
		panel lang.Panel
		want  string
	}{
		{lang.Panel{Title: "C=5", Where: "C == 5", X: "passes", Y: y, Line: 12},
			"panel 1 (C=5), line 12: no curve satisfies where: C == 5; the curves are C=10; C=1"},
		{lang.Panel{Where: "D == 5", X: "passes", Y: y}, `unknown name "D"; accepted: C, as,`},
		{lang.Panel{X: "passes", Y: y, Where: "C == 10", Series: lang.SeriesList{{Of: "sgd"}}},
			"no curve satisfies of: sgd and the panel's where: C == 10; the curves are C=10"},
		{lang.Panel{X: "passes", Y: y, Series: lang.SeriesList{{Where: "C == 3"}}},
			"no curve satisfies where: C == 3; the curves are C=10; C=1"},
		{lang.Panel{X: "passes", Y: lang.Strings{"prmal"}}, `y: unknown name "prmal", did you mean "primal"?; accepted: C,`},
		{lang.Panel{X: "C", Y: y}, "one has a value for each row, the other only one value for each run; write final.COLUMN"},
		{lang.Panel{X: "passes", Y: y, Series: lang.SeriesList{{Label: "D={D}"}}},
			`the run has no label {D}; accepted: {y}, {as}, {C}`},
		{lang.Panel{X: "passes", Y: y, Series: lang.SeriesList{{Label: "C={C"}}}, "a { without a matching }"},
		{lang.Panel{X: "passes", Y: y, Bound: "thm5"}, `bound: thm5 (named bounds: ): unknown name "thm5"; accepted: C,`},
	} {
		set := trace.NewSet([]*trace.File{run(labels{"as": "eg", "C": 10.0}, 1), run(labels{"as": "eg", "C": 1.0}, 1)})
		_, err := figure.Resolve(&lang.FigureSpec{Panel: test.panel}, set, figure.Meta{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error = %v, want %q", err, test.want)
		}
	}
	if _, err := figure.Resolve(&lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: y}}, trace.NewSet(nil),
		figure.Meta{}); err == nil {
		t.Error("Resolve without runs returns no error")
	}
}

// TestErrorsNameFewCurves checks that the error of a filter without a curve names all curves or, if there are ten or
// more, eight of them and the number of the others.
func TestErrorsNameFewCurves(t *testing.T) {
	for n := 1; n <= 12; n++ {
		var files []*trace.File
		var names []string
		for i := range n {
			files = append(files, run(labels{"as": fmt.Sprint("s", i)}, 1))
			names = append(names, fmt.Sprint("as=s", i))
		}
		want := strings.Join(names, "; ")
		if n >= 10 {
			want = fmt.Sprintf("%s; and %d more", strings.Join(names[:8], "; "), n-8)
		}
		_, err := figure.Resolve(&lang.FigureSpec{Panel: lang.Panel{Where: `as == "x"`, X: "passes",
			Y: lang.Strings{"primal"}}}, trace.NewSet(files), figure.Meta{})
		if err == nil || !strings.HasSuffix(err.Error(), "the curves are "+want) {
			t.Errorf("%d curves: error %v, want the curves %s", n, err, want)
		}
	}
}

// TestLevels checks that a run with a single row is drawn over the whole panel if it finished, and as a point if its
// budget stopped it.
func TestLevels(t *testing.T) {
	still := func(status trace.Status) *trace.File {
		f := run(labels{"as": "ml"}, 1)
		f.Rows, f.End.Status = f.Rows[:1], status
		return f
	}
	panel := lang.Panel{X: "passes", Y: lang.Strings{"primal"}}
	for status, want := range map[trace.Status]string{
		trace.Done:   "eg|0.0.0|[0 1 2] [8 6 4]\nml|0.1.0|[0 2] [4 4]",
		trace.Budget: "eg|0.0.0|[0 1 2] [8 6 4]\nml|0.1.0|[0] [4]",
	} {
		f := resolve(t, lang.FigureSpec{Panels: []lang.Panel{panel}}, run(labels{"as": "eg"}, 2), still(status))
		if got := tell(f.Panels[0]); got != want {
			t.Errorf("run that ended as %s: lines =\n%s\nwant\n%s", status, got, want)
		}
	}
}
