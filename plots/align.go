package plots

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/harness/figure"
)

// Align gives the panels at the same place of several figures the same axes, as wide as the widest, so that one figure
// can take another's place before a reader's eyes. Limits that a spec has fixed stay. Figures without panels stay as
// they are.
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

// limit sets the limits of an axis that are not fixed.
func limit(a *figure.Axis, to span) {
	if a.Min == nil && !math.IsInf(to.Min, 0) {
		a.Min = &to.Min
	}
	if a.Max == nil && !math.IsInf(to.Max, 0) {
		a.Max = &to.Max
	}
}
