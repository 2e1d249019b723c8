package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shape is the shape of a marker.
type shape int

const (
	circle shape = iota
	square
	triangle
	diamond
	cross
	pentagon
	rightTriangle
	plus
	shapes // number of the shapes that curves have

	downTriangle // marks a value below the floor of y
	leftTriangle // marks a value below the floor of x
)

// shapeOf returns the i-th shape for curves. After the last shape it begins again with the first.
func shapeOf(i int) shape { return shape(wrapIndex(i, int(shapes))) }

// marker is a filled shape with a thin white edge. If it is open, it is an outline filled with white.
type marker struct {
	shape  shape
	color  color.Color
	open   bool
	radius vg.Length
}

// draw draws the marker at pt.
func (m marker) draw(c *draw.Canvas, pt vg.Point) {
	if m.shape == cross || m.shape == plus {
		m.drawStrokes(c, pt)
		return
	}
	path := m.outline(pt)
	if m.open {
		c.SetColor(color.White)
		c.Fill(path)
		c.SetLineStyle(draw.LineStyle{Color: m.color, Width: 0.9})
	} else {
		c.SetColor(m.color)
		c.Fill(path)
		c.SetLineStyle(draw.LineStyle{Color: color.White, Width: 0.4})
	}
	c.Stroke(path)
}

// drawStrokes draws the two strokes of a cross or a plus, with white edges.
func (m marker) drawStrokes(c *draw.Canvas, pt vg.Point) {
	a, b := vg.Point{X: m.radius, Y: m.radius}, vg.Point{X: m.radius, Y: -m.radius}
	if m.shape == plus {
		a, b = vg.Point{X: 1.3 * m.radius}, vg.Point{Y: 1.3 * m.radius}
	}
	arms := [][]vg.Point{{pt.Sub(a), pt.Add(a)}, {pt.Sub(b), pt.Add(b)}}
	width := vg.Length(1.4)
	if m.open {
		width = 0.9
	}
	c.StrokeLines(draw.LineStyle{Color: color.White, Width: width + 1}, arms...)
	c.StrokeLines(draw.LineStyle{Color: m.color, Width: width}, arms...)
}

// outline returns the closed path of the shape around pt. All shapes have approximately the same area.
func (m marker) outline(pt vg.Point) vg.Path {
	var path vg.Path
	if m.shape == circle {
		path.Move(pt.Add(vg.Point{X: m.radius}))
		path.Arc(pt, m.radius, 0, 2*math.Pi)
		path.Close()
		return path
	}
	corners, start, scale := 4, math.Pi/4, 1.22
	switch m.shape {
	case triangle:
		corners, start, scale = 3, math.Pi/2, 1.4
	case downTriangle:
		corners, start, scale = 3, -math.Pi/2, 1.4
	case leftTriangle:
		corners, start, scale = 3, math.Pi, 1.4
	case rightTriangle:
		corners, start, scale = 3, 0, 1.4
	case diamond:
		start, scale = 0, 1.35
	case pentagon:
		corners, start, scale = 5, math.Pi/2, 1.15
	}
	for k := range corners {
		sin, cos := math.Sincos(start + 2*math.Pi*float64(k)/float64(corners))
		corner := pt.Add(vg.Point{X: vg.Length(scale*cos) * m.radius, Y: vg.Length(scale*sin) * m.radius})
		if k == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	return path
}
