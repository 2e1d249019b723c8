package plots

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/harness/figure"
)

// Align returns copies of figures in which panels with the same position have the same axes, so that a page can replace
// one figure by another without a jump. The common axes contain the data of all these panels. Limits that a spec sets
// do not change, and neither do figures without panels.
func Align(figures []figure.Figure) []figure.Figure {
	out := slices.Clone(figures)
	for i := range out {
		out[i].Panels = slices.Clone(out[i].Panels)
	}
	for place := 0; ; place++ {
		x, y, any := nothing(), nothing(), false
		for _, f := range figures {
			if place < len(f.Panels) && len(f.Panels[place].Lines) > 0 {
				own, ownY := limits(f.Panels[place])
				x.add(own.Min)
				x.add(own.Max)
				y.add(ownY.Min)
				y.add(ownY.Max)
				any = true
			}
		}
		if !any {
			return out
		}
		for _, f := range out {
			if place < len(f.Panels) {
				limit(&f.Panels[place].X, x)
				limit(&f.Panels[place].Y, y)
			}
		}
	}
}

// limit sets the limits of the axis a to the range that the span to contains. Limits that the spec sets do not change.
func limit(a *figure.Axis, to span) {
	if a.Min == nil && !math.IsInf(to.Min, 0) {
		a.Min = &to.Min
	}
	if a.Max == nil && !math.IsInf(to.Max, 0) {
		a.Max = &to.Max
	}
}
