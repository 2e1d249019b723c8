package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// settle chooses the seat of the legend, for a frame with the size of the data canvas c. If all labels fit next to the
// ends of the curves, they are there. Otherwise the legend is in an empty place of the frame. If the frame has no such
// place, the legend is above the frame and may be as wide as the panel.
func (g *legend) settle(c draw.Canvas, p *plot.Plot, panel vg.Length) {
	if g.seat == spread {
		return
	}
	g.seat = inside
	if len(g.entries) == 0 {
		return
	}
	if g.endsAreFree(c, p) {
		g.seat = atEnds
		return
	}
	if _, _, covered := g.emptiest(c, p); covered > 0 {
		g.seat = outside
		g.flow(panel + overhang)
	}
}

// emptiest returns the place in the frame where the legend's box covers the fewest points of curves: the lower left
// corner of the box, its number of columns, and the number of covered points. It prefers corners to edges, and one
// column to several.
func (g *legend) emptiest(c draw.Canvas, p *plot.Plot) (at vg.Point, columns, covered int) {
	points := g.obstacles(c, p)
	covered = -1
	for n := 1; n <= max(1, min(3, g.cells())); n++ {
		size := g.size(n)
		room := c.Size().Sub(size).Sub(vg.Point{X: 2 * legendInset, Y: 2 * legendInset})
		if room.X < 0 || room.Y < 0 {
			continue
		}
		for _, f := range [][2]vg.Length{{1, 1}, {0, 0}, {0, 1}, {1, 0}, {1, .5}, {.5, 1}, {.5, 0}, {0, .5}, {.75, 1},
			{.25, 0}, {.25, 1}, {.75, 0}} {
			corner := c.Min.Add(vg.Point{X: legendInset + f[0]*room.X, Y: legendInset + f[1]*room.Y})
			box := vg.Rectangle{Min: corner, Max: corner.Add(size)}
			if k := count(points, box); covered < 0 || k < covered {
				at, columns, covered = corner, n, k
			}
		}
	}
	if covered < 0 { // the box is larger than the frame
		return c.Min, 1, len(points) + 1
	}
	return at, columns, covered
}

// obstacles returns closely spaced points on all lines, bands, bars and arrows in the frame.
func (g *legend) obstacles(c draw.Canvas, p *plot.Plot) []vg.Point {
	var out []vg.Point
	for _, l := range g.curves {
		t := l.project(c, p)
		out = append(out, t.spread()...)
		for i, m := range t.marks {
			if l.stoppedAt(i) && m.visible {
				out = append(out, m.at.Add(l.arrow()))
			}
		}
		if len(l.X) == 1 {
			for _, bar := range (bars{l}).project(c, p) {
				out = append(out, bar.spread()...)
			}
		} else if l.Low != nil {
			out = append(out, project(c, p, l.X, l.Low).spread()...)
			out = append(out, project(c, p, l.X, l.High).spread()...)
		}
	}
	return out
}

// count returns the number of points within the box and a margin around it.
func count(points []vg.Point, box vg.Rectangle) int {
	n := 0
	for _, q := range points {
		if q.X > box.Min.X-legendClear && q.X < box.Max.X+legendClear && q.Y > box.Min.Y-legendClear &&
			q.Y < box.Max.Y+legendClear {
			n++
		}
	}
	return n
}

// endsAreFree reports whether each label fits next to the end of its curve. This is so for two to six curves that all
// end at the right edge of the frame, with enough distance from each other, if there are no marks to explain.
func (g *legend) endsAreFree(c draw.Canvas, p *plot.Plot) bool {
	const widestLabel = 50 // in points; with wider labels a figure of one panel would be too wide for a journal column
	if n := len(g.curves); n < 2 || n > 6 || n != len(g.entries) || g.widest() > widestLabel {
		return false
	}
	var heights []vg.Length
	for _, l := range g.curves {
		if l.Label == "" || l.note() != "" {
			return false
		}
		end := project(c, p, l.X, l.Y).end()
		if end == nil || end.X < c.Max.X-3 {
			return false
		}
		heights = append(heights, end.Y)
	}
	slices.Sort(heights)
	for i := 1; i < len(heights); i++ {
		if heights[i]-heights[i-1] < entryHeight {
			return false
		}
	}
	return true
}

// end returns the last point of the line's last piece within the frame, or nil if there is no such piece.
func (t trace) end() *vg.Point {
	if len(t.pieces) == 0 {
		return nil
	}
	piece := t.pieces[len(t.pieces)-1]
	return &piece[len(piece)-1]
}

// drawAtEnds draws each label next to the end of its curve.
func (g *legend) drawAtEnds(c *draw.Canvas, p *plot.Plot) {
	for i, l := range g.curves {
		if end := project(*c, p, l.X, l.Y).end(); end != nil {
			g.label(c, vg.Point{X: c.Max.X + endGap, Y: end.Y}, g.entries[i].label)
		}
	}
}

func (g *legend) Plot(c draw.Canvas, p *plot.Plot) {
	switch {
	case len(g.entries) == 0:
	case g.seat == atEnds:
		g.drawAtEnds(&c, p)
	case g.seat == spread:
		g.drawSpread(&c, p)
	case g.seat == outside:
		width := g.size(g.columns).X
		// A legend that is wider than the frame extends to the left, above the labels of the y axis.
		left := min(c.Center().X-width/2, c.Max.X-width)
		g.drawBox(&c, vg.Point{X: left, Y: c.Max.Y + aboveGap}, g.columns)
	default:
		at, columns, _ := g.emptiest(c, p)
		g.drawBox(&c, at, columns)
	}
}

// GlyphBoxes reserves space for labels to the right of the frame. The heading of the panel reserves the space for a
// legend above the frame.
func (g *legend) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	if g.beside() == 0 {
		return nil
	}
	return []plot.GlyphBox{{X: 1, Rectangle: vg.Rectangle{Max: vg.Point{X: g.beside()}}}}
}
