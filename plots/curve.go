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
	boundWing       vg.Length = 8 // of a bound of one value, to either side
)

// curve draws a line, its markers, the triangles of its censored values and the arrows of runs that were cut short.
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
	t := l.project(c, p)
	for _, piece := range t.pieces {
		c.StrokeLines(l.look.line, simplify(piece))
	}
	if at := t.marks[0]; l.Style == figure.Bound && len(t.marks) == 1 && at.visible {
		c.StrokeLine2(l.look.line, at.at.X-boundWing, at.at.Y, at.at.X+boundWing, at.at.Y)
	}
	if l.look.marker != nil {
		l.drawMarkers(&c, t.marks)
	}
	l.drawTriangles(&c, t.marks)
	l.drawStopped(&c, t.marks)
}

// drawMarkers marks sparse values of the line, each hue starting at another place, so that lines that coincide still
// show; for a line of Points, all values. Each line has at least one marker.
func (l *curve) drawMarkers(c *draw.Canvas, marks []mark) {
	var seen []vg.Point
	for i, m := range marks {
		if m.visible && !m.underX && !m.underY && !l.stoppedAt(i) {
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

// drawTriangles marks values below the floor, as many as fit.
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

// censors reports whether the line has values below a floor.
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

// thumbnail draws a sample of the line for the legend; that of a bound stands for those of all hues.
func (l *curve) thumbnail(c *draw.Canvas, from, to vg.Point) {
	style := l.look.line
	if l.Style == figure.Bound {
		style.Color = boundInk()
	}
	c.StrokeLines(style, []vg.Point{from, to})
	if l.look.marker != nil {
		l.look.marker.draw(c, from.Add(to).Scale(0.5))
	}
}
