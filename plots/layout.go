package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// Space around and between panels, in points.
const (
	margin    vg.Length = 8
	betweenX  vg.Length = 16
	betweenY  vg.Length = 12
	titleGap  vg.Length = 6
	footerGap vg.Length = 5
)

// layout contains the size of a figure and the positions of its panels, texts and legends.
type layout struct {
	width, height vg.Length
	title, foot   []string
	shared        *legend        // the common legend of several panels, below the title; nil: each panel has its own
	plots         [][]*plot.Plot // panels by row and column; nil: no panel there
	tiles         draw.Tiles
}

// newLayout arranges the panels in tiles. Panels that share a legend get one common legend.
func newLayout(f figure.Figure, panels []*panel, tile vg.Point) layout {
	var together []*panel
	spreads := spreadsLabels(f, panels, tile)
	for i, shares := range figure.Together(f.Panels) {
		if shares || spreads && f.Panels[i].Ends {
			together = append(together, panels[i])
		}
	}
	if spreads {
		for i, p := range panels {
			if f.Panels[i].Ends {
				p.legend.seat = spread
			}
		}
	}
	shared := joinLegends(together)
	for _, p := range together {
		p.legend.keepSpread(shared != nil)
	}
	if shared != nil {
		columns := vg.Length(columnsOf(f))
		shared.shorten(columns*tile.X + (columns-1)*betweenX)
	}
	for _, p := range panels {
		p.legend.shorten(tile.X)
	}
	return arrange(f, panels, shared, tile)
}

// arrange places the legend of each panel. A legend that does not fit into its frame enlarges its row or column.
func arrange(f figure.Figure, panels []*panel, shared *legend, tile vg.Point) layout {
	columns := columnsOf(f)
	rows := (len(panels) + columns - 1) / columns
	l := layout{plots: make([][]*plot.Plot, rows), shared: shared}
	for r := range l.plots {
		l.plots[r] = make([]*plot.Plot, columns)
	}
	for i, p := range panels {
		l.plots[i/columns][i%columns] = p.Plot
		p.settle(draw.Canvas{Rectangle: vg.Rectangle{Max: tile}})
	}
	evenRows(panels, columns, tile.X)
	l.measure(f, panels, tile)
	canvases := l.canvases()
	for i, p := range panels { // aligned axes may make a frame too small for its legend: choose its place again
		if p.legend.seat == inside {
			p.settle(canvases[i/columns][i%columns])
		}
	}
	evenRows(panels, columns, tile.X)
	l.measure(f, panels, tile)
	return l
}

// evenRows moves all legends of a row of panels above their frames if at least one legend must be there. Otherwise the
// panels with a legend inside would have a blank strip above their frames. It chooses the number of columns of each
// legend so that all have similar heights.
func evenRows(panels []*panel, columns int, width vg.Length) {
	for row := range slices.Chunk(panels, columns) {
		if !slices.ContainsFunc(row, func(p *panel) bool { return p.legend.seat == outside }) {
			continue
		}
		lines := 0
		for _, p := range row {
			if g := p.legend; len(g.entries) > 0 && g.seat != spread {
				g.seat = outside
				g.flow(width + overhang)
				lines = max(lines, g.lines(g.columns))
			}
		}
		for _, p := range row {
			for g := p.legend; g.seat == outside && g.columns > 1 && g.lines(g.columns-1) <= lines; {
				g.columns--
			}
		}
	}
}

// measure computes all sizes from the current places of the legends.
func (l *layout) measure(f figure.Figure, panels []*panel, tile vg.Point) {
	rows, columns := len(l.plots), len(l.plots[0])
	beside, above := make([]vg.Length, columns), make([]vg.Length, rows)
	for i, p := range panels {
		beside[i%columns] = max(beside[i%columns], p.legend.beside())
		above[i/columns] = max(above[i/columns], p.legend.above())
	}
	for i, p := range panels {
		p.heading.lift = above[i/columns]
	}
	l.width = 2*margin + vg.Length(columns)*tile.X + vg.Length(columns-1)*betweenX + sum(beside)
	inner := l.width - 2*margin
	l.title = linesOf(typeset.Balance(f.Title, titleStyle(), inner))
	l.foot = linesOf(typeset.Wrap(f.Caption, footStyle(), inner))
	l.tiles = draw.Tiles{
		Rows: rows, Cols: columns, PadX: betweenX, PadY: betweenY,
		PadLeft: margin, PadRight: margin,
		PadTop:    margin + block(l.title, titleSize, titleGap),
		PadBottom: margin + block(l.foot, captionSize, footerGap),
	}
	if l.shared != nil {
		l.shared.flow(inner)
		l.tiles.PadTop += l.shared.size(l.shared.columns).Y
	}
	l.height = l.tiles.PadTop + l.tiles.PadBottom + vg.Length(rows)*tile.Y + vg.Length(rows-1)*betweenY + sum(above)
}

// canvases returns the canvases of the panels, by row and column, for the current sizes.
func (l *layout) canvases() [][]draw.Canvas {
	return plot.Align(l.plots, l.tiles, draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: l.width, Y: l.height}}})
}

func sum(lengths []vg.Length) vg.Length {
	var s vg.Length
	for _, l := range lengths {
		s += l
	}
	return s
}

// joinLegends returns one legend with the lines of all panels, followed by their bounds and marks. It returns nil if
// there are no entries, or if two lines with the same label look different. No spec leads to the second case.
func joinLegends(panels []*panel) *legend {
	var lines, bounds, marks, notes []entry
	seen := map[string]kind{}
	for _, p := range panels {
		for _, e := range p.legend.entries {
			if p.legend.seat == spread && isLine(e) {
				continue
			}
			known, again := seen[e.label]
			switch {
			case again && known != e.kind:
				return nil
			case again:
			case e.note:
				notes = append(notes, e)
			case e.mark:
				marks = append(marks, e)
			case e.kind.bound:
				bounds = append(bounds, e)
			default:
				lines = append(lines, e)
			}
			seen[e.label] = e.kind
		}
	}
	if len(seen) == 0 {
		return nil
	}
	return &legend{entries: slices.Concat(lines, bounds, marks, notes)}
}

func titleStyle() text.Style {
	return aligned(textStyle(titleSize, true, ink()), draw.XCenter, draw.YTop)
}

func footStyle() text.Style {
	return aligned(textStyle(captionSize, false, captionInk()), draw.XLeft, draw.YTop)
}

// draw draws the figure on a canvas of its size.
func (l layout) draw(c draw.Canvas) {
	c.SetColor(white())
	c.Fill(c.Rectangle.Path())
	for i, line := range l.title {
		c.FillText(titleStyle(), vg.Point{X: c.Center().X, Y: c.Max.Y - margin - vg.Length(i)*titleSize*lineSkip}, line)
	}
	for i, line := range l.foot {
		below := vg.Length(len(l.foot)-i) * captionSize * lineSkip
		c.FillText(footStyle(), vg.Point{X: c.Min.X + margin, Y: c.Min.Y + margin + below}, line)
	}
	if l.shared != nil {
		size := l.shared.size(l.shared.columns)
		top := c.Max.Y - margin - block(l.title, titleSize, titleGap)
		l.shared.drawBox(&c, vg.Point{X: max(margin, c.Center().X-size.X/2), Y: top - size.Y}, l.shared.columns)
	}
	canvases := plot.Align(l.plots, l.tiles, c)
	for r, row := range l.plots {
		for k, p := range row {
			if p != nil {
				p.Draw(canvases[r][k])
			}
		}
	}
}

// columnsOf returns the number of panels in a row.
func columnsOf(f figure.Figure) int {
	n := len(f.Panels)
	switch {
	case f.Columns > 0:
		return min(f.Columns, n)
	case n == 1:
		return 1
	case n <= 4:
		return 2
	default:
		return 3
	}
}
