package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// grid draws thin light lines at the ticks that have labels. It draws no line where an axis is.
type grid struct{}

var _ plot.Plotter = grid{}

func (grid) Plot(c draw.Canvas, p *plot.Plot) {
	if w := axisWidth / 2; p.X.Width > 0 && p.Y.Width > 0 { // fill the gap that gonum leaves where the axes meet
		c.StrokeLines(p.X.LineStyle,
			[]vg.Point{{X: c.Min.X - w, Y: c.Min.Y + 1}, {X: c.Min.X - w, Y: c.Min.Y - w}, {X: c.Min.X + 1, Y: c.Min.Y - w}})
	}
	style := draw.LineStyle{Color: gridInk(), Width: gridWidth}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if x := c.X(p.X.Norm(t.Value)); !t.IsMinor() && c.ContainsX(x) && x > c.Min.X+axisWidth {
			c.StrokeLine2(style, x, c.Min.Y+axisWidth/2, x, c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if y := c.Y(p.Y.Norm(t.Value)); !t.IsMinor() && c.ContainsY(y) && y > c.Min.Y+axisWidth {
			c.StrokeLine2(style, c.Min.X+axisWidth/2, y, c.Max.X, y)
		}
	}
}
