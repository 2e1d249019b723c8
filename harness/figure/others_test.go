package figure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// pairs returns five runs: the solver fast at n = 10 and 20, each with C = 1 and 9, and the solver slow at n = 10, C =
// 1.
func pairs() []*trace.File {
	run := func(as string, n, C, seconds, wrong float64) *trace.File {
		f := &trace.File{End: &trace.End{Status: trace.Done}}
		f.Manifest = trace.Manifest{Labels: labels{"as": as, "n": n, "C": C}}
		f.Rows = []trace.Row{{Values: map[string]float64{"passes": 1, "seconds": seconds, "wrong": wrong}}}
		return f
	}
	return []*trace.File{run("fast", 10, 1, 2, 0.5), run("fast", 20, 1, 4, 0.5), run("fast", 10, 9, 3, 0.4),
		run("fast", 20, 9, 8, 0.6), run("slow", 10, 1, 6, 0.3)}
}

// TestQuantityOfTwoRuns draws the ratio of the times of fast and slow. It checks that the line has no point at n = 20,
// where the run of slow is missing.
func TestQuantityOfTwoRuns(t *testing.T) {
	p := lang.Panel{X: "n", Where: `as == "fast" and C == 1`,
		Y: lang.Strings{`final.seconds / final(curve({as: "slow", n: n, C: C}), "seconds")`}}
	line := resolve(t, lang.FigureSpec{Panel: p}, pairs()...).Panels[0].Lines[0]
	if diff := cmp.Diff([][]float64{{10}, {1.0 / 3}}, [][]float64{line.X, line.Y}); diff != "" {
		t.Error(diff)
	}
}

// TestBestAtEachX checks that a filter can select, for each n, the run with the smallest error.
func TestBestAtEachX(t *testing.T) {
	p := lang.Panel{X: "n", Y: lang.Strings{"final.seconds"},
		Where: `as == "fast" and final.wrong == min(map(curves({as: as, n: n}), final(#, "wrong")))`}
	line := resolve(t, lang.FigureSpec{Panel: p}, pairs()...).Panels[0].Lines[0]
	if diff := cmp.Diff([][]float64{{10, 20}, {3, 4}}, [][]float64{line.X, line.Y}); diff != "" {
		t.Error(diff)
	}
}

// TestGuide draws a formula in x as a bound: a straight line through the point of one run. It checks the values and the
// label of this line.
func TestGuide(t *testing.T) {
	p := lang.Panel{X: "n", Where: "C == 1", Y: lang.Strings{"final.seconds"}, BoundLabel: "proportional to n",
		Bound: `x * final(curve({as: "fast", n: 20, C: 1}), "seconds") / 20`}
	lines := boundsOf(t, p, pairs()...)
	if len(lines) != 1 || lines[0].Label != "proportional to n" || lines[0].Style != figure.Bound {
		t.Fatalf("bounds = %+v, want one with the label proportional to n", lines)
	}
	if y := lines[0].Y; y[0] != 2 || y[len(y)-1] != 4 {
		t.Errorf("y of the bound = %v, want it from 2 to 4", y)
	}
}

// TestCallersSolversOnDrawnProblems checks that a panel draws the runs of a caller's solver, which its filter and its
// series leave out, on the problems of the drawn curves, and on no other problem.
func TestCallersSolversOnDrawnProblems(t *testing.T) {
	var files []*trace.File
	for _, C := range []float64{1, 10, 100} {
		files = append(files, run(labels{"as": "eg", "solver": "eg", "C": C}, C),
			run(labels{"as": "mine", "solver": "mine", "C": C}, 2*C))
	}
	set := trace.NewSet(files)
	m := meta(t, set)
	m.Extra = []string{"mine"}
	for where, want := range map[string][]float64{
		`as == "eg" and C == 10`: {40, 80}, `as == "eg" and C >= 10`: {40, 400, 80, 800}, `as == "eg" and C < 10`: {4, 8},
	} {
		f := lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"}, Where: where,
			Series: lang.SeriesList{{Label: "EG, C={C}"}}}}
		out, err := figure.Resolve(&f, set, m)
		if err != nil {
			t.Fatal(err)
		}
		var first []float64 // the first y of each line
		for _, l := range out.Panels[0].Lines {
			i := l.Runs[0] // an even index is of eg, an odd one of mine
			mine := "mine"
			if len(want) > 2 { // several runs of mine are drawn
				mine = "mine, C=" + trace.FormatLabel(files[i].Manifest.Labels["C"])
			}
			eg := "EG, C=" + trace.FormatLabel(files[i].Manifest.Labels["C"])
			if label := []string{eg, mine}[i%2]; l.Label != label {
				t.Errorf("where %s: line of run %d is called %q, want %q", where, i, l.Label, label)
			}
			first = append(first, l.Y[0])
		}
		if diff := cmp.Diff(want, first); diff != "" {
			t.Errorf("where %s: the lines begin at other values (-want +got):\n%s", where, diff)
		}
	}
}

// TestWhichLinesAreLevels checks which lines with one point are drawn over the whole panel: the lines of runs that
// finished with their first row. Runs whose further rows lack the drawn column, and runs that their budget stopped,
// remain points.
func TestWhichLinesAreLevels(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*trace.File)
		want bool
	}{
		"finished with its first row": {func(f *trace.File) { f.Rows = f.Rows[:1] }, true},
		"stopped by its budget":       {func(f *trace.File) { f.Rows, f.End.Status = f.Rows[:1], trace.Budget }, false},
		"rows without the column": {func(f *trace.File) {
			delete(f.Rows[1].Values, "primal")
			delete(f.Rows[2].Values, "primal")
		}, false},
	} {
		one := run(labels{"as": "one"}, 1)
		c.edit(one)
		p := lang.Panel{X: "passes", Y: lang.Strings{"primal"}}
		lines := resolve(t, lang.FigureSpec{Panel: p}, one, run(labels{"as": "many"}, 2)).Panels[0].Lines
		if got := lines[0].Level && len(lines[0].X) == 2; got != c.want || len(lines[1].X) != 3 {
			t.Errorf("%s: drawn over the whole panel: %v, want %v", name, got, c.want)
		}
	}
}

// TestRivalsAreNamed checks that a label without a method names the solver if the figure also shows a caller's solver.
func TestRivalsAreNamed(t *testing.T) {
	set := trace.NewSet([]*trace.File{run(labels{"as": "eg", "solver": "eg", "C": 10.0}, 1),
		run(labels{"as": "mine", "solver": "mine", "C": 10.0}, 2)})
	for _, c := range []struct {
		extra []string
		want  string
	}{{nil, "C=10|C=10"}, {[]string{"mine"}, "eg, C=10|mine"}} {
		m := meta(t, set)
		m.Extra = c.extra
		f, err := figure.Resolve(&lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"},
			Series: lang.SeriesList{{Label: "C={C}"}}}}, set, m)
		if err != nil {
			t.Fatal(err)
		}
		lines := f.Panels[0].Lines
		if got := lines[0].Label + "|" + lines[len(lines)-1].Label; got != c.want {
			t.Errorf("labels with the caller's solvers %v = %s, want %s", c.extra, got, c.want)
		}
	}
}

// TestSeveralRivals checks that each of several solvers of a caller has one line of its own, that a solver without rows
// or on another problem has none, and that a solver that a series draws is not drawn again.
func TestSeveralRivals(t *testing.T) {
	one := func(as string, c float64) *trace.File { return run(labels{"as": as, "solver": as, "C": c}, 1) }
	empty := one("empty", 10)
	empty.Rows = nil
	set := trace.NewSet([]*trace.File{one("eg", 10), one("a", 10), one("b", 10), empty, one("far", 5)})
	for _, c := range []struct {
		extra []string
		want  string
	}{
		{[]string{"a"}, "EG|a"}, {[]string{"a", "b"}, "EG|a|b"}, {[]string{"b", "a"}, "EG|b|a"},
		{[]string{"empty", "b", "far"}, "EG|b"}, {[]string{"eg", "a"}, "EG|a"},
	} {
		m := meta(t, set)
		m.Extra = c.extra
		f, err := figure.Resolve(&lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"},
			Series: lang.SeriesList{{Of: "eg", Label: "EG"}}}}, set, m)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range f.Panels[0].Lines {
			got = append(got, l.Label)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("lines with the caller's solvers %v = %q, want %s", c.extra, got, c.want)
		}
	}
}

// TestLongLabelsAreShort checks that a legend has only the words in which the long labels of runs differ.
func TestLongLabelsAreShort(t *testing.T) {
	const words = "word[-1] word[0] word[1] pos[-1] pos[0]"
	files := []*trace.File{run(labels{"as": "eg", "features": words}, 1),
		run(labels{"as": "eg", "features": words + " suffix3[0]"}, 2)}
	f := lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"}, By: "features"}}
	var got []string
	for _, l := range resolve(t, f, files...).Panels[0].Lines {
		got = append(got, l.Label)
	}
	if want := []string{"features=…", "features=… suffix3[0]"}; !slices.Equal(got, want) {
		t.Errorf("labels of the lines %q, want %q", got, want)
	}
}

// TestWhichOfTheCallersRunsAreDrawn checks that a run of a caller's solver is drawn if all its labels agree with those
// of a drawn run. The drawn run may have further labels; the names of the solvers and the status do not count.
func TestWhichOfTheCallersRunsAreDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		drawn, own labels
		want       bool
	}{
		"equal":                   {labels{"n": 5.0}, labels{"n": 5.0}, true},
		"another value":           {labels{"n": 5.0}, labels{"n": 6.0}, false},
		"a setting of the drawn":  {labels{"n": 5.0, "momentum": 0.9}, labels{"n": 5.0}, true},
		"a setting of the caller": {labels{"n": 5.0}, labels{"n": 5.0, "momentum": 0.9}, false},
		"another solver":          {labels{"n": 5.0, "solver": "eg"}, labels{"n": 5.0, "solver": "mine"}, true},
	} {
		c.drawn["as"], c.own["as"] = "eg", "mine"
		set := trace.NewSet([]*trace.File{run(c.drawn, 1), run(c.own, 2)})
		m := meta(t, set)
		m.Extra = []string{"mine"}
		f, err := figure.Resolve(&lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"},
			Where: `as == "eg"`}}, set, m)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(f.Panels[0].Lines) == 2; got != c.want {
			t.Errorf("%s: the caller's run is drawn: %t, want %t", name, got, c.want)
		}
	}
}

// TestPointsOfLines checks on random runs that the points of a line are exactly the rows with finite x and y, and that
// a run with one row is drawn from the smallest to the largest x of the other lines, wherever its own x is.
func TestPointsOfLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 35))
	value := func() float64 {
		if rng.IntN(4) == 0 {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
		}
		return float64(rng.IntN(9))
	}
	for range 100 {
		level := run(labels{"as": "level"}, 1)
		level.Rows = level.Rows[:1]
		level.Rows[0].Values["passes"] = float64(rng.IntN(20) - 10)
		files, want := []*trace.File{level}, []string{""}
		low, high := math.Inf(1), math.Inf(-1)
		for i := range 1 + rng.IntN(3) {
			f := run(labels{"as": fmt.Sprint("m", i)}, 1)
			var xs, ys []float64
			f.Rows = nil
			for at := range 2 + rng.IntN(5) {
				x, y := float64(2*at), value()
				if rng.IntN(5) == 0 {
					x = math.NaN()
				}
				f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": x, "primal": y}})
				if !math.IsNaN(x+y) && !math.IsInf(y, 0) {
					xs, ys = append(xs, x), append(ys, y)
					low, high = min(low, x), max(high, x)
				}
			}
			files = append(files, f)
			if len(xs) > 0 {
				want = append(want, fmt.Sprint(f.Manifest.Labels["as"], xs, ys))
			}
		}
		want[0] = fmt.Sprint("level", []float64{low, high}, []float64{4, 4})
		if low >= high {
			want[0] = fmt.Sprint("level", []float64{level.Rows[0].Values["passes"]}, []float64{4})
		}
		var got []string
		p := lang.Panel{X: "passes", Y: lang.Strings{"primal"}, Series: lang.SeriesList{{Label: "{as}"}}}
		for _, l := range resolve(t, lang.FigureSpec{Panel: p}, files...).Panels[0].Lines {
			got = append(got, fmt.Sprint(l.Label, l.X, l.Y))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("lines differ (-want +got):\n%s", diff)
		}
	}
}

// TestFiguresWithoutRows checks that a figure none of whose runs has rows is an error, with the reason of each run.
func TestFiguresWithoutRows(t *testing.T) {
	for n := 1; n <= 3; n++ {
		var files []*trace.File
		for i := range n {
			f := run(labels{"as": fmt.Sprint("m", i)}, 1)
			f.Rows, f.End = nil, &trace.End{Status: trace.Failed, Why: fmt.Sprint("reason ", i)}
			files = append(files, f)
		}
		set := trace.NewSet(files)
		p := lang.Panel{X: "passes", Y: lang.Strings{"primal"}}
		f, err := figure.Resolve(&lang.FigureSpec{Panels: []lang.Panel{p, p}}, set, meta(t, set))
		for i := range n {
			if want := fmt.Sprint("failed: reason ", i); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("figure of %d runs without rows: %d panels, error %v; want %q in it", n, len(f.Panels), err, want)
			}
		}
	}
}

// TestAxesAreThoseOfThePanel checks each field of the two axes of panels, the columns on the x axis, and that a limit
// of one panel is no limit of the next.
func TestAxesAreThoseOfThePanel(t *testing.T) {
	panels := []lang.Panel{
		{Title: "one", X: "passes", XLabel: "work", XScale: "log", XRange: &[2]float64{1, 2}, Y: lang.Strings{"dual"}},
		{Title: "two", X: "2 * passes", Y: lang.Strings{"primal"}, YLabel: "loss", YScale: "log", YRange: &[2]float64{3, 4}},
		{Title: "three", X: "passes", XScale: "linear", Series: lang.SeriesList{{Y: lang.Strings{"dual"}},
			{Y: lang.Strings{"primal", "dual"}}}},
	}
	out := resolve(t, lang.FigureSpec{Panels: panels}, run(labels{"as": "eg"}, 1))
	x := func(v float64) *float64 { return &v }
	want := []figure.Panel{
		{Title: "one", Of: "passes", X: figure.Axis{Label: "work", Log: true, Min: x(1), Max: x(2)},
			Y: figure.Axis{Label: "Dual objective"}},
		{Title: "two", Of: "2 * passes", X: figure.Axis{Label: "2 * passes"},
			Y: figure.Axis{Label: "loss", Log: true, Min: x(3), Max: x(4)}},
		{Title: "three", Of: "passes", X: figure.Axis{Label: "Effective passes"},
			Y: figure.Axis{Label: "Dual objective, Primal objective"}},
	}
	for i := range out.Panels {
		out.Panels[i].Lines = nil
	}
	if diff := cmp.Diff(want, out.Panels); diff != "" {
		t.Errorf("panels differ (-want +got):\n%s", diff)
	}
}

// TestMetaOfRuns checks all that a figure says about its runs: names from the spec, and data, scales, sizes, keys,
// commits and older revisions from all runs, each once; and its caption.
func TestMetaOfRuns(t *testing.T) {
	var files []*trace.File
	for i := range 4 {
		f := run(labels{"as": fmt.Sprint("m", i)}, 1)
		f.Manifest.Key, f.Manifest.N = fmt.Sprint("key ", i), 5-i%3
		f.Manifest.Data = trace.DataManifest{Name: fmt.Sprint("data ", i%3), Synthetic: i%3 == 1}
		f.Manifest.Scale = []string{"paper", "smoke", "paper", "smoke"}[i]
		f.Manifest.Commit, f.Manifest.Dirty = []string{"", "abc", "0123456789", "0123456aaa"}[i], i == 2
		f.Older = []string{"solver eg 1", "model chain 2", "solver eg 1", ""}[i]
		files = append(files, f)
	}
	got := figure.NewMeta(&lang.Spec{ID: "p/a", Title: "A title", Hash: "0a1b", Scale: "s", Overrides: []string{"x=1"}},
		trace.NewSet(files))
	want := figure.Meta{ID: "p/a", Title: "A title", Datasets: []string{"data 0", "data 1 (generated)", "data 2"},
		Synthetic: true, Scales: []string{"paper", "smoke"}, N: []int{3, 4, 5},
		Older: []string{"solver eg 1", "model chain 2"},
		Source: figure.Source{Spec: "0a1b", Scale: "s", Overrides: []string{"x=1"},
			Runs: []string{"key 0", "key 1", "key 2", "key 3"}, Commits: []string{"abc", "0123456+", "0123456"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("information differs (-want +got):\n%s", diff)
	}
	got.Share = "3 of 4 runs"
	caption := "3 of 4 runs · data data 0, data 1 (generated), data 2 · n 3, 4, 5 · scale paper, smoke · " +
		"with x=1 · " +
		"commit abc, 0123456+, 0123456 · older revisions solver eg 1, model chain 2"
	if got.Caption() != caption {
		t.Errorf("caption %q, want %q", got.Caption(), caption)
	}
	if one := figure.NewMeta(&lang.Spec{}, trace.NewSet(files[:1])); one.Synthetic || len(one.Source.Commits) > 0 {
		t.Errorf("information of a run on real data without a commit = %+v", one)
	}
}

// TestWarningsOfPooledRuns checks which labels the warning about means in a sweep names: those in which runs at one x
// differ, at any x, except seeds and folds. Runs at different x may differ in anything.
func TestWarningsOfPooledRuns(t *testing.T) {
	for name, c := range map[string]struct {
		runs []labels
		want string
	}{
		"at different x":  {[]labels{{"n": 1., "C": 1.}, {"n": 2., "C": 2.}}, ""},
		"seeds":           {[]labels{{"n": 1., "seed": 1.}, {"n": 1., "seed": 2.}}, ""},
		"at the second x": {[]labels{{"n": 1., "C": 1.}, {"n": 2., "C": 1.}, {"n": 2., "C": 2.}}, "differ in C,"},
		"two labels":      {[]labels{{"n": 1., "D": 1., "C": 1.}, {"n": 1., "D": 2., "C": 2.}}, "differ in C, D,"},
		"each at its own x": {[]labels{{"n": 1., "D": 1.}, {"n": 1., "D": 2.}, {"n": 2., "C": 1.},
			{"n": 2., "C": 2.}}, "C, D,"},
		"more than the seed": {[]labels{{"n": 1., "seed": 1., "C": 1.}, {"n": 1., "seed": 1., "C": 2.}}, "differ in C,"},
	} {
		var files []*trace.File
		for _, l := range c.runs {
			l["as"] = "eg"
			f := sized("eg", l["n"].(float64), trace.Done, 1)
			f.Manifest.Labels = l
			files = append(files, f)
		}
		f := resolve(t, lang.FigureSpec{Panel: lang.Panel{X: "n", Y: lang.Strings{"final.work"}}}, files...)
		if text := strings.Join(f.Warnings, "; "); (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: warnings %q, want one with %q", name, text, c.want)
		}
	}
}
