package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/axis"
)

// distinctBounds removes bounds (lines that show the bound of a theorem) whose distance from another bound is at most
// about the width of a line. The remaining bound is grey, unless all bounds that coincide with it had the same hue. If
// several bounds remain, the label of each names the lines that it bounds.
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
		own, name := out[i].Own && l.Own && out[i].Hue == l.Hue, out[i].Name
		if l.Name != name {
			name += " and " + l.Name
		}
		if !follows(l, out[i], p) { // l reaches beyond out[i], so keep l
			out[i] = l
		}
		out[i].Own, out[i].Name = own, name
	}
	var bounds []int
	for i, l := range out {
		if l.Style == figure.Bound {
			bounds = append(bounds, i)
		}
	}
	for _, i := range bounds {
		if l := out[i]; len(bounds) > 1 && l.Name != "" {
			out[i].Label = l.Label + ", " + l.Name
		}
	}
	return out
}

// follows reports whether all points of l appear to be on the line o.
func follows(l, o figure.Line, p *plot.Plot) bool {
	const near = 0.01 // largest distance, as a fraction of the length of an axis
	at := func(l figure.Line, i int) vg.Point {
		x, _ := axis.Place(p.X, l.X[i])
		y, _ := axis.Place(p.Y, l.Y[i])
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
