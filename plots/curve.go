package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// Distances between marks of one line, in points, and how many markers a curve has at most.
const (
	mostMarkers               = 9
	markerSpacing   vg.Length = 48
	triangleSpacing vg.Length = 9
)

// curve draws a line, its markers, the triangles of its censored values and the arrow of a run that was cut short.
type curve struct {
	figure.Line
	look look
}

var (
	_ plot.Plotter    = (*curve)(nil)
	_ plot.GlyphBoxer = (*curve)(nil)
)

func newCurve(l figure.Line) *curve { return &curve{Line: l, look: lookOf(l)} }

func (l *curve) Plot(c draw.Canvas, p *plot.Plot) {
	t := project(c, p, l.X, l.Y)
	for _, piece := range t.pieces {
		c.StrokeLines(l.look.line, simplify(piece))
	}
	if l.look.marker != nil {
		l.drawMarkers(&c, t.marks)
	}
	l.drawTriangles(&c, t.marks)
	if last := t.marks[len(t.marks)-1]; l.Censored && last.visible {
		l.drawArrow(&c, last.at)
	}
}

// drawMarkers marks values that are sparse along the line, each hue starting at another place, so that lines that lie
// on each other still show; all values of a line of Points. Each line has at least one.
func (l *curve) drawMarkers(c *draw.Canvas, marks []mark) {
	var seen []vg.Point
	for i, m := range marks {
		if m.visible && !m.underX && !m.underY && !(l.Censored && i == len(marks)-1) {
			seen = append(seen, m.at)
		}
	}
	if len(seen) == 0 {
		return
	}
	if l.Style == figure.Points {
		for _, at := range seen {
			l.look.marker.draw(c, at)
		}
		return
	}
	length := vg.Length(0)
	for i := 1; i < len(seen); i++ {
		length += distance(seen[i], seen[i-1])
	}
	spacing := max(markerSpacing, length/mostMarkers)
	_, start := math.Modf(0.3 + 0.382*float64(wrapIndex(l.Hue, 1000)))
	wait := spacing * vg.Length(start)
	if length <= wait {
		l.look.marker.draw(c, seen[len(seen)/2])
		return
	}
	for i, at := range seen {
		if i > 0 {
			wait -= distance(at, seen[i-1])
		}
		if wait <= 0 {
			l.look.marker.draw(c, at)
			wait = spacing
		}
	}
}

// drawTriangles marks values below the floor, as many as have room.
func (l *curve) drawTriangles(c *draw.Canvas, marks []mark) {
	tri := marker{color: l.look.line.Color, open: true, radius: 2.4}
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
		if before != nil && distance(*before, at) < triangleSpacing {
			continue
		}
		tri.draw(c, at)
		before = &at
	}
}

// arrowLength is the reach of the arrow from the last value, in points.
const arrowLength vg.Length = 11

// drawArrow draws the last value of a run that its budget stopped: an open marker, and an arrow to where the value would
// have gone on: along x for a curve, up for a final value.
func (l *curve) drawArrow(c *draw.Canvas, at vg.Point) {
	along, across := vg.Point{X: 1}, vg.Point{Y: 1}
	if l.Style == figure.Points {
		along, across = across, along
	}
	tip := at.Add(along.Scale(arrowLength))
	barb := tip.Sub(along.Scale(3))
	style := draw.LineStyle{Color: l.look.line.Color, Width: 1}
	c.StrokeLines(style, []vg.Point{at, tip}, []vg.Point{barb.Add(across.Scale(2.2)), tip, barb.Sub(across.Scale(2.2))})
	open := marker{shape: circle, color: l.look.line.Color, radius: 2.6}
	if l.look.marker != nil {
		open = *l.look.marker
		open.radius = 2.8
	}
	open.open = true
	open.draw(c, at)
}

// GlyphBoxes makes room for an arrow at the edge of the frame.
func (l *curve) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	if !l.Censored {
		return nil
	}
	last := len(l.X) - 1
	x, _ := place(p.X, l.X[last])
	y, _ := place(p.Y, l.Y[last])
	box := plot.GlyphBox{X: x, Y: y}
	if l.Style == figure.Points {
		box.Max.Y = arrowLength + 1
	} else {
		box.Max.X = arrowLength + 1
	}
	return []plot.GlyphBox{box}
}

// censors tells whether the line has values below a floor.
func (l *curve) censors(p *plot.Plot) bool {
	for i := range l.X {
		_, underX := place(p.X, l.X[i])
		_, underY := place(p.Y, l.Y[i])
		if underX || underY {
			return true
		}
	}
	return false
}

// thumbnail draws a sample of the line for the legend.
func (l *curve) thumbnail(c *draw.Canvas, from, to vg.Point) {
	c.StrokeLines(l.look.line, []vg.Point{from, to})
	if l.look.marker != nil {
		l.look.marker.draw(c, from.Add(to).Scale(0.5))
	}
}
