package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// Arrows to where the value of a run that was stopped would have gone on, in points: of a curve along x, of a final
// value that only grows upwards, where the legend has less room.
func onward() vg.Point { return vg.Point{X: 11} }
func upward() vg.Point { return vg.Point{Y: 8.5} }

// stoppedAt reports whether value i is where a budget stopped a run.
func (l *curve) stoppedAt(i int) bool {
	return l.Stopped != nil && l.Stopped[i] || l.Censored && i == len(l.X)-1
}

// arrow is the arrow from a stopped value; zero for none.
func (l *curve) arrow() vg.Point {
	switch {
	case l.Censored:
		return onward()
	case l.Rising:
		return upward()
	}
	return vg.Point{}
}

// note is what the legend says about the line's values at which a budget stopped a run.
func (l *curve) note() string {
	switch {
	case l.Censored:
		return "stopped by its budget"
	case l.Stopped == nil:
		return ""
	case l.Rising:
		return "hollow: stopped by its budget, a lower bound"
	}
	return "hollow: stopped by its budget"
}

// fillMarkers fills the markers of all points if hollow ones mean that a budget stopped a run.
func fillMarkers(curves []*curve) {
	if !slices.ContainsFunc(curves, func(l *curve) bool { return l.Stopped != nil }) {
		return
	}
	for _, l := range curves {
		if l.look.marker != nil && l.Style == figure.Points {
			l.look.marker.open = false
		}
	}
}

// segments splits a line where a run that its budget stopped stands alone between two others. Such runs are in no
// segment.
func segments(l figure.Line) []figure.Line {
	if l.Stopped == nil {
		return []figure.Line{l}
	}
	var out []figure.Line
	var part figure.Line
	flush := func() {
		if len(part.X) > 0 {
			out = append(out, part)
		}
		part = figure.Line{}
	}
	for i, x := range l.X {
		switch {
		case !l.Stopped[i]:
			part.X, part.Y = append(part.X, x), append(part.Y, l.Y[i])
			if l.Low != nil {
				part.Low, part.High = append(part.Low, l.Low[i]), append(part.High, l.High[i])
			}
		case len(part.X) > 0 && part.X[len(part.X)-1] != x:
			flush()
		}
	}
	flush()
	for i := range out {
		out[i].Style, out[i].Hue, out[i].Dash = l.Style, l.Hue, l.Dash
	}
	return out
}

// project brings the line onto the canvas: all of its values, and the pieces of its segments.
func (l *curve) project(c draw.Canvas, p *plot.Plot) trace {
	t := project(c, p, l.X, l.Y)
	if l.Stopped == nil {
		return t
	}
	t.pieces = nil
	for _, s := range segments(l.Line) {
		t.pieces = append(t.pieces, project(c, p, s.X, s.Y).pieces...)
	}
	return t
}

// drawStopped draws the values at which a budget stopped a run.
func (l *curve) drawStopped(c *draw.Canvas, marks []mark) {
	for i, m := range marks {
		if l.stoppedAt(i) && m.visible {
			l.drawHollow(c, m.at, l.arrow())
		}
	}
}

// drawHollow draws a hollow marker, and an arrow from it unless that is zero.
func (l *curve) drawHollow(c *draw.Canvas, at, arrow vg.Point) {
	if length := arrow.X + arrow.Y; length > 0 {
		along := arrow.Scale(1 / length)
		across := vg.Point{X: along.Y, Y: along.X}
		tip := at.Add(arrow)
		barb := tip.Sub(along.Scale(3))
		style := draw.LineStyle{Color: l.look.line.Color, Width: 1}
		c.StrokeLines(style, []vg.Point{at, tip}, []vg.Point{barb.Add(across.Scale(2.2)), tip, barb.Sub(across.Scale(2.2))})
	}
	hollow := marker{shape: circle, color: l.look.line.Color, radius: 2.6, open: true}
	if m := l.look.marker; m != nil && m.shape != cross && m.shape != plus { // of strokes nothing is left to fill
		hollow.shape, hollow.radius = m.shape, 2.8
	}
	hollow.draw(c, at)
}

// GlyphBoxes makes room for arrows at the edge of the frame.
func (l *curve) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	arrow := l.arrow()
	if arrow == (vg.Point{}) {
		return nil
	}
	var boxes []plot.GlyphBox
	for i := range l.X {
		if l.stoppedAt(i) {
			x, _ := place(p.X, l.X[i])
			y, _ := place(p.Y, l.Y[i])
			boxes = append(boxes, plot.GlyphBox{X: x, Y: y, Rectangle: vg.Rectangle{Max: arrow.Scale(1.1)}})
		}
	}
	return boxes
}
