package plots

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/figure"
)

// elevenFigure shows two panels with eleven curves each, most of which end at the lower end of the axis.
func elevenFigure() figure.Figure {
	f := figure.Figure{Title: "Eleven methods", Columns: 2, Caption: caption}
	for _, title := range []string{"Digits", "Words"} {
		p := figure.Panel{Title: title, X: axisOf("passes", true), Y: axisOf("gap", true), Ends: true}
		for h := range 11 {
			rate := 0.4 + 0.2*float64(h) + float64(len(f.Panels))/7
			l := sampled(0, math.Min(8, 9/rate), 60, func(t float64) float64 { return math.Exp(-rate * t) })
			for i, x := range l.X {
				l.X[i] = math.Exp(x)
			}
			l.Label, l.Hue, l.Dash = fmt.Sprintf("method %d", h+1), h%figure.Hues, h/figure.Hues
			p.Lines = append(p.Lines, l)
		}
		p.Lines[3].Label = "a method with long steps"
		p.Lines[0].Censored = true
		f.Panels = append(f.Panels, p)
	}
	return f
}

// TestSpread checks the labels at the ends of eleven curves: each line has one, they do not overlap and stay beside the
// frame and on the page, and the only legend is that of the marks.
func TestSpread(t *testing.T) {
	d := mustDraw(t, elevenFigure())
	for _, f := range faultsOf(d) {
		t.Error(f)
	}
	canvases := slices.Concat(d.layout.canvases()...)
	for i, p := range d.panels {
		c := p.DataCanvas(canvases[i])
		list := p.legend.places(c, p.Plot)
		if p.legend.seat != spread || len(list) != 11 {
			t.Fatalf("panel %d: seat %d with %d labels, want %d with 11", i+1, p.legend.seat, len(list), spread)
		}
		for k, s := range list {
			if s.y+s.height()/2 > c.Max.Y+0.01 || s.y-s.height()/2 < c.Min.Y-0.01 {
				t.Errorf("panel %d: the label %q is at %.1f, outside %.1f to %.1f", i+1, s.lines, s.y, c.Min.Y, c.Max.Y)
			}
			if right := c.Max.X + p.legend.besideSpread(); right > d.layout.width {
				t.Errorf("panel %d: labels reach %.1f, the page %.1f", i+1, right, d.layout.width)
			}
			if k > 0 && list[k-1].y-list[k-1].height()/2 < s.y+s.height()/2 {
				t.Errorf("panel %d: the labels %q and %q overlap", i+1, list[k-1].lines, s.lines)
			}
		}
	}
	if shared := d.layout.shared; shared == nil || len(shared.entries) != 1 || !shared.entries[0].mark {
		t.Errorf("the common legend is %+v, want only the mark of stopped runs", shared)
	}
}

// TestUntangle checks that no leaders cross, also those of lines that end at very different heights, and that the
// labels stay in order and apart.
func TestUntangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 200, Y: 150}}}
	for range 300 {
		list := make([]place, 2+rng.IntN(10))
		for i := range list {
			list[i] = place{lines: []string{"a"}, end: vg.Point{X: vg.Length(200 * rng.Float64()),
				Y: vg.Length(150 * math.Pow(rng.Float64(), 3))}}
		}
		slices.SortFunc(list, func(a, b place) int { return cmp.Compare(b.end.Y, a.end.Y) })
		moveApart(list, c)
		untangle(list, c)
		for k, b := range list {
			for _, a := range list[:k] {
				if segmentsCross(a.end, a.target(c), b.end, b.target(c)) || a.y < b.y+spreadSkip-0.01 {
					t.Fatalf("the leaders from %v and %v cross, or their labels at %.1f and %.1f overlap", a.end, b.end, a.y, b.y)
				}
			}
		}
	}
}

// TestSpreadNeedsSpace checks that panels with more labels than fit beside a frame keep their legend.
func TestSpreadNeedsSpace(t *testing.T) {
	f := elevenFigure()
	for len(f.Panels[1].Lines) < 20 {
		l := f.Panels[1].Lines[0]
		l.Label, l.Dash = fmt.Sprintf("method %d", len(f.Panels[1].Lines)+1), len(f.Panels[1].Lines)
		f.Panels[1].Lines = append(f.Panels[1].Lines, l)
	}
	for i, p := range mustDraw(t, f).panels {
		if p.legend.seat == spread {
			t.Errorf("panel %d has labels at the ends of its lines, want a legend", i+1)
		}
	}
}

// TestMoveApart checks that labels of any heights do not overlap, stay beside the frame and keep their order, and that
// labels with enough distance stay where their lines end.
func TestMoveApart(t *testing.T) {
	c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 100, Y: 200}}}
	rapid.Check(t, func(t *rapid.T) {
		list := make([]place, rapid.IntRange(0, 10).Draw(t, "labels"))
		at := vg.Length(200)
		for i := range list {
			at -= vg.Length(rapid.Float64Range(0, 40).Draw(t, "down"))
			list[i].end.Y = max(at, 0)
			list[i].lines = make([]string, rapid.IntRange(1, 2).Draw(t, "lines"))
		}
		moveApart(list, c)
		free := true
		for i, s := range list {
			half := s.height() / 2
			if s.y+half > 200.01 || s.y-half < -0.01 {
				t.Fatalf("label %d of height %v is at %v, outside the frame", i, s.height(), s.y)
			}
			if i > 0 && list[i-1].y-list[i-1].height()/2 < s.y+half {
				t.Fatalf("labels %d and %d overlap", i-1, i)
			}
			free = free && s.end.Y+half <= 200 && s.end.Y-half >= 0 &&
				(i == 0 || list[i-1].end.Y-list[i-1].height()/2-spreadGap >= s.end.Y+half)
		}
		for i, s := range list {
			if free && abs(s.y-s.end.Y) > 0.01 {
				t.Fatalf("label %d is at %v, want %v, where its line ends", i, s.y, s.end.Y)
			}
		}
	})
}

// TestSharedAxes checks that panels of one quantity have equal limits if the figure says so, except for limits that a
// panel sets.
func TestSharedAxes(t *testing.T) {
	line := func(x, y float64) []figure.Line {
		return []figure.Line{{Label: "a", X: []float64{1, x}, Y: []float64{1, y}}}
	}
	f := figure.Figure{ShareY: true, Columns: 4, Panels: []figure.Panel{
		{X: axisOf("n", false), Y: axisOf("gap", true), Lines: line(10, 100)},
		{X: axisOf("n", false), Y: axisOf("gap", true), Lines: line(20, 1e-3)},
		{X: axisOf("n", false), Y: axisOf("error", true), Lines: line(30, 5)},
		{X: axisOf("n", false), Y: between(axisOf("gap", true), 0.1, 10), Lines: line(40, 2)}}}
	d := mustDraw(t, f)
	limits := func(i int) span { return span{d.panels[i].Y.Min, d.panels[i].Y.Max} }
	if limits(0) != limits(1) || limits(0).Min > 1e-3 || limits(0).Max < 100 {
		t.Errorf("limits = %v and %v, want the same, which contain 0.001 and 100", limits(0), limits(1))
	}
	if limits(2) == limits(0) || limits(3) != (span{0.1, 10}) {
		t.Errorf("limits = %v and %v, want those of the other quantity, and 0.1 to 10", limits(2), limits(3))
	}
	if d.panels[0].X.Max == d.panels[1].X.Max {
		t.Error("the x axes are equal, want their own limits")
	}
	if f.Panels[0].Y.Min != nil {
		t.Error("Draw has changed the given figure")
	}
	f.Panels[2].Y = axisOf("gap", false) // linear, so another axis
	f.Panels[1].X.Log = true
	f.ShareX, f.ShareY = true, false
	d = mustDraw(t, f)
	if x := d.panels; x[0].X.Max != x[3].X.Max || x[2].X.Max != x[0].X.Max || x[1].X.Max == x[0].X.Max {
		t.Errorf("x axes end at %v, %v, %v and %v, want the same except for the second, which is logarithmic", x[0].X.Max,
			x[1].X.Max, x[2].X.Max, x[3].X.Max)
	}
	if limits(0) == limits(1) {
		t.Error("the y axes are equal, want their own limits")
	}
	f.ShareY = true
	if d = mustDraw(t, f); limits(0) != limits(1) || limits(2) == limits(0) || limits(2).Min > 1 {
		t.Errorf("limits = %v, %v and %v, want the same except for the third, which is linear", limits(0), limits(1),
			limits(2))
	}
	f.Panels[1].X.Log = false
	if d = mustDraw(t, f); d.panels[0].X.Max != d.panels[3].X.Max {
		t.Errorf("x axes end at %v and %v, want the same", d.panels[0].X.Max, d.panels[3].X.Max)
	}
}

// TestMarksAreNamed checks that the legend explains triangles at either axis, and names the bounds of several lines.
func TestMarksAreNamed(t *testing.T) {
	x := []float64{1, 10, 100}
	bound := func(name string, hue int, y ...float64) figure.Line {
		return figure.Line{Label: "bound", Name: name, Style: figure.Bound, Own: true, Hue: hue, X: x, Y: y}
	}
	p := newPanel(figure.Panel{X: axisOf("x", true), Y: axisOf("y", true), Lines: []figure.Line{
		{Label: "C = 1", X: []float64{0, 10, 100}, Y: []float64{1, 2, 3}},
		{Label: "C = 2", Hue: 1, X: x, Y: []float64{3, 2, 0}},
		bound("C = 1", 0, 10, 20, 30), bound("C = 2", 1, 100, 200, 300)}}, tileOf(1))
	var labels []string
	for _, e := range p.legend.entries {
		labels = append(labels, e.label)
	}
	want := []string{"C = 1", "C = 2", "bound, C = 1", "bound, C = 2", "below the axis", "left of the axis"}
	if fmt.Sprint(labels) != fmt.Sprint(want) {
		t.Errorf("legend = %q, want %q", labels, want)
	}
}
