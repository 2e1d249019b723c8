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

// shareAxes returns a copy of a figure in which axes that show the same quantity have the same limits, as far as the
// figure says so (ShareX and ShareY). The common limits contain the data of all these panels.
func shareAxes(f figure.Figure) figure.Figure {
	f.Panels = slices.Clone(f.Panels)
	type quantity struct {
		label string
		log   bool
	}
	for _, way := range []struct {
		shared bool
		axis   func(*figure.Panel) *figure.Axis
		span   func(x, y span) span
	}{
		{f.ShareX, func(p *figure.Panel) *figure.Axis { return &p.X }, func(x, _ span) span { return x }},
		{f.ShareY, func(p *figure.Panel) *figure.Axis { return &p.Y }, func(_, y span) span { return y }},
	} {
		if !way.shared {
			continue
		}
		all := map[quantity]span{}
		for i := range f.Panels {
			a := way.axis(&f.Panels[i])
			s, known := all[quantity{a.Label, a.Log}]
			if !known {
				s = nothing()
			}
			own := way.span(limits(f.Panels[i]))
			s.add(own.Min)
			s.add(own.Max)
			all[quantity{a.Label, a.Log}] = s
		}
		for i := range f.Panels {
			a := way.axis(&f.Panels[i])
			limit(a, all[quantity{a.Label, a.Log}])
		}
	}
	return f
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
