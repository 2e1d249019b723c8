package plots

import (
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// Measures of a legend, in points.
const (
	sampleWidth vg.Length = 22
	sampleGap   vg.Length = 4
	entryHeight vg.Length = 11
	columnGap   vg.Length = 10
	legendPad   vg.Length = 3
	legendInset vg.Length = 4
	legendClear vg.Length = 4 // between a curve and the legend's box
	aboveGap    vg.Length = 3
	endGap      vg.Length = 6
	overhang    vg.Length = 6 // of a legend above the frame, to the left of its panel
)

// entry is a row of the legend: a sample of a line or a mark, and what it means.
type entry struct {
	label  string
	mark   bool // explains a mark, no line
	note   bool // is a mark's, in a row of its own below the others
	kind   kind // two entries of a kind have the same sample
	sample func(c *draw.Canvas, from, to vg.Point)
}

// kind is what the sample of an entry looks like.
type kind struct {
	hue, dash int
	bound     bool // of any hue: their sample is grey
	symbol    shape
}

// seat is where a legend stands.
type seat int

const (
	inside  seat = iota // the emptiest place of the frame
	outside             // above the frame
	atEnds              // no box: each label beside the end of its curve
)

// legend names the lines of a panel. It is drawn last and finds its own place, so that it is right in a frame of any
// size; only whether it is inside or beside the frame is decided before, because that takes room.
type legend struct {
	entries []entry
	curves  []*curve // in the order of the lines
	seat    seat
	columns int // outside
}

var (
	_ plot.Plotter    = (*legend)(nil)
	_ plot.GlyphBoxer = (*legend)(nil)
)

// newLegend lists each label once, in the order of the lines, and then the marks that occur and need an explanation.
func newLegend(curves []*curve, p *plot.Plot) *legend {
	g := &legend{curves: curves}
	seen := map[string]bool{"": true}
	var below bool
	notes := map[string]vg.Point{} // on runs that were stopped, with their arrows
	for _, l := range curves {
		below = below || l.censors(p)
		if note := l.note(); note != "" {
			notes[note] = l.arrow()
		}
		if seen[l.Label] {
			continue
		}
		seen[l.Label] = true
		label := strings.Join(strings.Fields(l.Label), " ")
		g.entries = append(g.entries, entry{label: label, kind: kindOf(l.Line), sample: l.thumbnail})
	}
	if below {
		m := marker{shape: downTriangle, color: axisInk(), open: true, radius: 2.4}
		g.entries = append(g.entries,
			entry{label: "below the axis", mark: true, kind: kind{symbol: m.shape},
				sample: func(c *draw.Canvas, from, to vg.Point) { m.draw(c, from.Add(to).Scale(0.5)) }})
	}
	for _, note := range slices.Backward(slices.Sorted(maps.Keys(notes))) { // that of curves, then those of points
		along := notes[note]
		g.entries = append(g.entries,
			entry{label: note, mark: true, note: along != onward(), sample: func(c *draw.Canvas, from, to vg.Point) {
				sample := curve{look: look{line: draw.LineStyle{Color: axisInk()}}}
				sample.drawHollow(c, from.Add(to).Scale(0.5).Sub(along.Scale(0.5)), along)
			}})
	}
	return g
}

// shorten cuts labels so that the box is not wider than width.
func (g *legend) shorten(width vg.Length) {
	for i, e := range g.entries {
		g.entries[i].label = shorten(e.label, g.style(), 0.94*width-sampleWidth-sampleGap-2*legendPad)
	}
}

func kindOf(l figure.Line) kind {
	if l.Style == figure.Bound {
		return kind{bound: true}
	}
	return kind{hue: wrapIndex(l.Hue, figure.Hues), dash: wrapIndex(l.Dash, figure.Dashes)}
}

func (*legend) style() text.Style {
	return aligned(textStyle(legendSize, false, ink()), draw.XLeft, draw.YBottom)
}

// size is the size of the box with the entries in so many columns.
func (g *legend) size(columns int) vg.Point {
	width := -columnGap
	for _, w := range g.widths(columns) {
		width += w + columnGap
	}
	for _, e := range g.entries[g.cells():] {
		width = max(width, g.entryWidth(e))
	}
	return vg.Point{X: 2*legendPad + width, Y: 2*legendPad + vg.Length(g.lines(columns))*entryHeight}
}

// lines is the number of rows in so many columns, those of notes included.
func (g *legend) lines(columns int) int {
	cells := g.cells()
	return (cells+columns-1)/columns + len(g.entries) - cells
}

// widths are those of the columns, each as wide as its widest entry. There may be fewer than asked for.
func (g *legend) widths(columns int) (out []vg.Length) {
	cells := g.entries[:g.cells()]
	if len(cells) == 0 {
		return nil
	}
	for column := range slices.Chunk(cells, (len(cells)+columns-1)/columns) {
		var w vg.Length
		for _, e := range column {
			w = max(w, g.entryWidth(e))
		}
		out = append(out, w)
	}
	return out
}

func (g *legend) entryWidth(e entry) vg.Length {
	return sampleWidth + sampleGap + g.style().Width(e.label)
}

// cells is the number of entries that stand in columns; notes, which come last, do not.
func (g *legend) cells() int {
	n := len(g.entries)
	for n > 0 && g.entries[n-1].note {
		n--
	}
	return n
}

func (g *legend) widest() vg.Length {
	var w vg.Length
	for _, e := range g.entries[:g.cells()] {
		w = max(w, g.style().Width(e.label))
	}
	return w
}

// GlyphBoxes keeps room to the right of the frame for labels that stand there. A legend above the frame has its room
// kept by the panel's heading.
func (g *legend) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	if g.seat != atEnds {
		return nil
	}
	return []plot.GlyphBox{{X: 1, Rectangle: vg.Rectangle{Max: vg.Point{X: g.beside()}}}}
}

// beside and above are the width and the height that the legend takes outside of the frame.
func (g *legend) beside() vg.Length {
	if g.seat != atEnds {
		return 0
	}
	return endGap + g.widest()
}

func (g *legend) above() vg.Length {
	if g.seat != outside {
		return 0
	}
	return aboveGap + g.size(g.columns).Y
}

func (g *legend) Plot(c draw.Canvas, p *plot.Plot) {
	switch {
	case len(g.entries) == 0:
	case g.seat == atEnds:
		g.drawAtEnds(&c, p)
	case g.seat == outside:
		width := g.size(g.columns).X
		left := min(c.Center().X-width/2, c.Max.X-width) // over the labels of y, if it is wider than the frame
		g.drawBox(&c, vg.Point{X: left, Y: c.Max.Y + aboveGap}, g.columns)
	default:
		at, columns, _ := g.emptiest(c, p)
		g.drawBox(&c, at, columns)
	}
}

// flow chooses how many columns stand side by side in the given width.
func (g *legend) flow(width vg.Length) {
	g.columns = 1
	cells, width := g.cells(), max(width, g.size(1).X) // a note may be wider
	for n := 2; n <= cells && g.size(n).X <= width; n++ {
		g.columns = n
	}
	if rows := (cells + g.columns - 1) / g.columns; rows > 0 {
		g.columns = (cells + rows - 1) / rows // no emptier last row than needed
	}
}

// drawBox draws the entries in a box whose lower left corner is at, column by column. In the frame the box hides the
// grid.
func (g *legend) drawBox(c *draw.Canvas, at vg.Point, columns int) {
	size := g.size(columns)
	box := vg.Rectangle{Min: at, Max: at.Add(size)}
	if g.seat == inside {
		c.SetColor(white())
		c.Fill(box.Path())
	}
	cells, widths := g.cells(), g.widths(columns)
	rows := (cells + columns - 1) / columns
	for i, e := range g.entries {
		column, row := 0, rows+i-cells
		if !e.note {
			column, row = i/rows, i%rows
		}
		x := at.X + legendPad
		for _, w := range widths[:column] {
			x += w + columnGap
		}
		y := at.Y + size.Y - legendPad - (vg.Length(row)+0.5)*entryHeight
		e.sample(c, vg.Point{X: x, Y: y}, vg.Point{X: x + sampleWidth, Y: y})
		g.label(c, vg.Point{X: x + sampleWidth + sampleGap, Y: y}, e.label)
	}
}

// label sets a label to the right of pt, the middle of its digits at the height of pt.
func (g *legend) label(c *draw.Canvas, pt vg.Point, s string) {
	sty := g.style()
	e := sty.FontExtents()
	pt.Y -= (e.Ascent - e.Descent) / 2
	pt.Y += e.Ascent - sty.Font.Size // the handler sets a line this much lower
	c.FillText(sty, pt, s)
}
