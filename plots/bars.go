package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bars draws the ranges of a line with only one point, where a band would have no area: from Low to High, and from the
// smallest to the largest x of the repetitions.
type bars struct{ *curve }

var _ plot.Plotter = bars{}

const (
	barWidth vg.Length = 1.1 // in points
	barCap   vg.Length = 2.2 // half the length of the line across an end of a bar, in points
)

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	style := draw.LineStyle{Color: b.look.line.Color, Width: barWidth}
	for _, t := range b.project(c, p) {
		for _, piece := range t.pieces {
			c.StrokeLines(style, piece)
		}
		for i, m := range t.marks {
			if !m.visible || m.underX || m.underY {
				continue
			}
			along := t.marks[1-i].at.Sub(m.at)
			half := vg.Point{X: barCap}
			if along.X != 0 {
				half = vg.Point{Y: barCap}
			}
			c.StrokeLines(style, []vg.Point{m.at.Sub(half), m.at.Add(half)})
		}
	}
}

// project computes where the bars are on the canvas. Each has two marks, its ends.
func (b bars) project(c draw.Canvas, p *plot.Plot) []trace {
	var out []trace
	if b.Low != nil {
		out = append(out, project(c, p, []float64{b.X[0], b.X[0]}, []float64{b.Low[0], b.High[0]}))
	}
	if b.Range != nil {
		out = append(out, project(c, p, b.Range, []float64{b.Y[0], b.Y[0]}))
	}
	return out
}
