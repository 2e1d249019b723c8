package plots

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/figure"
)

// numbers generates finite numbers of all sizes, among them many special values.
func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Float64Range(-largest, largest),
		rapid.Float64Range(-1, 1),
		rapid.SampledFrom([]float64{0, 1, -1, 1e-300, 5e-324, largest, -largest, 1, 1 + 1e-15, 1e-16, 3}),
	)
}

// lines draws up to four random lines.
func lines(t *rapid.T) []figure.Line {
	var all []figure.Line
	for range rapid.IntRange(1, 4).Draw(t, "lines") {
		n := rapid.IntRange(1, 12).Draw(t, "points")
		column := func(name string) []float64 { return rapid.SliceOfN(numbers(), n, n).Draw(t, name) }
		l := figure.Line{
			X: column("x"), Y: column("y"),
			Label:    rapid.String().Draw(t, "label"),
			Style:    rapid.SampledFrom([]figure.Style{figure.Curve, figure.Points, figure.Bound}).Draw(t, "style"),
			Hue:      rapid.IntRange(-3, 100).Draw(t, "hue"),
			Dash:     rapid.IntRange(-3, 9).Draw(t, "dash"),
			Censored: rapid.Bool().Draw(t, "censored"),
		}
		if rapid.Bool().Draw(t, "band") {
			l.Low, l.High = column("low"), column("high")
		}
		if rapid.Bool().Draw(t, "has stopped runs") {
			l.Stopped = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "stopped")
			l.Rising = rapid.Bool().Draw(t, "rising")
		}
		all = append(all, l)
	}
	return all
}

// axes draws a random axis.
func axes(t *rapid.T, name string) figure.Axis {
	a := figure.Axis{Label: rapid.String().Draw(t, name), Log: rapid.Bool().Draw(t, name+" log")}
	if rapid.Bool().Draw(t, name+" has min") {
		v := numbers().Draw(t, name+" min")
		a.Min = &v
	}
	if rapid.Bool().Draw(t, name+" has max") {
		v := numbers().Draw(t, name+" max")
		a.Max = &v
	}
	return a
}

// TestNothingPanics checks that Draw does not panic on any figure with finite numbers, and that a drawing contains no
// NaN or infinity.
func TestNothingPanics(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test draws hundreds of random figures")
	}
	rapid.Check(t, func(t *rapid.T) {
		f := figure.Figure{Title: rapid.String().Draw(t, "title"), Columns: rapid.IntRange(0, 3).Draw(t, "columns")}
		for range rapid.IntRange(1, 4).Draw(t, "panels") {
			f.Panels = append(f.Panels, figure.Panel{X: axes(t, "x"), Y: axes(t, "y"), Lines: lines(t),
				Ends: rapid.Bool().Draw(t, "ends")})
		}
		d, err := Draw(f)
		if err != nil {
			t.Skip(err)
		}
		faultsOf(d)
		svg := d.SVG()
		wellFormed(t, svg)
		for _, path := range strings.Split(svg, "<path d=\"")[1:] {
			data, _, _ := strings.Cut(path, "\"")
			if strings.Contains(data, "NaN") || strings.Contains(data, "Inf") {
				t.Fatalf("the SVG has the path %q, want finite numbers", data)
			}
		}
	})
}

// TestLinesStayInTheFrame checks that no part of a line leaves the frame. If the limits are not fixed, all values must
// be visible.
func TestLinesStayInTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := figure.Panel{X: axes(t, "x"), Y: axes(t, "y"), Lines: lines(t)}
		if err := checkPanel(p); err != nil {
			t.Skip(err)
		}
		made := newPanel(p, tileOf(1))
		c := made.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: tileOf(1)}})
		for _, l := range p.Lines {
			tr := project(c, made.Plot, l.X, l.Y)
			for _, piece := range tr.pieces {
				for _, q := range piece {
					if q.X < c.Min.X-0.01 || q.X > c.Max.X+0.01 || q.Y < c.Min.Y-0.01 || q.Y > c.Max.Y+0.01 {
						t.Fatalf("point %v of a line leaves the frame %v", q, c.Rectangle)
					}
				}
			}
			for i, m := range tr.marks {
				free := p.X.Min == nil && p.X.Max == nil && p.Y.Min == nil && p.Y.Max == nil
				if free && l.Style != figure.Bound && !m.visible {
					t.Fatalf("value (%g, %g) is not visible in the frame", l.X[i], l.Y[i])
				}
			}
		}
	})
}

// TestSimplifyIsInvisible checks that all points of a line are close to the simplified line, within the tolerances, and
// that its ends do not change.
func TestSimplifyIsInvisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		step := rapid.Float64Range(0, 2).Draw(t, "step")
		heights := rapid.SliceOfN(rapid.Float64Range(0, 100), n, n).Draw(t, "y")
		line := make([]vg.Point, n)
		for i := range line {
			line[i] = vg.Point{X: vg.Length(float64(i) * step), Y: vg.Length(heights[i])}
		}
		thin := simplify(line)
		for _, q := range line {
			nearest := vg.Length(1e9)
			for k := range thin {
				nearest = min(nearest, distanceTo(q, thin[max(0, k-1)], thin[k]))
			}
			if nearest > columnWidth+deviation {
				t.Fatalf("distance of point %v from the simplified line = %v, want at most %v", q, nearest, columnWidth+deviation)
			}
		}
		if thin[0] != line[0] || thin[len(thin)-1] != line[n-1] {
			t.Fatal("simplify has changed an end of the line")
		}
	})
}
