package plots

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestLimits checks the ranges of linear and log axes.
func TestLimits(t *testing.T) {
	five := 5.0
	for _, c := range []struct {
		name string
		axis figure.Axis
		y    []float64
		want span
	}{
		{"padded", figure.Axis{}, []float64{1, 2}, span{0.95, 2.05}},
		{"not below zero", figure.Axis{}, []float64{0, 1}, span{0, 1.05}},
		{"constant", figure.Axis{}, []float64{2, 2}, span{1.8, 2.2}},
		{"constant but for rounding", figure.Axis{}, []float64{2, 2 + 1e-12}, span{1.8, 2.2}},
		{"zero", figure.Axis{}, []float64{0}, span{-1, 1}},
		{"fixed", figure.Axis{Min: &five}, []float64{0, 10}, span{5, 10.5}},
		{"all below the fixed limit", figure.Axis{Min: &five}, []float64{0, 1}, span{5, 10}},
		{"log constant", figure.Axis{Log: true}, []float64{10}, span{math.Sqrt(10), 10 * math.Sqrt(10)}},
		{"log with a zero: a power of ten below", figure.Axis{Log: true}, []float64{0, 1e-3, 1},
			span{1e-4, math.Pow(10, 0.15)}},
		{"log, 16 decades at most", figure.Axis{Log: true}, []float64{1e-40, 1, 1}, span{math.Pow(10, -1), math.Sqrt(10)}},
		{"log without a positive value", figure.Axis{Log: true}, []float64{0, -1}, span{0.1, 1}},
	} {
		got := axisLimits(c.axis, c.y, nil, 0.05)
		if !near(got.Min, c.want.Min) || !near(got.Max, c.want.Max) {
			t.Errorf("%s: axisLimits = %v, want %v", c.name, got, c.want)
		}
	}
}

// near reports whether two numbers agree up to rounding errors.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// TestLooseBoundDoesNotFlattenCurves checks that the bounds of theorems extend the range of an axis by at most its
// length, or else to the nearest value of a bound.
func TestLooseBoundDoesNotFlattenCurves(t *testing.T) {
	for _, c := range []struct {
		bounds []float64
		want   span
	}{
		{nil, span{1, 2}},
		{[]float64{2.5, 100}, span{1, 2.5}},
		{[]float64{70, 100}, span{1, 70}},
	} {
		if got := withBounds(span{1, 2}, c.bounds); got != c.want {
			t.Errorf("withBounds([1, 2], %v) = %v, want %v", c.bounds, got, c.want)
		}
	}
}

// TestCensoring checks that values below the floor of a log axis (its lower end) are marked, and that the line ends
// where it meets the floor instead of continuing along the floor.
func TestCensoring(t *testing.T) {
	low := 1e-2
	p := figure.Panel{
		Y:     figure.Axis{Log: true, Min: &low},
		Lines: []figure.Line{{X: []float64{0, 1, 2, 3, 4}, Y: []float64{1, 0.1, 0, -1, 1e-3}}},
	}
	made := newPanel(p, tileOf(1))
	c := made.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: tileOf(1)}})
	tr := project(c, made.Plot, p.Lines[0].X, p.Lines[0].Y)
	for i, m := range tr.marks {
		if want := i >= 2; m.underY != want || !m.visible {
			t.Errorf("value %d: below the floor = %t, want %t; visible = %t, want true", i, m.underY, want, m.visible)
		}
	}
	if len(tr.pieces) != 1 || tr.pieces[0][len(tr.pieces[0])-1] != tr.marks[2].at {
		t.Errorf("the line does not end where it meets the floor: %v", tr.pieces)
	}
}

// TestFloorEntries checks that the legend explains the triangles that are drawn: of values left of the axis, and of
// values below the axis, also if they are left of the axis as well. Values above or right of the frame have no
// triangle.
func TestFloorEntries(t *testing.T) {
	low, high := 1e-2, 1.
	floored := figure.Axis{Log: true, Min: &low, Max: &high}
	points := [][2]float64{{0.5, 0.5}, {1e-3, 0.5}, {0.5, 1e-3}, {0, 1e-3}, {-1, -1}, {1e-3, 5}, {5, 1e-3}}
	for chosen := range 1 << len(points) {
		l := figure.Line{Label: "a"}
		left, below := false, false
		for k, q := range points {
			if chosen&(1<<k) == 0 {
				continue
			}
			l.X, l.Y = append(l.X, q[0]), append(l.Y, q[1])
			switch {
			case q[0] > high || q[1] > high:
			case q[1] < low:
				below = true
			case q[0] < low:
				left = true
			}
		}
		var got []string
		for _, e := range newPanel(figure.Panel{X: floored, Y: floored, Lines: []figure.Line{l}}, tileOf(1)).legend.entries {
			got = append(got, e.label)
		}
		want := map[string]bool{"below the axis": below, "left of the axis": left}
		for label, there := range want {
			if slices.Contains(got, label) != there {
				t.Errorf("values (%v, %v): the legend is %q, want %q in it: %v", l.X, l.Y, got, label, there)
			}
		}
	}
}

// TestLegendCoversNoCurve checks that a legend in the frame covers no curve. If there is no space in the frame, the
// legend must be outside.
func TestLegendCoversNoCurve(t *testing.T) {
	for _, s := range gallery() {
		for i, f := range s.figure.Panels {
			size := tileOf(columnsOf(s.figure))
			made := newPanel(f, size)
			canvas := draw.Canvas{Rectangle: vg.Rectangle{Max: size}}
			made.settle(canvas)
			if made.legend.seat == inside {
				c := made.DataCanvas(canvas)
				if _, _, covered := made.legend.emptiest(c, made.Plot); covered > 0 {
					t.Errorf("%s, panel %d: the legend covers %d points of curves, want 0", s.name, i+1, covered)
				}
			}
		}
	}
	for name, want := range map[string]seat{"gap": inside, "crowded": outside, "ends": atEnds} {
		for _, s := range gallery() {
			if s.name != name {
				continue
			}
			made := newPanel(s.figure.Panels[0], tileOf(1))
			made.settle(draw.Canvas{Rectangle: vg.Rectangle{Max: tileOf(1)}})
			if made.legend.seat != want {
				t.Errorf("%s: seat of the legend = %d, want %d", name, made.legend.seat, want)
			}
		}
	}
}

// TestLegendsBecomeOne checks that panels that share a line have one common legend, unless two different lines have the
// same label.
func TestLegendsBecomeOne(t *testing.T) {
	stacked := func(f figure.Figure) figure.Figure {
		f.Columns = 1
		for range 3 {
			next := f.Panels[0]
			next.Lines = slices.Clone(next.Lines[1:])
			f.Panels = append(f.Panels, next)
		}
		return f
	}
	ambiguous := stacked(crowdedFigure())
	ambiguous.Panels[1].Lines[0].Hue = 20
	disjoint := stacked(crowdedFigure())
	for i, p := range disjoint.Panels {
		for k := range p.Lines {
			p.Lines[k].Label += fmt.Sprint(" of panel ", i+1)
		}
	}
	for name, test := range map[string]struct {
		f       figure.Figure
		entries int
	}{"crowded": {stacked(crowdedFigure()), 8}, "roomy": {stacked(gapFigure(200)), 4}, "ambiguous": {ambiguous, 0},
		"disjoint": {disjoint, 0}} {
		var panels []*panel
		for _, p := range test.f.Panels {
			panels = append(panels, newPanel(p, tileOf(2)))
		}
		l := newLayout(test.f, panels, tileOf(2))
		entries := 0
		if l.shared != nil {
			entries = len(l.shared.entries)
		}
		if left := len(panels[0].legend.entries); entries != test.entries || (left == 0) != (entries > 0) {
			t.Errorf("%s: the shared legend has %d entries, want %d; the legend of the first panel has %d entries", name,
				entries, test.entries, left)
		}
	}
}

// TestAlign checks that aligned figures have the same axes, except for limits that a spec sets, and that Align does not
// change the given figures.
func TestAlign(t *testing.T) {
	of := func(top float64, p figure.Panel) figure.Figure {
		p.Lines = []figure.Line{{Label: "a", X: []float64{0, top}, Y: []float64{1, top}}}
		return figure.Figure{Panels: []figure.Panel{p}}
	}
	fixed := 3.0
	list := []figure.Figure{of(10, figure.Panel{}), of(100, figure.Panel{}), {},
		of(5, figure.Panel{X: figure.Axis{Max: &fixed}})}
	out := Align(list)
	for i, want := range map[int]float64{0: 100, 1: 100, 3: 3} {
		x, y := limits(out[i].Panels[0])
		if x.Max != want || y.Max < 100 {
			t.Errorf("figure %d: largest x = %v, want %v; largest y = %v, want at least 100", i, x.Max, want, y.Max)
		}
	}
	if list[0].Panels[0].X.Max != nil {
		t.Error("Align has changed the given figure")
	}
	for _, f := range []figure.Figure{out[0], out[1]} {
		if _, err := Draw(f); err != nil {
			t.Error(err)
		}
	}
}
