package plots

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestBars checks where the bars of a line with one point are: they start and end at the ends of its ranges, on linear
// and on log axes, with a line across each end that is in the frame.
func TestBars(t *testing.T) {
	four, nine := 4.0, 9.0
	for name, c := range map[string]struct {
		change func(p *figure.Panel, l *figure.Line)
		from   [2]float64 // ends of the bar of x
		to     [2]float64 // ends of the bar of y
		caps   int        // number of lines across the ends
	}{
		"both":   {func(_ *figure.Panel, l *figure.Line) {}, [2]float64{2, 8}, [2]float64{1, 30}, 4},
		"x only": {func(_ *figure.Panel, l *figure.Line) { l.Low, l.High = nil, nil }, [2]float64{2, 8}, [2]float64{}, 2},
		"y only": {func(_ *figure.Panel, l *figure.Line) { l.Range = nil }, [2]float64{}, [2]float64{1, 30}, 2},
		"log": {func(p *figure.Panel, _ *figure.Line) { p.X.Log, p.Y.Log = true, true }, [2]float64{2, 8},
			[2]float64{1, 30}, 4},
		"x from 4 to 9": {func(p *figure.Panel, _ *figure.Line) { p.X.Min, p.X.Max = &four, &nine }, [2]float64{4, 8},
			[2]float64{1, 30}, 3},
		"log x from 4 to 9": {func(p *figure.Panel, _ *figure.Line) { p.X.Log, p.X.Min, p.X.Max = true, &four, &nine },
			[2]float64{4, 8}, [2]float64{1, 30}, 3},
	} {
		d := mustDraw(t, one(func(p *figure.Panel, l *figure.Line) {
			*l = figure.Line{Label: "eg", X: []float64{5}, Y: []float64{3}, Low: []float64{1}, High: []float64{30},
				Range: []float64{2, 8}}
			c.change(p, l)
		}))
		p := d.panels[0]
		canvas := p.DataCanvas(d.layout.canvases()[0][0])
		at := func(x, y float64) vg.Point {
			return vg.Point{X: canvas.X(p.X.Norm(x)), Y: canvas.Y(p.Y.Norm(y))}
		}
		var want [][2]vg.Point
		if c.from != ([2]float64{}) {
			want = append(want, [2]vg.Point{at(c.from[0], 3), at(c.from[1], 3)})
		}
		if c.to != ([2]float64{}) {
			want = append(want, [2]vg.Point{at(5, c.to[0]), at(5, c.to[1])})
		}
		caps := 0
		for _, m := range recorded(d).paths() {
			if m.Width != barWidth || len(m.Path) != 2 {
				continue
			}
			a, b := m.Path[0].Pos, m.Path[1].Pos
			if i := slices.IndexFunc(want, func(w [2]vg.Point) bool {
				return distance(a, w[0]) < 1e-6 && distance(b, w[1]) < 1e-6
			}); i >= 0 {
				want = slices.Delete(want, i, i+1)
			} else if length := distance(a, b); length > 2*barCap-1e-6 && length < 2*barCap+1e-6 {
				caps++
			} else {
				t.Errorf("%s: a bar from %v to %v", name, a, b)
			}
		}
		if len(want) > 0 || caps != c.caps {
			t.Errorf("%s: no bars %v, and %d lines across their ends, want %d", name, want, caps, c.caps)
		}
	}
}

// TestRangeIsInTheFrame checks that the x axis contains the range of a line of one point.
func TestRangeIsInTheFrame(t *testing.T) {
	p := figure.Panel{Lines: []figure.Line{{X: []float64{5}, Y: []float64{3}, Range: []float64{2, 80}}}}
	if x, _ := limits(p); x.Min > 2 || x.Max < 80 {
		t.Errorf("limits of x = %v, want 2 to 80 within them", x)
	}
}
