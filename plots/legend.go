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
	legendClear vg.Length = 4 // between a curve and the legend's box
	aboveGap    vg.Length = 3
	endGap      vg.Length = 6
	overhang    vg.Length = 6 // of a legend above the frame, to the left of its panel
)

// entry is a row of the legend: a sample of a line or a mark, and its meaning.
type entry struct {
	label  string
	mark   bool // whether it explains a mark instead of a line
	note   bool // whether it is a mark with its own row below the others
	kind   kind // entries of the same kind have the same sample
	sample func(c *draw.Canvas, from, to vg.Point)
}

// kind determines the look of the sample of an entry.
type kind struct {
	hue, dash int
	bound     bool // a bound of any hue, with a grey sample
	symbol    shape
}

// seat is the place of a legend.
type seat int

const (
	inside  seat = iota // the emptiest place of the frame
	outside             // above the frame
	atEnds              // no box: each label beside the end of its curve
)

// legend names the lines of a panel. It is drawn last and finds its own place, so that it suits a frame of any size.
// Only the choice between inside and outside of the frame is made before, because a legend outside needs space.
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

// newLegend lists each label once, in the order of the lines, and then the marks that occur.
func newLegend(curves []*curve, p *plot.Plot) *legend {
	g := &legend{curves: curves}
	seen := map[string]bool{"": true}
	var below bool
	notes := map[string]vg.Point{} // the notes on stopped runs, with their arrows
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
	for _, note := range slices.Backward(slices.Sorted(maps.Keys(notes))) { // the note of curves, then those of points
		along := notes[note]
		g.entries = append(g.entries,
			entry{label: note, mark: true, note: along != onward(), sample: func(c *draw.Canvas, from, to vg.Point) {
				sample := curve{look: look{line: draw.LineStyle{Color: axisInk()}}}
				sample.drawHollow(c, from.Add(to).Scale(0.5).Sub(along.Scale(0.5)), along)
			}})
	}
	return g
}

// shorten shortens labels so that the box is not wider than width.
func (g *legend) shorten(width vg.Length) {
	for i, e := range g.entries {
		g.entries[i].label = typeset.Shorten(e.label, g.style(), 0.94*width-sampleWidth-sampleGap-2*legendPad)
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

// size returns the size of the box with the entries in so many columns.
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

// lines returns the number of rows in so many columns, with the rows of notes.
func (g *legend) lines(columns int) int {
	cells := g.cells()
	return (cells+columns-1)/columns + len(g.entries) - cells
}

// widths returns the width of each column, which is that of its widest entry. There may be fewer columns than given.
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

// cells returns the number of entries in columns. Notes, which come last, are not in columns.
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

// beside returns the width that the legend takes to the right of the frame.
func (g *legend) beside() vg.Length {
	if g.seat != atEnds {
		return 0
	}
	return endGap + g.widest()
}

// above returns the height that the legend takes above the frame.
func (g *legend) above() vg.Length {
	if g.seat != outside {
		return 0
	}
	return aboveGap + g.size(g.columns).Y
}

// flow chooses the number of columns that fit into the given width.
func (g *legend) flow(width vg.Length) {
	g.columns = 1
	cells, width := g.cells(), max(width, g.size(1).X) // a note may be wider
	for n := 2; n <= cells && g.size(n).X <= width; n++ {
		g.columns = n
	}
	if rows := (cells + g.columns - 1) / g.columns; rows > 0 {
		g.columns = (cells + rows - 1) / rows // so that the last row is as full as possible
	}
}

// drawBox draws the entries, column by column, in a box whose lower left corner is at. Inside the frame the box hides
// the grid.
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

// label draws a label to the right of pt, with the middle of its digits at the height of pt.
func (g *legend) label(c *draw.Canvas, pt vg.Point, s string) {
	sty := g.style()
	e := sty.FontExtents()
	pt.Y -= (e.Ascent - e.Descent) / 2
	pt.Y += e.Ascent - sty.Font.Size // the handler sets a line this much lower
	c.FillText(sty, pt, s)
}
