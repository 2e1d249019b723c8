package plots

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestGalleryHasNoFaults checks that faultsOf finds no faults in the gallery, except shortened labels in the figure
// long.
func TestGalleryHasNoFaults(t *testing.T) {
	for _, s := range gallery() {
		for _, f := range faultsOf(mustDraw(t, s.figure)) {
			if s.name != "long" || !strings.Contains(f, ": the legend shortens ") {
				t.Errorf("%s: %s", s.name, f)
			}
		}
	}
}

// TestFaultsAreFound plants faults in a figure that has none, and checks that faultsOf finds each of them.
func TestFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant func(f *figure.Figure) // changes the figure before it is drawn
		spoil func(d *Drawing)       // changes the drawing after its layout
		want  string
	}{
		{"two lines of one look", func(f *figure.Figure) { f.Panels[0].Lines[1].Hue = f.Panels[0].Lines[0].Hue }, nil,
			`panel 1 (C = 1000): "EG" and "SGD" have the same colour and dash`},
		{"hues that differ by the length of the palette", func(f *figure.Figure) {
			f.Panels[0].Lines[1].Hue = f.Panels[0].Lines[0].Hue + figure.Hues
		}, nil, `panel 1 (C = 1000): "EG" and "SGD" have the same colour and dash`},
		{"a line without a name", func(f *figure.Figure) { f.Panels[1].Lines[2].Label = "" }, nil,
			"panel 2 (C = 100): line 3 has no name"},
		{"a missing entry", nil, func(d *Drawing) { d.layout.shared.entries = d.layout.shared.entries[1:] },
			`panel 1 (C = 1000): no legend names "EG"`},
		{"an unexplained mark", nil, func(d *Drawing) {
			d.panels[2].legend.curves[0].Censored = true
		}, `panel 3 (C = 10): no legend names "stopped by its budget"`},
		{"a shortened label", nil, func(d *Drawing) {
			e := &d.layout.shared.entries[0]
			e.label = "…" + e.label[1:]
		}, `panel 1 (C = 1000): the legend shortens "EG"`},
		{"a line under another", func(f *figure.Figure) {
			lines := f.Panels[0].Lines
			lines[1].X, lines[1].Y = lines[0].X[:1], lines[0].Y[:1]
			lines[0].X, lines[0].Y = lines[1].X, lines[1].Y
		}, nil, `panel 1 (C = 1000): "EG" is hidden`},
		{"print that is too small", nil, func(d *Drawing) { d.layout.width = 1000 }, "the legend is printed in 4.1 points"},
		{"a blank strip", nil, func(d *Drawing) {
			for _, p := range d.panels[:3] {
				p.heading.lift += 40
			}
		}, "panel 2 (C = 100): a strip of 40 points below the title is blank"},
		{"one number", nil, func(d *Drawing) {
			d.panels[0].X.Tick.Marker = plot.ConstantTicks{{Value: 50, Label: "50"}, {Value: 51}}
		}, "panel 1 (C = 1000): axis x has 1 numbers"},
		{"ticks too close", nil, func(d *Drawing) {
			d.panels[0].X.Tick.Marker = plot.ConstantTicks{{Value: 50, Label: "50.000"}, {Value: 51, Label: "51.000"}}
		}, `"50.000" and "51.000" touch`},
		{"ticks of two styles", nil, func(d *Drawing) {
			d.panels[0].X.Tick.Marker = plot.ConstantTicks{{Value: 20, Label: "50000"}, {Value: 80, Label: "10^{5}"}}
		}, "panel 1 (C = 1000): axis x has both 50000 and 10^{5}"},
		{"titles at different heights", nil, func(d *Drawing) { d.panels[1].heading.lift = 9 },
			"the titles of panels 1 and 2 are at different heights"},
		{"a title beyond the page", nil, func(d *Drawing) { d.layout.title = []string{strings.Repeat("wide ", 40)} },
			`wide wide " leaves the page`},
		{"a legend over a curve", nil, func(d *Drawing) {
			p := d.panels[3]
			p.legend.entries, p.legend.seat = newLegend(p.legend.curves, p.Plot).entries, inside
			for i := range p.legend.entries {
				p.legend.entries[i].label = strings.Repeat("long ", 8)
			}
		}, "the legend covers a curve"},
		{"a title under a curve", nil, func(d *Drawing) { d.panels[0].heading.lift = -95 }, `a curve crosses "C = 1000"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sixPanelsFigure()
			if c.plant != nil {
				c.plant(&f)
			}
			d := mustDraw(t, f)
			if c.spoil != nil {
				c.spoil(d)
			}
			if got := strings.Join(faultsOf(d), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("faults = %q, want %q", got, c.want)
			}
		})
	}
}

// TestBounds checks that bounds that coincide are drawn only once, and that a bound of a single line has the colour of
// that line.
func TestBounds(t *testing.T) {
	bound := func(hue int, x []float64, y ...float64) figure.Line {
		return figure.Line{Label: "bound", Style: figure.Bound, Own: true, Hue: hue, X: x, Y: y}
	}
	x := []float64{1, 10, 100}
	lines := []figure.Line{{Label: "a", X: x, Y: []float64{1, 2, 3}}, {Label: "b", Hue: 1, X: x, Y: []float64{2, 3, 4}},
		bound(0, x, 10, 100, 1000), bound(1, x, 10.01, 100, 1000), bound(2, x[:2], 10, 100), bound(3, x, 100, 1000, 10000)}
	p := newPanel(figure.Panel{X: axisOf("x", true), Y: axisOf("y", true), Lines: lines}, tileOf(1))
	var bounds []*curve
	for _, l := range p.legend.curves {
		if l.Style == figure.Bound {
			bounds = append(bounds, l)
		}
	}
	if len(bounds) != 2 {
		t.Fatalf("number of bounds = %d, want 2", len(bounds))
	}
	if bounds[0].look.line.Color != boundInk() || bounds[1].look.line.Color != hue(3) {
		t.Errorf("colours of the bounds = %v and %v, want grey and the colour of hue 3", bounds[0].look.line.Color,
			bounds[1].look.line.Color)
	}
}

// TestSegmentMeets checks segments inside, across and outside a box.
func TestSegmentMeets(t *testing.T) {
	box := vg.Rectangle{Min: vg.Point{X: 1, Y: 1}, Max: vg.Point{X: 2, Y: 2}}
	for _, c := range []struct {
		a, b vg.Point
		want bool
	}{
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 3, Y: 3}, true},
		{vg.Point{X: 0, Y: 1.5}, vg.Point{X: 3, Y: 1.5}, true},
		{vg.Point{X: 1.5, Y: 1.5}, vg.Point{X: 1.5, Y: 1.5}, true},
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 3, Y: 0}, false},
		{vg.Point{X: 0, Y: 1.9}, vg.Point{X: 1.9, Y: 4}, false},
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 0.9, Y: 0.9}, false},
	} {
		if got := segmentMeets(c.a, c.b, box); got != c.want {
			t.Errorf("segmentMeets from %v to %v = %t, want %t", c.a, c.b, got, c.want)
		}
	}
}
