package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// look contains the line style and the marker of a line.
type look struct {
	line   draw.LineStyle
	marker *marker // nil if the line has no markers
}

// lookOf returns the look of a line. Among lines with the same hue, those with an odd Dash have open markers. The shape
// of the markers is different for the dashes 0 and 1, for 2 and 3, and so on.
func lookOf(l figure.Line) look {
	if l.Style == figure.Bound {
		style := draw.LineStyle{Color: boundInk(), Width: boundWidth, Dashes: []vg.Length{3, 2}}
		if l.Own {
			style.Color, style.Dashes = hue(l.Hue), boundDashes(l.Hue)
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
