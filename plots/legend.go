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
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// Measures of a legend, in points.
const (
	sampleWidth vg.Length = 22
	sampleGap   vg.Length = 4
	entryHeight vg.Length = 11
	columnGap   vg.Length = 10
	legendPad   vg.Length = 3
	legendInset vg.Length = 4
	legendClear vg.Length = 4 // smallest distance between a curve and the legend's box
	aboveGap    vg.Length = 3
	endGap      vg.Length = 6
	overhang    vg.Length = 6 // how far a legend above the frame may extend to the left of its panel
)

// entry is an entry of a legend: a sample of a line or a mark, and its meaning.
type entry struct {
	label  string
	mark   bool // whether the entry explains a mark instead of a line
	note   bool // whether the mark has a separate row below the other entries
	kind   kind // entries of the same kind have the same sample
	sample func(c *draw.Canvas, from, to vg.Point)
}

// kind determines the look of an entry's sample. Entries of the same kind have the same sample.
type kind struct {
	hue, dash int
	bound     bool // whether the entry explains a bound
	symbol    shape
}

// seat is the place of a legend.
type seat int

const (
	inside  seat = iota // in the frame, where it covers the fewest points
	outside             // above the frame
	atEnds              // without a box: each label is next to the end of its curve
	spread              // like atEnds, but labels are moved apart, and thin lines lead to them
)

// legend explains the lines of a panel. It is drawn last. If it is in the frame, it chooses its place while it is
// drawn, so it works for a frame of any size. Whether it is in the frame (its seat) is decided before, because a legend
// outside the frame needs space.
type legend struct {
	entries []entry
	curves  []*curve // in the order of the lines
	seat    seat
	columns int // number of columns, if the legend is above the frame
}

var (
	_ plot.Plotter    = (*legend)(nil)
	_ plot.GlyphBoxer = (*legend)(nil)
)

// newLegend returns a legend that lists each label once, in the order of the lines, and then the marks that occur.
func newLegend(curves []*curve, p *plot.Plot) *legend {
	g := &legend{curves: curves}
	seen := map[string]bool{"": true}
	var left, below bool
	notes := map[string]vg.Point{} // texts about stopped runs, with their arrows
	for _, l := range curves {
		underX, underY := l.censors(p)
		left, below = left || underX, below || underY
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
	for _, at := range []struct {
		there bool
		label string
		shape shape
	}{{below, "below the axis", downTriangle}, {left, "left of the axis", leftTriangle}} {
		if !at.there {
			continue
		}
		m := marker{shape: at.shape, color: axisInk(), open: true, radius: 2.4}
		g.entries = append(g.entries,
			entry{label: at.label, mark: true, kind: kind{symbol: m.shape},
				sample: func(c *draw.Canvas, from, to vg.Point) { m.draw(c, from.Add(to).Scale(0.5)) }})
	}
	// The note about curves comes first, then the notes about points.
	for _, note := range slices.Backward(slices.Sorted(maps.Keys(notes))) {
		along := notes[note]
		g.entries = append(g.entries,
			entry{label: note, mark: true, note: along != onward(), sample: func(c *draw.Canvas, from, to vg.Point) {
				sample := curve{look: look{line: draw.LineStyle{Color: axisInk()}}}
				sample.drawHollow(c, from.Add(to).Scale(0.5).Sub(along.Scale(0.5)), along)
			}})
	}
	return g
}

// shorten shortens the labels so that the box is not wider than width.
func (g *legend) shorten(width vg.Length) {
	for i, e := range g.entries {
		g.entries[i].label = typeset.Shorten(e.label, g.style(), 0.94*width-sampleWidth-sampleGap-2*legendPad)
	}
}

// kindOf returns the kind of a line's entry.
func kindOf(l figure.Line) kind {
	switch {
	case l.Style == figure.Bound && l.Own:
		return kind{bound: true, hue: wrapIndex(l.Hue, figure.Hues)}
	case l.Style == figure.Bound:
		return kind{bound: true}
	}
	return kind{hue: wrapIndex(l.Hue, figure.Hues), dash: wrapIndex(l.Dash, figure.Dashes)}
}

func (*legend) style() text.Style {
	return aligned(textStyle(legendSize, false, ink()), draw.XLeft, draw.YBottom)
}

// size returns the size of the legend's box if the entries are in the given number of columns.
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

// lines returns the number of rows if the entries are in the given number of columns. It includes the rows of notes.
func (g *legend) lines(columns int) int {
	cells := g.cells()
	return (cells+columns-1)/columns + len(g.entries) - cells
}

// widths returns the widths of the columns. A column is as wide as its widest entry. The entries may need fewer columns
// than the given number.
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

// entryWidth returns the width of an entry with its sample.
func (g *legend) entryWidth(e entry) vg.Length {
	return sampleWidth + sampleGap + g.style().Width(e.label)
}

// cells returns the number of entries that are arranged in columns. Notes are not among them: they come last, one per
// row.
func (g *legend) cells() int {
	n := len(g.entries)
	for n > 0 && g.entries[n-1].note {
		n--
	}
	return n
}

// widest returns the width of the widest label.
func (g *legend) widest() vg.Length {
	var w vg.Length
	for _, e := range g.entries[:g.cells()] {
		w = max(w, g.style().Width(e.label))
	}
	return w
}

// beside returns the width that the legend needs to the right of the frame.
func (g *legend) beside() vg.Length {
	switch g.seat {
	case atEnds:
		return endGap + g.widest()
	case spread:
		return g.besideSpread()
	}
	return 0
}

// above returns the height that the legend needs above the frame.
func (g *legend) above() vg.Length {
	if g.seat != outside {
		return 0
	}
	return aboveGap + g.size(g.columns).Y
}

// flow chooses the largest number of columns that fit into the given width.
func (g *legend) flow(width vg.Length) {
	g.columns = 1
	cells, width := g.cells(), max(width, g.size(1).X) // a note may need more than the given width
	for n := 2; n <= cells && g.size(n).X <= width; n++ {
		g.columns = n
	}
	if rows := (cells + g.columns - 1) / g.columns; rows > 0 {
		g.columns = (cells + rows - 1) / rows // fewest columns for this number of rows
	}
}

// drawBox draws the entries, column by column, in a box with the lower left corner at. The box is transparent, so that
// it cuts no line of the grid.
func (g *legend) drawBox(c *draw.Canvas, at vg.Point, columns int) {
	size := g.size(columns)
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

// label draws a label to the right of pt. The middle of its digits is at the height of pt.
func (g *legend) label(c *draw.Canvas, pt vg.Point, s string) {
	sty := g.style()
	e := sty.FontExtents()
	pt.Y -= (e.Ascent - e.Descent) / 2
	pt.Y += e.Ascent - sty.Font.Size // the text handler draws a line lower by this distance
	c.FillText(sty, pt, s)
}
