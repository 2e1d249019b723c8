package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

func TestTicks(t *testing.T) {
	room := func(label string) float64 { return 0.035 * float64(len(label)) }
	for _, c := range []struct {
		ticker   plot.Ticker
		min, max float64
		want     string
	}{
		{linearTicks{Max: 6}, 0, 200, "0 50 100 150 200"},
		{linearTicks{Max: 6}, 0, 100, "0 20 40 60 80 100"},
		{linearTicks{Max: 4}, 5, 50, "20 40"},
		{linearTicks{Max: 6}, 0.644, 0.652, "0.644 0.646 0.648 0.650 0.652"},
		{linearTicks{Max: 3}, 0.17, 0.83, "0.2 0.4 0.6 0.8"},
		{linearTicks{Max: 5, Whole: true}, 0.95, 2.05, "1 2"},
		{linearTicks{Max: 5}, -1, 1, "−1.0 −0.5 0.0 0.5 1.0"},
		{linearTicks{Max: 5}, 0, 522911, "0 200000 400000"},
		{linearTicks{Max: 5}, 0, 4e6, "0 1×10^{6} 2×10^{6} 3×10^{6} 4×10^{6}"},
		{linearTicks{Max: 5}, 0, 2e-7, "0 0.5×10^{-7} 1.0×10^{-7} 1.5×10^{-7} 2.0×10^{-7}"},
		{linearTicks{Max: 5}, 7, 7, "7"},
		{logTicks{Max: 7}, 1e-4, 100, "10^{-4} 10^{-3} 10^{-2} 10^{-1} 10^{0} 10^{1} 10^{2}"},
		{logTicks{Max: 4}, 1e-4, 100, "10^{-4} 10^{-2} 10^{0} 10^{2}"},
		{logTicks{Max: 4}, 5e-4, 30, "10^{-2} 10^{0}"},
		{logTicks{Max: 7}, 400, 60000, "500 1000 2000 5000 10000 20000 50000"},
		{logTicks{Max: 7}, 0.37, 0.4, "0.370 0.375 0.380 0.385 0.390 0.395 0.400"},
		{logTicks{Max: 5}, 0.3, 0.6, "0.3 0.4 0.5 0.6"},
		{logTicks{Max: 7}, 2e5, 3e7, "2×10^{5} 5×10^{5} 10^{6} 2×10^{6} 5×10^{6} 10^{7} 2×10^{7}"},
		{logTicks{Max: 7, room: room}, 200, 2e4, "200 500 1000 2000 10000"},
		{logTicks{Max: 7, room: room}, 0.02, 2, "0.02 0.05 0.1 0.2 0.5 1 2"},
		{logTicks{Max: 7}, 0, 1, ""},
	} {
		var labels []string
		for _, tick := range c.ticker.Ticks(c.min, c.max) {
			if !tick.IsMinor() {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%#v from %g to %g: got %q, want %q", c.ticker, c.min, c.max, got, c.want)
		}
	}
}

func TestLogTicksAreExact(t *testing.T) {
	for _, tick := range (logTicks{Max: 40}).Ticks(1e-9, 1e9) {
		if e := math.Round(math.Log10(tick.Value)); !tick.IsMinor() && tick.Value != scaled(1, int(e)) {
			t.Errorf("tick %s lies at %v", tick.Label, tick.Value)
		}
	}
}

func TestRuns(t *testing.T) {
	up := func(s string) run { return run{s, scriptSize, scriptUp} }
	down := func(s string) run { return run{s, scriptSize, -scriptDown} }
	for _, c := range []struct {
		text string
		want []run
	}{
		{"", nil},
		{"L-BFGS", []run{{"L-BFGS", 1, 0}}},
		{"10^{-3}", []run{{"10", 1, 0}, up("−3")}},
		{"η_{0} = 10^{2} (first)", []run{{"η", 1, 0}, down("0"), {" = 10", 1, 0}, up("2"), {" (first)", 1, 0}}},
		{"η₀ = 1", []run{{"η", 1, 0}, down("0"), {" = 1", 1, 0}}},
		{"a_b ^ 10^2", []run{{"a_b ^ 10^2", 1, 0}}},
		{"open ^{2", []run{{"open ^{2", 1, 0}}},
		{"x^{}", []run{{"x", 1, 0}}},
		{"tab\there \xff", []run{{"tab here \uFFFD", 1, 0}}},
	} {
		if d := cmp.Diff(c.want, runsOf(c.text), cmp.AllowUnexported(run{})); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
}

func TestWrapAndShorten(t *testing.T) {
	sty := textStyle(10, false, ink())
	wide := sty.Width("one two three")
	for text, want := range map[string]string{
		"":                             "",
		"one":                          "one",
		"one two three":                "one two three",
		"one  two\nthree four":         "one two three\nfour",
		"one two C = 10":               "one two\nC = 10",
		"incomprehensibilities of all": "incomprehensibilities\nof all",
	} {
		if got := wrap(text, sty, wide); got != want {
			t.Errorf("wrap %q: got %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"one two three":      "one two three",
		"one two three four": "one two\nthree four",
		"one two three (%)":  "one two\nthree (%)",
	} {
		if got := balanced(text, sty, wide); got != want {
			t.Errorf("balanced %q: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"one-slack with a cache (1)", "one-slack with a cache (2)"} {
		got := shorten(text, sty, wide)
		if sty.Width(got) > wide || !strings.HasPrefix(got, "one") || !strings.HasSuffix(got, text[len(text)-3:]) {
			t.Errorf("shorten %q: got %q", text, got)
		}
	}
}

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
		{"all below what is fixed", figure.Axis{Min: &five}, []float64{0, 1}, span{5, 10}},
		{"log constant", figure.Axis{Log: true}, []float64{10}, span{math.Sqrt(10), 10 * math.Sqrt(10)}},
		{"log with a zero: a power of ten below", figure.Axis{Log: true}, []float64{0, 1e-3, 1},
			span{1e-4, math.Pow(10, 0.15)}},
		{"log, 16 decades at most", figure.Axis{Log: true}, []float64{1e-40, 1, 1}, span{math.Pow(10, -1), math.Sqrt(10)}},
		{"log without a positive value", figure.Axis{Log: true}, []float64{0, -1}, span{0.1, 1}},
	} {
		got := axisLimits(c.axis, c.y, nil, 0.05)
		if !near(got.Min, c.want.Min) || !near(got.Max, c.want.Max) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

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
			t.Errorf("bounds %v: got %v, want %v", c.bounds, got, c.want)
		}
	}
}

// Values at or below the floor are marked, the line is drawn down to the floor, and none runs along it.
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
			t.Errorf("value %d: censored %t, visible %t", i, m.underY, m.visible)
		}
	}
	if len(tr.pieces) != 1 || tr.pieces[0][len(tr.pieces[0])-1] != tr.marks[2].at {
		t.Errorf("the line does not end where it meets the floor: %v", tr.pieces)
	}
}

// A legend in the frame covers no curve; where there is no room it stands outside.
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
					t.Errorf("%s, panel %d: the legend covers %d points", s.name, i+1, covered)
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
				t.Errorf("%s: the legend's seat is %d, want %d", name, made.legend.seat, want)
			}
		}
	}
}

// Panels that share a line have one legend: not if a label is two lines, and not if they share none.
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
			t.Errorf("%s: the shared legend has %d entries, that of the first panel %d; want %d for all", name, entries, left,
				test.entries)
		}
	}
}

// Figures that are aligned have the axes of the widest; what a spec has fixed stays.
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
			t.Errorf("figure %d: x to %v, y to %v; want %v, and y above 100", i, x.Max, y.Max, want)
		}
	}
	if list[0].Panels[0].X.Max != nil {
		t.Error("the figure that was given has changed")
	}
	for _, f := range []figure.Figure{out[0], out[1]} {
		if _, err := Draw(f); err != nil {
			t.Error(err)
		}
	}
}
