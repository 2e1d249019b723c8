package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

const (
	triangleSpacing vg.Length = 9 // between triangles of one line
	boundWing       vg.Length = 8 // of a bound of one value, to either side
)

// curve draws a line. Its markers, the triangles of its censored values and the arrows of runs that were cut short are
// drawn by marks.
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
