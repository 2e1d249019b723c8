package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/axis"
)

// band fills the area between the edges Low and High of a line.
type band struct {
	line figure.Line
	tint color.NRGBA
}

var _ plot.Plotter = (*band)(nil)

// newBand returns the band of a line, in a pale version of the line's colour.
func newBand(l figure.Line) *band {
	tint := boundInk()
	if l.Style != figure.Bound {
		tint = hue(l.Hue)
	}
	tint.A = 0x30
	return &band{line: l, tint: tint}
}

func (b *band) Plot(c draw.Canvas, p *plot.Plot) {
	low, high := simplify(b.edge(c, p, b.line.Low)), simplify(b.edge(c, p, b.line.High))
	slices.Reverse(high)
	if area := c.ClipPolygonXY(append(low, high...)); len(area) > 2 {
		c.FillPolygon(b.tint, area)
	}
}

// edge returns the points of one edge (Low or High) on the canvas, without clipping. On a log axis, values that are not
// positive are drawn at the floor (the lower end of the axis).
func (b *band) edge(c draw.Canvas, p *plot.Plot, y []float64) []vg.Point {
	out := make([]vg.Point, len(y))
	for i := range y {
		nx, _ := axis.Place(p.X, b.line.X[i])
		ny, _ := axis.Place(p.Y, y[i])
		out[i] = vg.Point{X: c.X(nx), Y: c.Y(ny)}
	}
	return out
}
