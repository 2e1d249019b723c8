package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
)

// distinctBounds leaves out bounds that would be drawn over another one: nowhere further from it than the width of a
// line. What is left of such bounds belongs to no hue, unless all had one.
func distinctBounds(lines []figure.Line, p *plot.Plot) []figure.Line {
	var out []figure.Line
	for _, l := range lines {
		i := slices.IndexFunc(out, func(o figure.Line) bool {
			return l.Style == figure.Bound && o.Style == figure.Bound && (follows(l, o, p) || follows(o, l, p))
		})
		if i < 0 {
			out = append(out, l)
			continue
		}
		own := out[i].Own && l.Own && out[i].Hue == l.Hue
		if !follows(l, out[i], p) { // the longer one is drawn
			out[i] = l
		}
		out[i].Own = own
	}
	return out
}

// follows reports whether all points of l lie on o, as near as the eye can tell.
func follows(l, o figure.Line, p *plot.Plot) bool {
	const near = 0.01 // of the axes
	at := func(l figure.Line, i int) vg.Point {
		x, _ := place(p.X, l.X[i])
		y, _ := place(p.Y, l.Y[i])
		return vg.Point{X: vg.Length(x), Y: vg.Length(y)}
	}
	for i := range l.X {
		nearest := distanceTo(at(l, i), at(o, 0), at(o, 0))
		for k := 1; k < len(o.X); k++ {
			nearest = min(nearest, distanceTo(at(l, i), at(o, k-1), at(o, k)))
		}
		if nearest > near {
			return false
		}
	}
	return true
}
