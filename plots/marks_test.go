package plots

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/record"
)

// TestMarkersOfCurves checks the markers of random curves: each curve has at least one, at a visible value that was not
// stopped; two markers of a curve have their distance along it; no marker is where an earlier curve has one, unless
// every value of the curve is there; and the first marker depends on the hue.
func TestMarkersOfCurves(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 13))
	firsts := map[vg.Point]bool{}
	for round := range 1000 {
		l := &curve{Line: figure.Line{Hue: round % 7, Censored: rng.IntN(3) == 0}}
		n, wide := 2+rng.IntN(60), vg.Length(1+400*rng.Float64()*rng.Float64())
		values := make([]mark, n)
		for i := range values {
			values[i] = mark{at: vg.Point{X: wide * vg.Length(i) / vg.Length(n)}, visible: rng.IntN(9) > 0,
				underX: rng.IntN(9) == 0, underY: rng.IntN(9) == 0}
		}
		l.X = make([]float64, n)
		var taken []vg.Point
		for range rng.IntN(1 + rng.IntN(60)) {
			taken = append(taken, vg.Point{X: wide * vg.Length(rng.Float64())})
		}
		var seen []vg.Point // in their order
		for i, m := range values {
			if m.visible && !m.underX && !m.underY && (!l.Censored || i < n-1) {
				seen = append(seen, m.at)
			}
		}
		free := func(at vg.Point) bool {
			return !slices.ContainsFunc(taken, func(q vg.Point) bool { return abs(q.X-at.X) < 5 })
		}
		out := l.markerPlaces(values, taken)
		if len(out) == 0 != (len(seen) == 0) {
			t.Fatalf("%d markers for %d values", len(out), len(seen))
		}
		for k, at := range out {
			if !slices.Contains(seen, at) || !free(at) && (len(out) > 1 || slices.ContainsFunc(seen, free)) {
				t.Fatalf("a marker at %v, free: %v; values at %v, other markers at %v", at, free(at), seen, taken)
			}
			if least := max(48, (seen[len(seen)-1].X-seen[0].X)/9); k > 0 && at.X-out[k-1].X < least-0.01 {
				t.Fatalf("markers at %v and %v, want a distance of %v", out[k-1], at, least)
			}
		}
		// On a line of 1001 values each hue has its own first marker, and all markers have one distance.
		even := make([]mark, 1001)
		for i := range even {
			even[i] = mark{at: vg.Point{X: vg.Length(i)}, visible: true}
		}
		l.X, l.Censored = make([]float64, len(even)), false
		all := l.markerPlaces(even, nil)
		firsts[all[0]] = true
		for k := 1; k < len(all); k++ {
			if gap := all[k].X - all[k-1].X; gap < 1000./9-0.01 || gap > 1000./9+2 {
				t.Fatalf("hue %d: markers at %v and %v, want a distance of a ninth of the length", l.Hue, all[k-1], all[k])
			}
		}
		if all[0].X > 1000./9+1 || len(all) < 8 {
			t.Fatalf("hue %d: %d markers, the first at %v", l.Hue, len(all), all[0])
		}
	}
	if len(firsts) != 7 {
		t.Errorf("%d different first markers of 7 hues", len(firsts))
	}
}

// TestNestedMarkers checks that the radius of a marker of a point grows by one step for each later line that has a
// point there, also if the later lines have several, and that curves and bounds count for nothing.
func TestNestedMarkers(t *testing.T) {
	line := func(style figure.Style, hue int, x ...float64) figure.Line {
		return figure.Line{Label: fmt.Sprint(hue), Style: style, Hue: hue, X: x, Y: make([]float64, len(x))}
	}
	p := newPanel(figure.Panel{Lines: []figure.Line{line(figure.Points, 0, 1, 2, 3), line(figure.Curve, 1, 1, 2, 3),
		line(figure.Points, 2, 2, 3), line(figure.Bound, 3, 1, 3), line(figure.Points, 4, 3, 3)}}, tileOf(1))
	c := p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: tileOf(1)}})
	placed := marks(p.legend.curves).place(c, p.Plot)
	for i, want := range [][]vg.Length{{2.8, 3.9, 5}, nil, {2.8, 3.9}, {}, {2.8, 2.8}} {
		if i == 1 {
			continue
		}
		if len(placed[i]) != len(want) {
			t.Fatalf("line %d has %d markers, want %d", i, len(placed[i]), len(want))
		}
		for k, s := range placed[i] {
			if abs(s.marker.radius-want[k]) > 1e-9 {
				t.Errorf("line %d: marker %d has the radius %v, want %v", i, k, s.marker.radius, want[k])
			}
		}
	}
	if r := p.legend.curves[0].look.marker.radius; r != 2.8 {
		t.Errorf("the marker in the legend has the radius %v, want 2.8", r)
	}
}

// TestTriangles checks which values of a line have a triangle, where it stands and to which side it points: each value
// below a floor that is visible and not too close to the triangle before.
func TestTriangles(t *testing.T) {
	at := func(x, y vg.Length, under string) mark {
		return mark{at: vg.Point{X: x, Y: y}, visible: true, underX: under == "x" || under == "xy",
			underY: under == "y" || under == "xy"}
	}
	hidden := at(200, 0, "y")
	hidden.visible = false
	values := []mark{at(0, 5, ""), at(10, 0, "y"), at(20, 0, "y"), at(36, 0, "y"), at(64, 0, "y"), at(80, 9, ""), hidden,
		at(0, 40, "x"), at(0, 60, "x"), at(0, 90, "xy")}
	for style, want := range map[figure.Style]string{
		figure.Curve:  "down 10,0; down 64,0; left 0,40; down 0,90; ",
		figure.Points: "down 10,0; down 20,0; down 36,0; down 64,0; left 0,40; left 0,60; down 0,90; ",
	} {
		page := &drawn{record.New()}
		c := draw.NewCanvas(page.Canvas, 300, 300)
		newCurve(figure.Line{Style: style, Hue: 2}).drawTriangles(&c, values)
		got := ""
		for _, p := range page.paths() {
			if p.Width > 0 { // the outline
				a, b, d := p.Path[0].Pos, p.Path[1].Pos, p.Path[2].Pos
				centre := a.Add(b).Add(d).Scale(1. / 3)
				kind, point := "left", vg.Point{X: centre.X - 1.4*2.4, Y: centre.Y}
				if a.Y < min(b.Y, d.Y)-1 {
					kind, point = "down", vg.Point{X: centre.X, Y: centre.Y - 1.4*2.4}
				}
				got += fmt.Sprintf("%s %.0f,%.0f; ", kind, abs(point.X), abs(point.Y))
				if p.Color != hue(2) {
					t.Errorf("a triangle has the colour %v, want that of the line", p.Color)
				}
			} else if p.Color != white() {
				t.Errorf("a triangle is filled with %v, want white", p.Color)
			}
		}
		if got != want {
			t.Errorf("style %d: triangles %s, want %s", style, got, want)
		}
	}
}

// TestLooks checks that all lines of seven colours and six line patterns look different, that markers of one colour
// differ in their shape or are open, and that numbers beyond these begin again.
func TestLooks(t *testing.T) {
	lines, markers := map[string]bool{}, map[string]bool{}
	for h := range figure.Hues {
		for dash := range figure.Dashes {
			for _, style := range []figure.Style{figure.Curve, figure.Points} {
				l := lookOf(figure.Line{Hue: h, Dash: dash, Style: style})
				radius := map[figure.Style]vg.Length{figure.Curve: 2.3, figure.Points: 2.8}[style]
				if l.line.Width != curveWidth || l.marker.color != l.line.Color || l.marker.radius != radius {
					t.Errorf("hue %d, dash %d: look %+v, marker %+v", h, dash, l, l.marker)
				}
				lines[fmt.Sprint(l.line.Color, l.line.Dashes, style)] = true
				markers[fmt.Sprint(l.marker.color, l.marker.shape, l.marker.open, style)] = true
				for _, other := range []figure.Line{{Hue: h - figure.Hues, Dash: dash + figure.Dashes, Style: style},
					{Hue: h + 2*figure.Hues, Dash: dash - figure.Dashes, Style: style}} {
					o := lookOf(other)
					if *o.marker != *l.marker || o.line.Color != l.line.Color || !slices.Equal(o.line.Dashes, l.line.Dashes) {
						t.Errorf("hue %d and dash %d look different from %d and %d", other.Hue, other.Dash, h, dash)
					}
				}
			}
		}
	}
	if n := 2 * figure.Hues * figure.Dashes; len(lines) != n || len(markers) != n {
		t.Errorf("%d lines and %d markers look different, want %d", len(lines), len(markers), n)
	}
	shapes := map[shape]bool{}
	for h := range figure.Hues {
		shapes[lookOf(figure.Line{Hue: h}).marker.shape] = true
		own := lookOf(figure.Line{Hue: h, Style: figure.Bound, Own: true})
		all := lookOf(figure.Line{Hue: h, Style: figure.Bound})
		if own.line.Color != hue(h) || all.line.Color != boundInk() || own.marker != nil || all.marker != nil ||
			len(own.line.Dashes) == 0 || len(all.line.Dashes) == 0 || own.line.Width != boundWidth {
			t.Errorf("hue %d: a bound looks like %+v and %+v", h, own, all)
		}
	}
	if len(shapes) != figure.Hues {
		t.Errorf("%d shapes of %d hues", len(shapes), figure.Hues)
	}
	if got := Palette(); len(got) != figure.Hues || got[0] != "#312CCB" || got[6] != "#631F13" {
		t.Errorf("palette %v, want the colours of all hues in their order", got)
	}
}
