package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/plots/internal/record"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// faultsOf lists the faults that make a drawing hard to read. It finds them from the geometry of the drawing:
//   - texts that overlap each other or a curve, or leave the page;
//   - print that is too small;
//   - a legend that covers a curve or has shortened labels;
//   - lines of a panel that look the same, hide one another or have no name in a legend;
//   - titles of a row at different heights, and blank strips below titles;
//   - an axis with fewer than two numbers, or with numbers in two formats.
func faultsOf(d *Drawing) []string {
	page := &drawn{record.New()}
	d.layout.draw(draw.NewCanvas(page.Canvas, d.layout.width, d.layout.height))
	faults := page.textFaults(d.layout.width, d.layout.height)
	columns := len(d.layout.plots[0])
	if size := printed(legendSize, d.layout.width, columns); size < smallestPrint {
		faults = append(faults, fmt.Sprintf("the legend is printed in %.1f points, less than %.0f", size, smallestPrint))
	}
	canvases := slices.Concat(d.layout.canvases()...)
	for i, p := range d.panels {
		where := fmt.Sprintf("panel %d", i+1)
		if title := d.figure.Panels[i].Title; title != "" {
			where += " (" + title + ")"
		}
		for _, f := range slices.Concat(p.alike(), p.hidden(canvases[i]), p.covers(canvases[i]),
			p.unnamed(d.layout.shared), p.blank(), fewTicks("x", p.X), fewTicks("y", p.Y), mixedTicks("x", p.X),
			mixedTicks("y", p.Y)) {
			faults = append(faults, where+": "+f)
		}
		if k := i + 1; i%columns > 0 && !page.aligned(d.panels[i-1].title(), p.title()) {
			faults = append(faults, fmt.Sprintf("the titles of panels %d and %d are at different heights", k-1, k))
		}
	}
	return faults
}

// smallestPrint is the smallest font size that journals accept, in points.
const smallestPrint vg.Length = 6

// printed returns the font size that a text of the given size has when a journal prints the figure. The journal shrinks
// a figure with one column of panels to at most the width of a column of text, and any other figure to at most the
// width of the page.
func printed(size, width vg.Length, columns int) vg.Length {
	const column, page = 85 * vg.Millimeter, 180 * vg.Millimeter
	if columns == 1 {
		return size * min(1, column/width)
	}
	return size * min(1, page/width)
}

// textFaults lists the texts that touch another text or a curve, or leave the page.
func (r *drawn) textFaults(width, height vg.Length) []string {
	const (
		touch = 0.4 // overlap of two boxes that is allowed, in points, because letters do not fill their box
		gap   = 1.5 // smallest gap between two texts on the same line, in points
	)
	var faults []string
	texts := slices.DeleteFunc(r.texts(), func(t *record.Text) bool { return strings.TrimSpace(t.Text) == "" })
	curves := slices.DeleteFunc(r.paths(), func(p *record.Path) bool { return !isCurve(p.Color) })
	for i, t := range texts {
		if t.Box.Min.X < 0 || t.Box.Min.Y < 0 || t.Box.Max.X > width || t.Box.Max.Y > height {
			faults = append(faults, fmt.Sprintf("%q leaves the page", t.Text))
		}
		for _, o := range texts[:i] {
			over := vg.Point{X: min(t.Box.Max.X, o.Box.Max.X) - max(t.Box.Min.X, o.Box.Min.X),
				Y: min(t.Box.Max.Y, o.Box.Max.Y) - max(t.Box.Min.Y, o.Box.Min.Y)}
			inLine := t.Angle == 0 && o.Angle == 0 && t.At.Y == o.At.Y && over.X > -gap
			if over.X > touch && over.Y > touch || inLine {
				faults = append(faults, fmt.Sprintf("%q and %q touch", o.Text, t.Text))
			}
		}
		border := vg.Point{X: touch, Y: touch}
		inner := vg.Rectangle{Min: t.Box.Min.Add(border), Max: t.Box.Max.Sub(border)}
		if slices.ContainsFunc(curves, func(p *record.Path) bool { return meets(p, inner) }) {
			faults = append(faults, fmt.Sprintf("a curve crosses %q", t.Text))
		}
	}
	return faults
}

// isCurve reports whether a colour is that of a line or its markers, and not that of paper, ink or a band.
func isCurve(c color.NRGBA) bool {
	return c.A == 0xFF && !slices.Contains([]color.NRGBA{white(), ink(), axisInk(), gridInk(), captionInk()}, c)
}

// covers reports whether the legend in the frame of the panel, which is drawn on c, is over a curve.
func (p *panel) covers(c draw.Canvas) []string {
	if p.legend.seat != inside || len(p.legend.entries) == 0 {
		return nil
	}
	if _, _, covered := p.legend.emptiest(p.DataCanvas(c), p.Plot); covered > 0 {
		return []string{"the legend covers a curve"}
	}
	return nil
}

// alike lists the pairs of lines that look the same.
func (p *panel) alike() []string {
	var faults []string
	for i, l := range p.legend.curves {
		for _, o := range p.legend.curves[:i] {
			if l.look.line.Color == o.look.line.Color && slices.Equal(l.look.line.Dashes, o.look.line.Dashes) {
				faults = append(faults, fmt.Sprintf("%q and %q have the same colour and dash", o.Label, l.Label))
			}
		}
	}
	return faults
}

// hidden lists the lines whose markers are all covered by other markers, if the panel is drawn on c.
func (p *panel) hidden(c draw.Canvas) []string {
	var faults []string
	placed := marks(p.legend.curves).place(p.DataCanvas(c), p.Plot)
	for i, l := range p.legend.curves {
		covered := len(placed[i]) > 0
		for _, s := range placed[i] {
			covered = covered && slices.ContainsFunc(slices.Concat(placed[i+1:]...), func(o placedMarker) bool {
				return distance(o.at, s.at) < coincident && o.marker.radius >= s.marker.radius
			})
		}
		if covered {
			faults = append(faults, fmt.Sprintf("%q is hidden", l.Label))
		}
	}
	return faults
}

// blank reports a space between the panel's title and its legend or frame that is more than two lines high.
func (p *panel) blank() []string {
	if strip := p.heading.lift - p.legend.above(); strip > 2*entryHeight {
		return []string{fmt.Sprintf("a strip of %.0f points below the title is blank", strip)}
	}
	return nil
}

// fewTicks reports an axis with fewer than two numbers.
func fewTicks(name string, a plot.Axis) []string {
	numbers := slices.DeleteFunc(a.Tick.Marker.Ticks(a.Min, a.Max), plot.Tick.IsMinor)
	if len(numbers) < 2 {
		return []string{fmt.Sprintf("axis %s has %d numbers", name, len(numbers))}
	}
	return nil
}

// unnamed lists the lines and the special marks that are explained neither by the legend of the panel nor by the shared
// legend.
func (p *panel) unnamed(shared *legend) []string {
	there := p.legend.entries
	if shared != nil {
		there = slices.Concat(there, shared.entries)
	}
	var faults []string
	for _, e := range newLegend(p.legend.curves, p.Plot).entries {
		alike := func(o entry) bool { return o.kind == e.kind && o.mark == e.mark }
		switch i := slices.IndexFunc(there, func(o entry) bool { return alike(o) && sameLabel(o.label, e.label) }); {
		case i < 0:
			faults = append(faults, fmt.Sprintf("no legend names %q", e.label))
		case there[i].label != e.label:
			faults = append(faults, fmt.Sprintf("the legend shortens %q", e.label))
		}
	}
	for i, l := range p.legend.curves {
		if l.Label == "" && len(p.legend.curves) > 1 {
			faults = append(faults, fmt.Sprintf("line %d has no name", i+1))
		}
	}
	return faults
}

// sameLabel reports whether the first label is the second one, or its shortened form.
func sameLabel(short, label string) bool {
	head, tail, cut := strings.Cut(short, "…")
	return short == label || cut && strings.HasPrefix(label, head) && strings.HasSuffix(label, tail)
}

// mixedTicks reports an axis on which some numbers are written as powers of ten and others, except 0, in full.
func mixedTicks(name string, a plot.Axis) []string {
	var power, plain string
	for _, t := range a.Tick.Marker.Ticks(a.Min, a.Max) {
		switch {
		case t.IsMinor() || t.Label == "0":
		case strings.Contains(t.Label, "10^{"):
			power = t.Label
		default:
			plain = t.Label
		}
	}
	if power != "" && plain != "" {
		return []string{fmt.Sprintf("axis %s has both %s and %s", name, plain, power)}
	}
	return nil
}

// title returns the last line of the panel's title, which is nearest to the frame.
func (p *panel) title() string {
	if n := len(p.heading.lines); n > 0 {
		return p.heading.lines[n-1]
	}
	return ""
}

// aligned reports whether two titles are at the same height, or one of them is not drawn.
func (r *drawn) aligned(a, b string) bool {
	at := func(title string) (heights []vg.Length) {
		runs := typeset.Runs(title)
		for _, t := range r.texts() {
			if len(runs) > 0 && t.Face.Font == headingStyle().Font && t.Text == runs[0].Text {
				heights = append(heights, t.At.Y)
			}
		}
		return heights
	}
	left, right := at(a), at(b)
	return len(left) == 0 || len(right) == 0 || slices.ContainsFunc(left, func(y vg.Length) bool {
		return slices.ContainsFunc(right, func(o vg.Length) bool { return abs(y-o) < 0.5 })
	})
}

// drawn is a recorded page.
type drawn struct{ *record.Canvas }

// texts returns the texts on the page.
func (r *drawn) texts() []*record.Text { return only[*record.Text](r.Marks) }

// paths returns the paths on the page.
func (r *drawn) paths() []*record.Path { return only[*record.Path](r.Marks) }

// only returns the marks of type T.
func only[T any](marks []any) (out []T) {
	for _, m := range marks {
		if t, ok := m.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// meets reports whether a path enters a box. It replaces a circle by the square whose corners are on the circle.
func meets(p *record.Path, box vg.Rectangle) bool {
	var start, at vg.Point
	for _, c := range p.Path {
		next := c.Pos
		switch c.Type {
		case vg.MoveComp:
			start, at = next, next
			continue
		case vg.CloseComp:
			next = start
		}
		if segmentMeets(at, next, box) {
			return true
		}
		at = next
	}
	return false
}

// segmentMeets reports whether a segment enters a box, with the clipping algorithm of Liang and Barsky.
func segmentMeets(a, b vg.Point, box vg.Rectangle) bool {
	from, to := vg.Length(0), vg.Length(1)
	for _, side := range [][2]vg.Length{{a.X - b.X, a.X - box.Min.X}, {b.X - a.X, box.Max.X - a.X},
		{a.Y - b.Y, a.Y - box.Min.Y}, {b.Y - a.Y, box.Max.Y - a.Y}} {
		switch p, q := side[0], side[1]; {
		case p == 0 && q < 0:
			return false
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		}
	}
	return from <= to
}
