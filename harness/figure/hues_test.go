package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// looks returns the hues and dash patterns of the lines of all panels, by label.
func looks(f figure.Figure) string {
	var out []string
	for _, p := range f.Panels {
		for _, l := range p.Lines {
			out = append(out, fmt.Sprintf("%s %d.%d", l.Label, l.Hue, l.Dash))
		}
	}
	return strings.Join(out, "; ")
}

// TestLooks checks that the lines of a method have one hue and different dash patterns. If there is only one method, or
// if a method has more lines than dash patterns can tell apart, the settings must have different hues.
func TestLooks(t *testing.T) {
	series := func(list ...lang.Series) lang.FigureSpec {
		return lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"}, Series: list}}
	}
	grid := func(as string, values ...float64) (files []*trace.File) {
		for i, c := range values {
			files = append(files, run(labels{"as": as, "C": c}, float64(i+1)))
		}
		return files
	}
	both := func(values ...float64) []*trace.File { return append(grid("a", values...), grid("b", values...)...) }
	problems := func(values ...float64) []*trace.File {
		out := both(values...)
		for i, f := range out {
			f.Manifest.Labels["problem"] = []string{"p", "q"}[i/len(values)]
		}
		return out
	}
	of := func(as, label string, y ...string) lang.Series { return lang.Series{Of: as, Label: label, Y: y} }
	for _, c := range []struct {
		name  string
		spec  lang.FigureSpec
		files []*trace.File
		want  string
	}{
		{"one method: settings have hues", series(of("a", "C={C}")), grid("a", 1, 2, 3), "C=1 0.0; C=2 1.0; C=3 2.0"},
		{"one named method: settings have hues", series(of("a", "A, C={C}")), grid("a", 1, 2), "A, C=1 0.0; A, C=2 1.0"},
		{"several y: dashes", series(of("a", "C={C}", "primal", "dual")), grid("a", 1, 2),
			"C=1, primal 0.0; C=2, primal 1.0; C=1, dual 0.1; C=2, dual 1.1"},
		{"methods have hues, settings dashes", series(of("a", "A, C={C}"), of("b", "B, C={C}")), both(1, 2),
			"A, C=1 0.0; A, C=2 0.1; B, C=1 1.0; B, C=2 1.1"},
		{"the setting first", series(of("a", "C={C}, A"), of("b", "C={C}, B")), both(1, 2),
			"C=1, A 0.0; C=2, A 0.1; C=1, B 1.0; C=2, B 1.1"},
		{"problems and settings", series(of("", "{problem}, C={C}")), problems(1, 2),
			"p, C=1 0.0; p, C=2 0.1; q, C=1 1.0; q, C=2 1.1"},
		{"methods on problems", series(of("", "{as} of {problem}, C={C}")), problems(1, 2),
			"a of p, C=1 0.0; a of p, C=2 0.1; b of q, C=1 1.0; b of q, C=2 1.1"},
		{"too many for dashes", series(of("a", "A, C={C}"), of("b", "B")), append(grid("a", 1, 2, 3, 4), grid("b", 1)...),
			"A, C=1 0.0; A, C=2 1.0; A, C=3 2.0; A, C=4 3.0; B 4.0"},
		{"hues first, then dashes", series(of("a", "C={C}")), grid("a", 1, 2, 3, 4, 5, 6, 7, 8),
			"C=1 0.0; C=2 1.0; C=3 2.0; C=4 3.0; C=5 4.0; C=6 5.0; C=7 6.0; C=8 0.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, looks(resolve(t, c.spec, c.files...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAssignedHues checks that lines get the hues that a paper assigns to their methods, and that other lines avoid
// these hues.
func TestAssignedHues(t *testing.T) {
	f := &lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"},
		Series: lang.SeriesList{{Of: "a", Label: "A"}, {Of: "b", Label: "B, C={C}"}, {Of: "c", Label: "new"}}}}
	set := trace.NewSet([]*trace.File{run(labels{"as": "a"}, 1), run(labels{"as": "b", "C": 1.0}, 2),
		run(labels{"as": "b", "C": 2.0}, 2), run(labels{"as": "c"}, 3)})
	m := meta(t, set)
	m.Hues = map[string]int{"A": 3, "B": 0}
	got, err := figure.Resolve(f, set, m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("A 3.0; B, C=1 0.0; B, C=2 0.1; new 1.0", looks(got)); diff != "" {
		t.Error(diff)
	}
}

// TestPanelsOfTheirOwn checks that the hues of each panel start at 0 if no line occurs in two panels.
func TestPanelsOfTheirOwn(t *testing.T) {
	panel := func(of string) lang.Panel {
		return lang.Panel{X: "passes", Y: lang.Strings{"primal"}, Series: lang.SeriesList{{Of: of, Label: of}}}
	}
	got := resolve(t, lang.FigureSpec{Panels: []lang.Panel{panel("a"), panel("b")}}, run(labels{"as": "a"}, 1),
		run(labels{"as": "b"}, 2))
	if diff := cmp.Diff("a 0.0; b 0.0", looks(got)); diff != "" {
		t.Error(diff)
	}
}

// TestAssignHues checks that methods of one figure have different hues while there are enough hues, and that figures
// with few methods get their hues first.
func TestAssignHues(t *testing.T) {
	figures := [][]string{{"a", "b", "c", "d", "e", "f", "g", "h"}, {"c", "h"}, {"x"}, nil}
	got := figure.AssignHues(figures)
	if len(figures[0]) != 8 || len(figures[3]) != 0 {
		t.Errorf("the lists of the figures are now in the order %q, want their order as it was", figures)
	}
	want := map[string]int{"x": 0, "c": 0, "h": 1, "a": 2, "b": 3, "d": 4, "e": 5, "f": 6, "g": 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestMethods checks which names of lines are known before anything runs.
func TestMethods(t *testing.T) {
	set := &trace.Set{}
	for _, l := range []labels{{"as": "a", "C": 1.0, "n": 0.0}, {"as": "a", "C": 2.0, "n": 0.0},
		{"as": "b", "C": 1.0, "n": 0.0}} {
		set.Curves = append(set.Curves, &trace.Curve{Labels: l})
	}
	series := func(label string, of ...string) []string {
		p := lang.Panel{X: "passes", Y: lang.Strings{"primal"}}
		for _, o := range of {
			p.Series = append(p.Series, lang.Series{Of: o, Label: label})
		}
		return figure.Methods(&lang.FigureSpec{Panels: []lang.Panel{p}}, set, []string{"n"})
	}
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"a method with its setting", series("EG, C = {C}", "a"), []string{"EG"}},
		{"settings", series("C = {C}, {y}", "a"), []string{"C = 1", "C = 2"}},
		{"a setting that only the run knows", series("n = {n}", "a"), nil},
		{"variants", series("{as}", "a", "b"), []string{"a", "b"}},
		{"automatic", series("", "a", "b"), []string{"C=1", "C=2", "b"}},
		{"automatic without series", series(""), []string{"a", "b"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s: names differ (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestDescription checks the description of a figure in words.
func TestDescription(t *testing.T) {
	f := figure.Figure{Caption: "data x", Findings: []string{"It falls: {1, 2}."}, Panels: []figure.Panel{
		{Title: "Left", X: figure.Axis{Label: "passes"}, Y: figure.Axis{Label: "gap", Log: true}, Lines: []figure.Line{
			{Label: "C = 10^{3}", X: []float64{1, 2, 30}, Y: []float64{5, 4, 1e-4}, Censored: true}}},
		{X: figure.Axis{Label: "n"}, Y: figure.Axis{Label: "seconds"}, Lines: []figure.Line{
			{X: []float64{1}, Y: []float64{2}}}}}}
	want := "2 panels. Panel 1, Left: gap (logarithmic) against passes: C = 10^3 from 5 at 1 to 0.0001 at 30, where its " +
		"budget stopped it. Panel 2, seconds against n: a line 2 at 1. Source: data x. It falls: {1, 2}."
	if diff := cmp.Diff(want, f.Description()); diff != "" {
		t.Error(diff)
	}
}

// TestSource checks the overrides in the caption, and the lines that Source prints.
func TestSource(t *testing.T) {
	set := trace.NewSet([]*trace.File{run(labels{"as": "a"}, 1)})
	spec := &lang.Spec{ID: "x", Scale: "smoke", Hash: "0a1b", Overrides: []string{"stop.passes=5", "seed=3"}}
	m := figure.NewMeta(spec, set)
	if !strings.Contains(m.Caption(), " · with stop.passes=5, seed=3") {
		t.Errorf("caption = %q, want the overridden settings in it", m.Caption())
	}
	m.Source.Runs, m.Source.Commits = []string{"k1", "k2"}, []string{"c1"}
	want := []string{"spec sha256 0a1b", "scale smoke", "with stop.passes=5 seed=3", "commit c1", "runs k1 k2"}
	if diff := cmp.Diff(want, m.Source.Lines()); diff != "" {
		t.Error(diff)
	}
	if lines := (figure.Source{}).Lines(); len(lines) > 0 {
		t.Errorf("lines of an unknown source = %q, want none", lines)
	}
}

// TestEnds checks that the lines of a panel have labels at their ends if and only if there are more methods than hues.
func TestEnds(t *testing.T) {
	for methods, want := range map[int]bool{figure.Hues: false, figure.Hues + 1: true} {
		var files []*trace.File
		for i := range methods {
			files = append(files, run(labels{"as": fmt.Sprint("m", i), "C": 1.0}, float64(i+1)))
		}
		f := resolve(t, lang.FigureSpec{Share: "y", Panels: []lang.Panel{{X: "passes", Y: lang.Strings{"primal"}},
			{X: "passes", Y: lang.Strings{"dual"}}}}, files...)
		for i, p := range f.Panels {
			if p.Ends != want {
				t.Errorf("%d methods, panel %d: labels at the ends = %t, want %t", methods, i+1, p.Ends, want)
			}
		}
	}
}

// TestEndsOfSeparateLegends checks that a panel whose lines are not in the common legend has labels at the ends of its
// lines if it alone has more methods than hues.
func TestEndsOfSeparateLegends(t *testing.T) {
	var files []*trace.File
	for i := range 2*figure.Hues + 1 {
		files = append(files, run(labels{"as": fmt.Sprint("m", i), "number": float64(i)}, float64(i+1)))
	}
	p := func(where string) lang.Panel {
		return lang.Panel{Where: where, X: "passes", Y: lang.Strings{"primal"}}
	}
	few, other, many := p("number <= 1"), p("number >= 1 and number <= 3"), p("number >= 7")
	for _, c := range []struct {
		panels []lang.Panel
		want   []bool
	}{{[]lang.Panel{few, other, many}, []bool{false, false, true}},
		{[]lang.Panel{many, few, few}, []bool{true, false, false}},
		{[]lang.Panel{few, many, many}, []bool{false, true, true}}, {[]lang.Panel{many, few}, []bool{true, false}}} {
		var got []bool
		for _, panel := range resolve(t, lang.FigureSpec{Panels: c.panels}, files...).Panels {
			got = append(got, panel.Ends)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("labels at the ends of the lines of %d panels differ (-want +got):\n%s", len(c.panels), diff)
		}
	}
}

// TestSharedAxes checks which axes of a figure have common limits for each value of the key share.
func TestSharedAxes(t *testing.T) {
	for share, want := range map[string][2]bool{"": {}, "x": {true, false}, "y": {false, true}, "both": {true, true}} {
		f := resolve(t, lang.FigureSpec{Share: share, Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"}}},
			run(labels{"as": "eg"}, 1))
		if got := [2]bool{f.ShareX, f.ShareY}; got != want {
			t.Errorf("share %q: shared axes = %t, want %t", share, got, want)
		}
	}
}

// TestSizesInCaptions checks how the caption states one, few and many numbers of training examples.
func TestSizesInCaptions(t *testing.T) {
	for want, sizes := range map[string][]int{"n 7 · ": {7}, "n 5, 7 · ": {7, 5, 7}, "n 5, 7, 9 · ": {9, 5, 7},
		"n 5 to 11 · ": {7, 11, 5, 9}} {
		var files []*trace.File
		for i, n := range sizes {
			files = append(files, run(labels{"as": fmt.Sprint(i)}, 1))
			files[i].Manifest.N = n
		}
		if got := meta(t, trace.NewSet(files)).Caption(); !strings.Contains(got, " · "+want) {
			t.Errorf("caption of runs on %v examples = %q, want %q in it", sizes, got, want)
		}
	}
}
