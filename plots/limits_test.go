package plots

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestLimitsOfAxes checks for pairs of limits, of linear and of logarithmic axes, that an axis is accepted if its
// limits can be drawn and the lower one is below the upper one. A limit that is not set is always accepted.
func TestLimitsOfAxes(t *testing.T) {
	limits := []float64{math.Inf(-1), -1e301, -1e300, -1, 0, 1e-3, 1, 1 + 1e-15, 1e300, 1e301, math.Inf(1), math.NaN()}
	fits := func(v *float64, log bool) bool {
		return v == nil || math.Abs(*v) <= 1e300 && (!log || *v > 0)
	}
	lines := []figure.Line{{X: []float64{1}, Y: []float64{1}}}
	for _, log := range []bool{false, true} {
		for i := range len(limits) + 1 {
			for j := range len(limits) + 1 {
				a := figure.Axis{Log: log}
				if i < len(limits) {
					a.Min = &limits[i]
				}
				if j < len(limits) {
					a.Max = &limits[j]
				}
				want := fits(a.Min, log) && fits(a.Max, log) && (a.Min == nil || a.Max == nil || *a.Min < *a.Max)
				for _, p := range []figure.Panel{{X: a, Lines: lines}, {Y: a, Lines: lines}} {
					if err := checkPanel(p); (err == nil) != want {
						t.Errorf("limits %d and %d of %v, log %v: error %v; want none: %v", i, j, limits, log, err, want)
					}
				}
			}
		}
	}
}

// TestLimitsOfPanels checks which values determine the ranges of both axes of a panel: the points and the band within
// the limits of x, at most one length of bounds on a linear axis, zero for x that begins near it, and space for arrows.
func TestLimitsOfPanels(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	line := func(x, y []float64) figure.Line { return figure.Line{X: x, Y: y} }
	bound := func(x, y []float64) figure.Line { return figure.Line{X: x, Y: y, Style: figure.Bound} }
	band := line([]float64{1, 2, 9}, []float64{1, 2, 1.5})
	band.Low, band.High = []float64{0.5, 2, -50}, []float64{1, 4.5, 50}
	points := line([]float64{1, 2}, []float64{1, 2})
	points.Style = figure.Points
	rising := line([]float64{1, 2}, []float64{1, 10})
	rising.Stopped, rising.Rising = []bool{false, true}, true
	still := rising
	still.Stopped = nil
	log := figure.Axis{Log: true}
	for name, c := range map[string]struct {
		p    figure.Panel
		x, y span
	}{
		"within the limits of x": {figure.Panel{X: figure.Axis{Min: at(1), Max: at(2)}, Lines: []figure.Line{
			line([]float64{0, 1, 2, 3}, []float64{100, 1, 2, -100})}}, span{1, 2}, span{0.95, 2.05}},
		"above a lower limit of x": {figure.Panel{X: figure.Axis{Min: at(1)}, Lines: []figure.Line{
			line([]float64{0, 1, 2}, []float64{100, 1, 2})}}, span{1, 2}, span{0.95, 2.05}},
		"a band": {figure.Panel{X: figure.Axis{Max: at(2)}, Lines: []figure.Line{band}}, span{1, 2}, span{0.3, 4.7}},
		"begins near zero": {figure.Panel{Lines: []figure.Line{line([]float64{0.5, 10}, []float64{1, 2})}}, span{0, 10},
			span{0.95, 2.05}},
		"begins not so near": {figure.Panel{Lines: []figure.Line{line([]float64{0.6, 10}, []float64{1, 2})}}, span{0.6, 10},
			span{0.95, 2.05}},
		"begins near zero, log": {figure.Panel{X: log, Lines: []figure.Line{line([]float64{0.1, 10}, []float64{1, 2})}},
			span{0.1, 10}, span{0.95, 2.05}},
		"begins at its limit": {figure.Panel{X: figure.Axis{Min: at(0.2)}, Lines: []figure.Line{
			line([]float64{0.3, 10}, []float64{1, 2})}}, span{0.2, 10}, span{0.95, 2.05}},
		"points": {figure.Panel{Lines: []figure.Line{points}}, span{0.95, 2.05}, span{0.95, 2.05}},
		"a line and a line of one point": {figure.Panel{Lines: []figure.Line{line([]float64{1, 2}, []float64{1, 2}),
			line([]float64{3}, []float64{1})}}, span{0.9, 3.1}, span{0.95, 2.05}},
		"rising": {figure.Panel{Lines: []figure.Line{points, rising}}, span{0.95, 2.05},
			span{0.55, 10.45 + 0.06*9.9}},
		"rising, log": {figure.Panel{Y: log, Lines: []figure.Line{rising}}, span{1, 2},
			span{math.Pow(10, -.05), math.Pow(10, 1.116)}},
		"rising to its limit": {figure.Panel{Y: figure.Axis{Max: at(12)}, Lines: []figure.Line{rising}}, span{1, 2},
			span{0.55, 12}},
		"rising, not stopped": {figure.Panel{Lines: []figure.Line{still}}, span{1, 2}, span{0.55, 10.45}},
		"bounds": {figure.Panel{X: figure.Axis{Max: at(2)}, Lines: []figure.Line{points, bound([]float64{1, 2, 3},
			[]float64{2.5, 60, 2.9})}}, span{0.9, 2}, span{0.925, 2.575}},
		"bounds, log": {figure.Panel{Y: log, Lines: []figure.Line{line([]float64{1, 2}, []float64{1, 1}),
			bound([]float64{1, 3}, []float64{1, 1e5})}}, span{1, 3}, span{math.Pow(10, -.25), math.Pow(10, 5.25)}},
	} {
		x, y := limits(c.p)
		close := func(a, b span) bool {
			return math.Abs(a.Min-b.Min) < 1e-9*math.Max(1, math.Abs(b.Min)) &&
				math.Abs(a.Max-b.Max) < 1e-9*math.Max(1, math.Abs(b.Max))
		}
		if !close(x, c.x) || !close(y, c.y) {
			t.Errorf("%s: limits = %v and %v, want %v and %v", name, x, y, c.x, c.y)
		}
	}
}

// TestLimitsBesideTheData checks the range of an axis with one limit when all values are on the wrong side of it, and
// how far bounds below the values extend a range.
func TestLimitsBesideTheData(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	for name, c := range map[string]struct {
		a      figure.Axis
		y      []float64
		bounds []float64
		want   span
	}{
		"above the upper limit":             {figure.Axis{Max: at(5)}, []float64{7, 9}, nil, span{0, 5}},
		"above an upper limit near 0":       {figure.Axis{Max: at(0.5)}, []float64{7, 9}, nil, span{-0.5, 0.5}},
		"above a negative upper limit":      {figure.Axis{Max: at(-5)}, []float64{7, 9}, nil, span{-10, -5}},
		"below a lower limit near 0":        {figure.Axis{Min: at(0.5)}, []float64{-7, -9}, nil, span{0.5, 1.5}},
		"below a negative lower limit":      {figure.Axis{Min: at(-5)}, []float64{-7, -9}, nil, span{-5, 0}},
		"log, above the upper limit":        {figure.Axis{Max: at(5), Log: true}, []float64{7, 9}, nil, span{0.5, 5}},
		"log, below the lower limit":        {figure.Axis{Min: at(5), Log: true}, []float64{2, 3}, nil, span{5, 50}},
		"both limits":                       {figure.Axis{Min: at(5), Max: at(6)}, []float64{2, 3}, nil, span{5, 6}},
		"bounds below":                      {figure.Axis{}, []float64{10, 12}, []float64{8, 1}, span{7.8, 12.2}},
		"bounds far below":                  {figure.Axis{}, []float64{10, 12}, []float64{2, 1}, span{1.5, 12.5}},
		"bounds on both sides":              {figure.Axis{}, []float64{10, 12}, []float64{9, 13, 99}, span{8.8, 13.2}},
		"a bound within, and one far above": {figure.Axis{}, []float64{10, 12}, []float64{11, 99}, span{9.9, 12.1}},
		"only bounds":                       {figure.Axis{}, nil, []float64{9, 13, 99}, span{4.5, 103.5}},
		"nothing":                           {figure.Axis{}, nil, nil, span{0, 1}},
	} {
		if got := axisLimits(c.a, c.y, c.bounds, 0.05); !near(got.Min, c.want.Min) || !near(got.Max, c.want.Max) {
			t.Errorf("%s: limits %v, want %v", name, got, c.want)
		}
	}
}

// TestDistinctBounds checks which bounds of a panel remain if some lie on others: the longer one of each pair, with the
// names of all lines that it bounds, in the colour of a line only if all have this colour. Other lines remain.
func TestDistinctBounds(t *testing.T) {
	x := []float64{0, 1, 2}
	bound := func(name string, hue int, x []float64, slope float64) figure.Line {
		l := figure.Line{Label: "bound", Name: name, Style: figure.Bound, Own: true, Hue: hue, X: x}
		for _, v := range x {
			l.Y = append(l.Y, slope*v)
		}
		return l
	}
	curve := figure.Line{Label: "curve", X: x, Y: []float64{0, 1, 2}}
	for name, c := range map[string]struct {
		lines []figure.Line
		want  string
	}{
		"one": {[]figure.Line{curve, bound("a", 1, x, 1)}, "curve//0/2/false; bound/a/1/2/true"},
		"two": {[]figure.Line{bound("a", 1, x, 1), curve, bound("b", 2, x, .5)},
			"bound, a/a/1/2/true; curve//0/2/false; bound, b/b/2/2/true"},
		"equal": {[]figure.Line{bound("a", 1, x, 1), bound("b", 2, x, 1)}, "bound/a and b/1/2/false"},
		"equal of one colour": {[]figure.Line{bound("a", 1, x, 1), bound("b", 1, x, 1)},
			"bound/a and b/1/2/true"},
		"equal of one line": {[]figure.Line{bound("a", 1, x, 1), bound("a", 1, x, 1)}, "bound/a/1/2/true"},
		"the second is longer": {[]figure.Line{bound("a", 1, x[:2], 1), bound("b", 2, x, 1)},
			"bound/a and b/2/2/false"},
		"the first is longer": {[]figure.Line{bound("a", 1, x, 1), bound("b", 2, x[:2], 1)},
			"bound/a and b/1/2/false"},
		"three, two of them equal": {[]figure.Line{bound("a", 1, x, 1), bound("b", 2, x, .5), bound("c", 3, x, 1)},
			"bound, a and c/a and c/1/2/false; bound, b/b/2/2/true"},
		"without names": {[]figure.Line{bound("", 1, x, 1), bound("", 2, x, .5)}, "bound//1/2/true; bound//2/2/true"},
	} {
		var got []string
		p := newPanel(figure.Panel{Lines: []figure.Line{{Label: "frame", X: []float64{0, 2}, Y: []float64{0, 2}}}}, tileOf(1))
		for _, l := range distinctBounds(c.lines, p.Plot) {
			got = append(got, fmt.Sprintf("%s/%s/%d/%g/%v", l.Label, l.Name, l.Hue, l.X[len(l.X)-1], l.Own))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: lines %s, want %s", name, text, c.want)
		}
	}
}

// TestAlignEachPlace checks that aligned figures have the same limits, upper and lower, of both axes for each place of
// a panel, that places do not mix, and that a figure with fewer panels changes nothing.
func TestAlignEachPlace(t *testing.T) {
	panel := func(x0, x1, y0, y1 float64, log bool) figure.Panel {
		return figure.Panel{X: figure.Axis{Log: log}, Lines: []figure.Line{{Label: "a", X: []float64{x0, x1},
			Y: []float64{y0, y1}}}}
	}
	list := []figure.Figure{
		{Panels: []figure.Panel{panel(10, 20, 1, 2, false), panel(1, 10, -4, 0, true), panel(5, 6, 5, 6, false)}},
		{Panels: []figure.Panel{panel(12, 15, -3, 1, false)}},
		{Panels: []figure.Panel{panel(11, 30, 1, 9, false), panel(1e-3, 1, 1, 6, true)}},
	}
	out := Align(list)
	for i, f := range out {
		for k, p := range f.Panels {
			x, y := limits(p)
			want := [][2]span{{{10, 30}, {-3.2, 9.4}}, {{1e-3, 10}, {-4.2, 6.25}}, {{5, 6}, {4.95, 6.05}}}[k]
			if !near(x.Min, want[0].Min) || !near(x.Max, want[0].Max) || !near(y.Min, want[1].Min) ||
				!near(y.Max, want[1].Max) {
				t.Errorf("figure %d, panel %d: limits %v and %v, want %v", i, k, x, y, want)
			}
			if list[i].Panels[k].X.Min != nil || list[i].Panels[k].Y.Max != nil {
				t.Errorf("figure %d, panel %d: Align has changed the given figure", i, k)
			}
		}
	}
}
