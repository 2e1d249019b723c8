package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/axis"
)

const (
	triangleSpacing vg.Length = 27 // smallest distance between triangles of one curve, in points
	triangleWidth   vg.Length = 9  // smallest distance between triangles of separate points, in points
	boundWing       vg.Length = 8  // half the length, in points, of the line for a bound that has only one x
)

// curve draws a line. Its markers, the triangles for censored values and the arrows for stopped runs are drawn by
// marks.
type curve struct {
	figure.Line
	look look
}

var (
	_ plot.Plotter    = (*curve)(nil)
	_ plot.GlyphBoxer = (*curve)(nil)
)

// newCurve returns a line with its look.
func newCurve(l figure.Line) *curve { return &curve{Line: l, look: lookOf(l)} }

func (l *curve) Plot(c draw.Canvas, p *plot.Plot) {
	t := l.project(c, p)
	for _, piece := range t.pieces {
		c.StrokeLines(l.look.line, simplify(piece))
	}
	if at := t.marks[0]; l.Style == figure.Bound && len(t.marks) == 1 && at.visible {
		c.StrokeLine2(l.look.line, at.at.X-boundWing, at.at.Y, at.at.X+boundWing, at.at.Y)
	}
}

// drawTriangles marks values below the floor of an axis (its lower end) by triangles. It skips a value that is too
// close to the previous triangle.
func (l *curve) drawTriangles(c *draw.Canvas, marks []mark) {
	tri := marker{color: l.look.line.Color, open: true, radius: 2.4}
	spacing := triangleSpacing
	if l.Style == figure.Points {
		spacing = triangleWidth
	}
	var before *vg.Point
	for _, m := range marks {
		if !m.visible || !(m.underX || m.underY) {
			continue
		}
		at := m.at
		tri.shape = leftTriangle
		if m.underY {
			tri.shape = downTriangle
			at.Y += 1.4 * tri.radius
		} else {
			at.X += 1.4 * tri.radius
		}
		if before != nil && distance(*before, at) < spacing {
			continue
		}
		tri.draw(c, at)
		before = &at
	}
}

// censors reports whether triangles mark values of the line below the floor of the x axis and of the y axis. Such
// values cannot be drawn at their true place. A value below both floors has the triangle of the y axis. A value that is
// outside the frame along the other axis has none.
func (l *curve) censors(p *plot.Plot) (x, y bool) {
	unit := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 1, Y: 1}}}
	for _, m := range project(unit, p, l.X, l.Y).marks {
		x, y = x || m.visible && m.underX && !m.underY, y || m.visible && m.underY
	}
	return x, y
}

// thumbnail draws a sample of the line for the legend.
func (l *curve) thumbnail(c *draw.Canvas, from, to vg.Point) {
	c.StrokeLines(l.look.line, []vg.Point{from, to})
	if l.look.marker != nil {
		l.look.marker.draw(c, from.Add(to).Scale(0.5))
	}
}

// onward returns the vector of the arrow, in points, at the end of a curve whose run was stopped.
func onward() vg.Point { return vg.Point{X: 11} }

// upward returns the vector, in points, of the arrow at the final value of a stopped run if this value can only grow.
// The vector is shorter than onward, because the legend has less space for it.
func upward() vg.Point { return vg.Point{Y: 8.5} }

// stoppedAt reports whether value i is the last value of a run that its budget stopped.
func (l *curve) stoppedAt(i int) bool {
	return l.Stopped != nil && l.Stopped[i] || l.Censored && i == len(l.X)-1
}

// arrow returns the vector of the arrow at the value of a stopped run, or zero if there is no arrow.
func (l *curve) arrow() vg.Point {
	switch {
	case l.Censored:
		return onward()
	case l.Rising:
		return upward()
	}
	return vg.Point{}
}

// note returns the text in the legend for values of runs that their budget stopped, or "" if there are none.
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

// fillMarkers fills the markers of all lines of type Points if some run was stopped, because then a hollow marker means
// a stopped run.
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

// project computes where the line is on the canvas: the positions of all values, and the visible pieces of the line.
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

// drawStopped draws the marks for the last values of runs that their budget stopped.
func (l *curve) drawStopped(c *draw.Canvas, marks []mark) {
	for i, m := range marks {
		if l.stoppedAt(i) && m.visible {
			l.drawHollow(c, m.at, l.arrow())
		}
	}
}

// drawHollow draws a hollow marker at a position. If arrow is not zero, it also draws an arrow that starts there.
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
	if m := l.look.marker; m != nil && m.shape != cross && m.shape != plus { // a cross or a plus cannot be hollow
		hollow.shape, hollow.radius = m.shape, 2.8
	}
	hollow.draw(c, at)
}

// GlyphBoxes reserves space for arrows at the edge of the frame.
func (l *curve) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	arrow := l.arrow()
	if arrow == (vg.Point{}) {
		return nil
	}
	var boxes []plot.GlyphBox
	for i := range l.X {
		if l.stoppedAt(i) {
			x, _ := axis.Place(p.X, l.X[i])
			y, _ := axis.Place(p.Y, l.Y[i])
			boxes = append(boxes, plot.GlyphBox{X: x, Y: y, Rectangle: vg.Rectangle{Max: arrow.Scale(1.1)}})
		}
	}
	return boxes
}

// segments splits a line into segments that join only finished runs. It splits the line where all runs at an x are
// stopped.
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
