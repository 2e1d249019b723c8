package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// Measures of labels that are moved apart, in points.
const (
	spreadWidth  vg.Length = 62  // width at which a label is broken into lines
	spreadSkip   vg.Length = 9   // height of a line of a label
	spreadGap    vg.Length = 0.6 // smallest distance between two labels
	leaderReach  vg.Length = 10  // from the frame to the end of a leader
	spreadMarker vg.Length = 13  // from the frame to the middle of the marker beside a label
	spreadText   vg.Length = 18  // from the frame to a label
	leaderWidth  vg.Length = 0.5
)

// place is a label beside the frame, for the line that ends at end.
type place struct {
	curve *curve
	lines []string
	end   vg.Point
	y     vg.Length // height of the middle of the label
}

func (s place) height() vg.Length { return vg.Length(len(s.lines)) * spreadSkip }

// target returns the point to which the leader of the label leads.
func (s place) target(c draw.Canvas) vg.Point { return vg.Point{X: c.Max.X + leaderReach, Y: s.y} }

// spreadsLabels reports whether the panels whose lines have labels at their ends (figure.Panel.Ends) have enough space
// for them. If a label does not fit, all panels have legends.
func spreadsLabels(f figure.Figure, panels []*panel, tile vg.Point) bool {
	any := false
	for i, p := range panels {
		if !f.Panels[i].Ends {
			continue
		}
		any = true
		c := p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: tile}})
		list := p.legend.places(c, p.Plot)
		height := vg.Length(0)
		for _, s := range list {
			height += s.height() + spreadGap
		}
		if list == nil || height > c.Size().Y {
			return false
		}
	}
	return any
}

// isLine reports whether an entry explains a line and not a bound or a mark.
func isLine(e entry) bool { return !e.mark && !e.note && !e.kind.bound }

// keepSpread removes the entries that are in the common legend, if there is one. The entries of lines with labels at
// their ends remain.
func (g *legend) keepSpread(common bool) {
	switch {
	case g.seat == spread:
		g.entries = slices.DeleteFunc(g.entries, func(e entry) bool { return !isLine(e) })
	case common:
		g.entries = nil
	}
}

// places returns the labels of all lines except bounds, from the highest to the lowest, in places where they do not
// overlap. It returns nil if a line has no label or no visible end.
func (g *legend) places(c draw.Canvas, p *plot.Plot) []place {
	var list []place
	for _, l := range g.curves {
		if l.Style == figure.Bound {
			continue
		}
		end := l.lastSeen(c, p)
		lines := linesOf(typeset.Balance(l.Label, g.style(), spreadWidth))
		if end == nil || len(lines) == 0 {
			return nil
		}
		list = append(list, place{curve: l, lines: lines, end: *end})
	}
	slices.SortStableFunc(list, func(a, b place) int {
		switch { // of lines that end at one height, the label of the first to end is the highest
		case abs(a.end.Y-b.end.Y) > 1:
			return int(math.Copysign(1, float64(b.end.Y-a.end.Y)))
		case a.end.X < b.end.X:
			return -1
		case a.end.X > b.end.X:
			return 1
		}
		return 0
	})
	moveApart(list, c)
	untangle(list, c)
	return list
}

// untangle exchanges labels until no leaders cross. An exchange may cause other crossings, but shortens the leaders, so
// the number of exchanges that are needed is small.
func untangle(list []place, c draw.Canvas) {
	for range 10 * len(list) {
		if !uncross(list, c) {
			return
		}
	}
}

// uncross exchanges two labels whose leaders cross, and moves all labels apart. Of all such pairs it chooses the
// nearest neighbours. It returns false if no leaders cross.
func uncross(list []place, c draw.Canvas) bool {
	for apart := 1; apart < len(list); apart++ {
		for i := apart; i < len(list); i++ {
			a, b := list[i-apart], list[i]
			if segmentsCross(a.end, a.target(c), b.end, b.target(c)) {
				list[i-apart], list[i] = b, a
				moveApart(list, c)
				return true
			}
		}
	}
	return false
}

// moveApart sets the heights of labels, which are in the order from top to bottom, so that they do not overlap, lie
// beside the frame, and are as near as possible to the ends of their lines (least sum of squared distances).
func moveApart(list []place, c draw.Canvas) {
	type block struct {
		sum vg.Length // of the heights that its labels want, each raised by its distance from the first label
		n   int
	}
	mean := func(b block) vg.Length { return b.sum / vg.Length(b.n) }
	below := make([]vg.Length, len(list)) // distance of each label from the first one if all labels touch
	var blocks []block
	for i, s := range list {
		if i > 0 {
			below[i] = below[i-1] + (list[i-1].height()+s.height())/2 + spreadGap
		}
		blocks = append(blocks, block{s.end.Y + below[i], 1})
		for k := len(blocks) - 1; k > 0 && mean(blocks[k-1]) < mean(blocks[k]); k-- {
			blocks[k-1] = block{blocks[k-1].sum + blocks[k].sum, blocks[k-1].n + blocks[k].n}
			blocks = blocks[:k]
		}
	}
	if len(list) == 0 {
		return
	}
	last := len(list) - 1
	highest := c.Max.Y - list[0].height()/2
	lowest := c.Min.Y + list[last].height()/2 + below[last]
	i := 0
	for _, b := range blocks {
		for range b.n {
			list[i].y = max(min(mean(b), highest), lowest) - below[i]
			i++
		}
	}
}

// lastSeen returns the last visible point of the line, or nil if there is none.
func (l *curve) lastSeen(c draw.Canvas, p *plot.Plot) *vg.Point {
	t := l.project(c, p)
	if end := t.end(); end != nil {
		return end
	}
	for _, m := range slices.Backward(t.marks) {
		if m.visible {
			return &m.at
		}
	}
	return nil
}

// segmentsCross reports whether the segment from a to b crosses the segment from p to q.
func segmentsCross(a, b, p, q vg.Point) bool {
	side := func(o, u, v vg.Point) vg.Length { return (u.X-o.X)*(v.Y-o.Y) - (u.Y-o.Y)*(v.X-o.X) }
	return side(a, b, p)*side(a, b, q) < 0 && side(p, q, a)*side(p, q, b) < 0
}

// besideSpread returns the width that labels which are moved apart need to the right of the frame.
func (g *legend) besideSpread() (width vg.Length) {
	for _, e := range g.entries {
		for _, line := range linesOf(typeset.Balance(e.label, g.style(), spreadWidth)) {
			width = max(width, spreadText+g.style().Width(line))
		}
	}
	return width
}

// drawSpread draws the labels beside the frame, each with the marker of its line.
func (g *legend) drawSpread(c *draw.Canvas, p *plot.Plot) {
	for _, s := range g.places(*c, p) {
		if m := s.curve.look.marker; m != nil {
			m.draw(c, vg.Point{X: c.Max.X + spreadMarker, Y: s.y})
		}
		for i, line := range s.lines {
			down := (vg.Length(i) - vg.Length(len(s.lines)-1)/2) * spreadSkip
			g.label(c, vg.Point{X: c.Max.X + spreadText, Y: s.y - down}, line)
		}
	}
}

// leaders draws thin lines from the ends of the lines to their labels, under all lines.
type leaders struct{ legend *legend }

var _ plot.Plotter = (*leaders)(nil)

func (l *leaders) Plot(c draw.Canvas, p *plot.Plot) {
	if l.legend.seat != spread {
		return
	}
	for _, s := range l.legend.places(c, p) {
		tint := hue(s.curve.Hue)
		tint.A = 0x90
		c.StrokeLines(draw.LineStyle{Color: tint, Width: leaderWidth}, []vg.Point{s.end, s.target(c)})
	}
}
