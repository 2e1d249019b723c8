package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heading draws the title of a panel above its frame and above the legends in its row. It does not use the title of
// gonum's plot: gonum draws that at the top of the canvas, where the titles of a row would be at different heights.
type heading struct {
	lines []string
	lift  vg.Length // height of the legends above the frame, in points; equal for all panels of a row
}

var (
	_ plot.Plotter    = (*heading)(nil)
	_ plot.GlyphBoxer = (*heading)(nil)
)

const headingGap vg.Length = 7

func headingStyle() text.Style {
	return aligned(textStyle(panelSize, true, ink()), draw.XCenter, draw.YBottom)
}

func (h *heading) Plot(c draw.Canvas, _ *plot.Plot) {
	y := c.Max.Y + h.lift + headingGap
	for i, line := range h.lines {
		lift := vg.Length(len(h.lines)-1-i) * panelSize * lineSkip
		c.FillText(headingStyle(), vg.Point{X: c.Center().X, Y: y + lift}, line)
	}
}

// GlyphBoxes reserves space for the title above the frame.
func (h *heading) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	height := h.lift + block(h.lines, panelSize, headingGap)
	return []plot.GlyphBox{{Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: height}}}}
}
