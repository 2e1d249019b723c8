package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Faults lists what a reader could not make out, from the geometry of what is drawn: texts over each other, over curves
// or beyond the page; print that is too small; a legend over a curve, or one whose labels are cut; lines of a panel
// that look alike, that hide one another, or that no legend names; titles of a row at different heights, and blank
// strips below them; an axis with fewer than two numbers, or with numbers written in two ways. A figure without faults
// gives nil.
func (d *Drawing) Faults() []string {
	page := newRecorded()
	d.layout.draw(draw.NewCanvas(page, d.layout.width, d.layout.height))
	faults := slices.Concat(page.textFaults(d.layout.width, d.layout.height), page.coveredCurves())
	columns := len(d.layout.plots[0])
	if size := printed(legendSize, d.layout.width, columns); size < smallestPrint {
		faults = append(faults, fmt.Sprintf("the legend is printed in %.1f points, less than %.0f", size, smallestPrint))
	}
	for i, p := range d.panels {
		where := fmt.Sprintf("panel %d", i+1)
		if title := d.figure.Panels[i].Title; title != "" {
			where += " (" + title + ")"
		}
		for _, f := range slices.Concat(p.alike(), p.hidden(d.layout.canvas(i)), p.unnamed(d.layout.shared),
			p.blank(), fewTicks("x", p.X), fewTicks("y", p.Y), mixedTicks("x", p.X), mixedTicks("y", p.Y)) {
			faults = append(faults, where+": "+f)
		}
		if k := i + 1; i%columns > 0 && !page.aligned(d.panels[i-1].title(), p.title()) {
			faults = append(faults, fmt.Sprintf("the titles of panels %d and %d are at different heights", k-1, k))
		}
	}
	return faults
}

// smallestPrint is the smallest type that journals print, in points.
const smallestPrint vg.Length = 6

// printed is the size of type in a journal, where a figure with one column of panels is as wide as a column, and any
// other as the page.
func printed(size, width vg.Length, columns int) vg.Length {
	const column, page = 85 * vg.Millimeter, 180 * vg.Millimeter
	if columns == 1 {
		return size * min(1, column/width)
	}
	return size * min(1, page/width)
}

// textFaults are the texts that touch another one or a curve, or leave the page.
func (r *recorded) textFaults(width, height vg.Length) []string {
	const (
		touch = 0.4 // points that boxes may share: no letter fills its box
		gap   = 1.5 // between texts of one line
	)
	var faults []string
	texts := slices.DeleteFunc(r.texts(), func(t *recordedText) bool { return strings.TrimSpace(t.text) == "" })
	for i, t := range texts {
		if t.box.Min.X < 0 || t.box.Min.Y < 0 || t.box.Max.X > width || t.box.Max.Y > height {
			faults = append(faults, fmt.Sprintf("%q leaves the page", t.text))
		}
		for _, o := range texts[:i] {
			over := vg.Point{X: min(t.box.Max.X, o.box.Max.X) - max(t.box.Min.X, o.box.Min.X),
				Y: min(t.box.Max.Y, o.box.Max.Y) - max(t.box.Min.Y, o.box.Min.Y)}
			inLine := t.angle == 0 && o.angle == 0 && t.at.Y == o.at.Y && over.X > -gap
			if over.X > touch && over.Y > touch || inLine {
				faults = append(faults, fmt.Sprintf("%q and %q touch", o.text, t.text))
			}
		}
		border := vg.Point{X: touch, Y: touch}
		inner := vg.Rectangle{Min: t.box.Min.Add(border), Max: t.box.Max.Sub(border)}
		if slices.ContainsFunc(r.paths(), func(p *recordedPath) bool { return isCurve(p.color) && p.meets(inner) }) {
			faults = append(faults, fmt.Sprintf("a curve crosses %q", t.text))
		}
	}
	return faults
}

// isCurve reports whether a colour is that of a line or its markers: neither paper, ink nor the tint of a band.
func isCurve(c color.NRGBA) bool {
	return c.A == 0xFF && !slices.Contains([]color.NRGBA{white(), ink(), axisInk(), gridInk(), captionInk()}, c)
}

// coveredCurves are the white boxes that hide part of a curve.
func (r *recorded) coveredCurves() []string {
	const smallestBox = 12 // open markers are smaller
	var faults []string
	paths := r.paths()
	for i, f := range paths {
		box := f.box()
		if size := box.Size(); f.color != white() || f.width > 0 || size.X < smallestBox || size.Y < smallestBox {
			continue
		}
		if slices.ContainsFunc(paths[:i], func(p *recordedPath) bool { return isCurve(p.color) && p.meets(box) }) {
			faults = append(faults, fmt.Sprintf("a legend covers a curve at (%.0f, %.0f)", box.Min.X, box.Min.Y))
		}
	}
	return faults
}

// alike are pairs of lines that cannot be told apart.
func (p *panel) alike() []string {
	var faults []string
	for i, l := range p.legend.curves {
		for _, o := range p.legend.curves[:i] {
			if l.look.line.Color == o.look.line.Color && slices.Equal(l.look.line.Dashes, o.look.line.Dashes) {
				faults = append(faults, fmt.Sprintf("%q and %q have one colour and one dash", o.Label, l.Label))
			}
		}
	}
	return faults
}

// hidden are the lines none of whose markers is to be seen on the canvas of the panel.
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

// blank is the room between the panel's title and its legend or frame, if it is more than two lines high.
func (p *panel) blank() []string {
	if strip := p.heading.lift - p.legend.above(); strip > 2*entryHeight {
		return []string{fmt.Sprintf("a strip of %.0f points below the title is blank", strip)}
	}
	return nil
}

// fewTicks says whether an axis has fewer than two numbers.
func fewTicks(name string, a plot.Axis) []string {
	numbers := slices.DeleteFunc(a.Tick.Marker.Ticks(a.Min, a.Max), plot.Tick.IsMinor)
	if len(numbers) < 2 {
		return []string{fmt.Sprintf("axis %s has %d numbers", name, len(numbers))}
	}
	return nil
}

// unnamed are lines and marks that neither the panel's legend nor the shared one explains.
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
			faults = append(faults, fmt.Sprintf("the legend does not name %q", e.label))
		case there[i].label != e.label:
			faults = append(faults, fmt.Sprintf("the legend cuts %q", e.label))
		}
	}
	for i, l := range p.legend.curves {
		if l.Label == "" && len(p.legend.curves) > 1 {
			faults = append(faults, fmt.Sprintf("line %d has no name", i+1))
		}
	}
	return faults
}

// sameLabel reports whether a label is the other one, or what shorten left of it.
func sameLabel(short, label string) bool {
	head, tail, cut := strings.Cut(short, "…")
	return short == label || cut && strings.HasPrefix(label, head) && strings.HasSuffix(label, tail)
}

// mixedTicks says whether an axis writes some numbers as powers of ten and others, neither 0 nor 1, in full.
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

// title is the last line of the panel's title, which stands nearest to the frame.
func (p *panel) title() string {
	if n := len(p.heading.lines); n > 0 {
		return p.heading.lines[n-1]
	}
	return ""
}

// aligned reports whether two titles stand at one height, as far as both are drawn.
func (r *recorded) aligned(a, b string) bool {
	at := func(title string) (heights []vg.Length) {
		runs := runsOf(title)
		for _, t := range r.texts() {
			if len(runs) > 0 && t.face.Font == headingStyle().Font && t.text == runs[0].text {
				heights = append(heights, t.at.Y)
			}
		}
		return heights
	}
	left, right := at(a), at(b)
	return len(left) == 0 || len(right) == 0 || slices.ContainsFunc(left, func(y vg.Length) bool {
		return slices.ContainsFunc(right, func(o vg.Length) bool { return abs(y-o) < 0.5 })
	})
}
