package figure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestForesee checks which keys of a panel are faults before anything runs. A panel without a fault must have none, and
// a figure of several panels has the faults of each panel under the panel's own key.
func TestForesee(t *testing.T) {
	const x, C = "passes", "C={C}"
	var planned, made []*trace.Curve
	for _, as := range []string{"eg", "sgd"} {
		for _, c := range []float64{1, 10} {
			l := labels{"as": as, "solver": as, "C": c, "n": 100.0}
			if as == "eg" {
				l["rate"] = 0.5
			}
			planned = append(planned, &trace.Curve{Labels: l})
			made = append(made, &trace.Curve{Labels: l, Columns: map[string][]float64{"passes": nil, "primal": nil}})
		}
	}
	y := lang.Strings{"primal"}
	series := func(list ...lang.Series) lang.Panel { return lang.Panel{X: x, Y: y, Series: list} }
	for _, c := range []struct {
		name    string
		panel   lang.Panel
		columns bool // whether the fault needs the columns of the runs
		want    []string
	}{
		{"faultless", lang.Panel{X: x, Y: y}, false, nil},
		{"faultless series", series(lang.Series{Of: "eg", Label: C}, lang.Series{Label: "{as}"}), false, nil},
		{"label of the runs of the series", series(lang.Series{Of: "eg", Label: "{rate}"}), false, nil},
		{"label that some runs lack", series(lang.Series{Label: C}, lang.Series{Label: "{rate}"}), false,
			[]string{"series.1.label"}},
		{"label that all runs lack", series(lang.Series{Of: "sgd", Label: "{rate}"}), false, []string{"series.0.label"}},
		{"runs known only later", lang.Panel{X: x, Y: y, Where: "final.primal > 1",
			Series: lang.SeriesList{{Label: "{rate}"}}}, false, nil},
		{"filter without runs", lang.Panel{X: x, Y: y, Where: "C > 10"}, false, []string{"where"}},
		{"filter with an unknown name", lang.Panel{X: x, Y: y, Where: "D > 10"}, false, []string{"where"}},
		{"series without runs", series(lang.Series{Of: "bfgs"}, lang.Series{Where: "C > 10"}), false,
			[]string{"series.0.of", "series.1.where"}},
		{"x", lang.Panel{X: "pases", Y: y}, true, []string{"x"}},
		{"by", lang.Panel{X: "n", Y: lang.Strings{"final.primal"}, By: "D"}, true, []string{"by"}},
		{"y", lang.Panel{X: x, Y: lang.Strings{"primal", "dual"}}, true, []string{"y"}},
		{"y of two series", lang.Panel{X: x, Y: lang.Strings{"dual"}, Series: lang.SeriesList{{Of: "eg"}, {Of: "sgd"}}}, true,
			[]string{"y"}},
		{"y of a series", series(lang.Series{Of: "eg"}, lang.Series{Y: lang.Strings{"dual"}}), true,
			[]string{"series.1.y"}},
		{"bound of a theorem", lang.Panel{X: x, Y: y, Bound: "thm5"}, false, nil},
		{"bound that is a formula", lang.Panel{X: x, Y: y, Bound: "C * radius / x"}, false, nil},
		{"bound with an unknown name", lang.Panel{X: x, Y: y, Bound: "C * R / x"}, true, []string{"bound"}},
	} {
		for _, known := range []bool{false, true} {
			curves, wanted := planned, c.want
			if known {
				curves = made
			} else if c.columns {
				wanted = nil
			}
			c.panel.Line, c.panel.Series = 7, slices.Clone(c.panel.Series)
			for i := range c.panel.Series {
				c.panel.Series[i].Line = 10 + i
			}
			for _, panels := range [][]lang.Panel{{c.panel}, {{X: x, Y: y}, c.panel}} {
				f, key := lang.FigureSpec{Panels: panels}, "figure."
				if len(panels) > 1 {
					key = "figure.panels.1."
				}
				var want, got []string
				for _, w := range wanted {
					want = append(want, key+w)
				}
				for _, fault := range figure.Foresee(&f, &trace.Set{Curves: curves}, []string{"late"},
					map[string]string{"thm5": "D * E"}, []string{"radius"}) {
					got = append(got, fault.Key)
					if fault.Line != lineOf(fault.Key) {
						t.Errorf("%s: fault of %s in line %d, want %d", c.name, fault.Key, fault.Line, lineOf(fault.Key))
					}
					if fault.Err == nil {
						t.Errorf("%s: fault of %s without a reason", c.name, fault.Key)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, columns known: %t, %d panels: faults differ (-want +got):\n%s", c.name, known, len(panels), diff)
				}
			}
		}
	}
}

// lineOf returns the line of a key in the specs of TestForesee: 7 for the panel and 10 + i for its series i.
func lineOf(key string) int {
	if _, after, ok := strings.Cut(key, "series."); ok {
		return 10 + int(after[0]-'0')
	}
	return 7
}

// TestMethodsAreNames checks that the methods known before anything runs are those of the lines that are drawn later.
func TestMethodsAreNames(t *testing.T) {
	var files []*trace.File
	for _, as := range []string{"eg", "sgd"} {
		for _, c := range []float64{1, 10} {
			files = append(files, run(labels{"as": as, "C": c}, c))
		}
	}
	set := trace.NewSet(files)
	for _, c := range []struct {
		series lang.SeriesList
		want   []string
	}{
		{nil, []string{"eg", "sgd"}},
		{lang.SeriesList{{Label: "{as}, C={C}"}}, []string{"eg", "sgd"}},
		{lang.SeriesList{{Of: "eg", Label: "EG, C={C}"}, {Of: "sgd", Label: "SGD"}}, []string{"EG", "SGD"}},
		{lang.SeriesList{{Of: "eg", Label: "C={C}"}}, []string{"C=1", "C=10"}},
		{lang.SeriesList{{Of: "eg", Label: "late {late}"}}, nil},
		{lang.SeriesList{{Where: "D == 1"}, {Of: "sgd", Label: "SGD"}}, []string{"SGD"}},
	} {
		got := figure.Methods(&lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"}, Series: c.series}},
			set, []string{"late"})
		slices.Sort(got)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("methods of the series %+v = %q, want %q", c.series, got, c.want)
		}
	}
}

// TestMethodsOfAllPanels checks, for panels with filters, with problems and with one point for each run, that the
// methods known before anything runs are the methods of the lines that are drawn: each line has the hue that is
// assigned to such a method.
func TestMethodsOfAllPanels(t *testing.T) {
	var files []*trace.File
	for i, as := range []string{"eg", "sgd", "bfgs"} {
		for k, problem := range []string{"letters", "words"} {
			f := run(labels{"as": as, "C": float64(1 + k), "problem": problem, "n": float64(i)}, 1)
			files = append(files, f)
		}
	}
	set := trace.NewSet(files)
	y, final := lang.Strings{"primal"}, lang.Strings{"final.primal"}
	for _, c := range []struct {
		panels []lang.Panel
		want   []string
	}{
		{[]lang.Panel{{X: "passes", Y: y, Where: `as == "eg"`}, {X: "passes", Y: y, Where: `as == "sgd" and C == 1`}},
			[]string{"letters", "words", "sgd"}},
		{[]lang.Panel{{X: "C", Y: final, By: "as", Where: "C == 1"}}, []string{"eg", "sgd", "bfgs"}},
		{[]lang.Panel{{X: "C", Y: final, By: "problem", Where: `as == "eg"`}}, []string{"letters", "words"}},
		{[]lang.Panel{{X: "C", By: "n", Where: `problem == "words"`, Series: lang.SeriesList{{Y: final}}}},
			[]string{"n=0", "n=1", "n=2"}},
		{[]lang.Panel{{X: "passes", Y: y, Where: "C == 2", Series: lang.SeriesList{{Where: `as != "eg"`},
			{Of: "eg", Label: "EG, {y}"}}}}, []string{"sgd", "bfgs", "EG"}},
	} {
		f := lang.FigureSpec{Panels: c.panels}
		got := figure.Methods(&f, set, nil)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("methods of %+v differ (-want +got):\n%s", c.panels, diff)
		}
		m := meta(t, set)
		m.Hues = map[string]int{}
		for _, method := range got {
			m.Hues[method] = 6
		}
		out, err := figure.Resolve(&f, set, m)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range out.Panels {
			for _, l := range p.Lines {
				if l.Hue != 6 {
					t.Errorf("%+v: the line %s has the hue %d, want the assigned hue 6", c.panels, l.Label, l.Hue)
				}
			}
		}
	}
}
