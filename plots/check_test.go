package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/axis"
)

// TestEveryColumnIsChecked makes each column of a line too short, too long, or wrong at each of its values, in each
// line of each panel. It checks that Draw refuses the figure, and names the panel, the line, the column and the value.
func TestEveryColumnIsChecked(t *testing.T) {
	columns := map[string]func(l *figure.Line) *[]float64{
		"x": func(l *figure.Line) *[]float64 { return &l.X }, "y": func(l *figure.Line) *[]float64 { return &l.Y },
		"low": func(l *figure.Line) *[]float64 { return &l.Low }, "high": func(l *figure.Line) *[]float64 { return &l.High }}
	for panel := range 2 {
		for line := range 3 {
			for name, column := range columns {
				refused := func(change func(v *[]float64), want ...string) {
					t.Helper()
					var f figure.Figure
					for range 2 {
						var p figure.Panel
						for range 3 {
							v := func() []float64 { return []float64{1, 2, 3} }
							p.Lines = append(p.Lines, figure.Line{X: v(), Y: v(), Low: v(), High: v(), Stopped: make([]bool, 3)})
						}
						f.Panels = append(f.Panels, p)
					}
					if err := checkFigure(f); err != nil {
						t.Fatal(err)
					}
					change(column(&f.Panels[panel].Lines[line]))
					_, err := Draw(f)
					place := fmt.Sprintf("panel %d: line %d: ", panel+1, line+1)
					for _, w := range append(want, place) {
						if err == nil || !strings.Contains(err.Error(), w) {
							t.Errorf("column %s of line %d of panel %d: error %v, want %q in it", name, line+1, panel+1, err, w)
						}
					}
				}
				refused(func(v *[]float64) { *v = (*v)[:2] }, "values of x but")
				refused(func(v *[]float64) { *v = append(*v, 4) }, "values of x but")
				for i := range 3 {
					for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1.01e300, -1.01e300} {
						refused(func(v *[]float64) { (*v)[i] = bad }, fmt.Sprintf("%s of point %d is %g;", name, i+1, bad))
					}
				}
			}
		}
	}
}

// TestColumnsOfPanels checks the number of panels in a row, with and without a number in the spec.
func TestColumnsOfPanels(t *testing.T) {
	for panels, want := range map[int][]int{ // for 0 to 4 columns in the spec
		1: {1, 1, 1, 1, 1}, 2: {2, 1, 2, 2, 2}, 3: {2, 1, 2, 3, 3}, 4: {2, 1, 2, 3, 4},
		5: {3, 1, 2, 3, 4}, 9: {3, 1, 2, 3, 4}} {
		for columns, n := range want {
			if got := columnsOf(figure.Figure{Columns: columns, Panels: make([]figure.Panel, panels)}); got != n {
				t.Errorf("%d panels, %d columns in the spec: %d columns, want %d", panels, columns, got, n)
			}
		}
	}
}

// TestWholeTicks checks when the ticks of an axis are integers only: if all values of all lines except bounds are, the
// axis is linear, and at least two integers are on it.
func TestWholeTicks(t *testing.T) {
	line := func(style figure.Style, x ...float64) figure.Line {
		return figure.Line{Style: style, X: x, Y: slices.Repeat([]float64{0.5}, len(x))}
	}
	half := 1.5
	for name, c := range map[string]struct {
		p    figure.Panel
		want bool
	}{
		"integers": {figure.Panel{Lines: []figure.Line{line(figure.Curve, 1, 2), line(figure.Points, 3)}}, true},
		"a half": {figure.Panel{Lines: []figure.Line{line(figure.Curve, 1, 2), line(figure.Points, 3, 2.5)}},
			false},
		"a half first":      {figure.Panel{Lines: []figure.Line{line(figure.Curve, .5, 2), line(figure.Points, 3)}}, false},
		"a half of a bound": {figure.Panel{Lines: []figure.Line{line(figure.Bound, .5, 2), line(figure.Points, 3, 1)}}, true},
		"one integer": {figure.Panel{X: figure.Axis{Max: &half}, Lines: []figure.Line{line(figure.Points, 1, 2)}},
			false},
		"log": {figure.Panel{X: figure.Axis{Log: true}, Lines: []figure.Line{line(figure.Points, 1, 2)}}, false},
	} {
		p := newPanel(c.p, tileOf(1))
		ticks, _ := p.X.Tick.Marker.(axis.LinearTicks)
		if ticks.Whole != c.want || p.Y.Tick.Marker.(axis.LinearTicks).Whole {
			t.Errorf("%s: only integers on x: %v, want %v; on y: %+v, want false", name, ticks.Whole, c.want, p.Y.Tick.Marker)
		}
	}
}
