package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// look is the look of a line.
type look struct {
	line   draw.LineStyle
	marker *marker // nil for no markers
}

// lookOf returns the look of a line. Every other dash of a hue has open markers, and each further pair of dashes has
// another shape.
func lookOf(l figure.Line) look {
	if l.Style == figure.Bound {
		style := draw.LineStyle{Color: boundInk(), Width: boundWidth, Dashes: []vg.Length{3, 2}}
		if l.Own {
			style.Color = hue(l.Hue)
		}
		return look{line: style}
	}
	c, dash := hue(l.Hue), wrapIndex(l.Dash, figure.Dashes)
	m := &marker{shape: shapeOf(wrapIndex(l.Hue, figure.Hues) + 3*(dash/2)), color: c, open: dash%2 == 1, radius: 2.3}
	if l.Style == figure.Points {
		m.radius = 2.8
	}
	return look{line: draw.LineStyle{Color: c, Width: curveWidth, Dashes: dashes(dash)}, marker: m}
}
