package plots

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestEndsAreFree checks when the labels of curves stand at their ends: for two to six named curves that end apart at
// the right edge of the frame, with short labels, and without marks to explain.
func TestEndsAreFree(t *testing.T) {
	curves := func(n int, change func(lines []figure.Line)) figure.Panel {
		var p figure.Panel
		for i := range n {
			p.Lines = append(p.Lines, figure.Line{Label: fmt.Sprint("m", i), Hue: i, X: []float64{0, 1, 2},
				Y: []float64{5, 5, float64(i)}})
		}
		if change != nil {
			change(p.Lines)
		}
		return p
	}
	for name, c := range map[string]struct {
		p    figure.Panel
		want bool
	}{
		"one":            {curves(1, nil), false},
		"two":            {curves(2, nil), true},
		"six":            {curves(6, nil), true},
		"seven":          {curves(7, nil), false},
		"without a name": {curves(3, func(l []figure.Line) { l[1].Label = "" }), false},
		"a name twice":   {curves(3, func(l []figure.Line) { l[2].Label = l[0].Label }), false},
		"a wide name":    {curves(3, func(l []figure.Line) { l[2].Label = strings.Repeat("w", 12) }), false},
		"stopped":        {curves(3, func(l []figure.Line) { l[1].Censored = true }), false},
		"the first ends before": {curves(3, func(l []figure.Line) {
			l[0].X = []float64{0, 1, 1.9}
		}), false},
		"the last ends before":          {curves(3, func(l []figure.Line) { l[2].X = []float64{0, 1, 1.9} }), false},
		"the first and the last at one": {curves(4, func(l []figure.Line) { l[3].Y[2] = 0.1 }), false},
		"the last two at one":           {curves(4, func(l []figure.Line) { l[2].Y[2] = 2.9 }), false},
		"in another order": {curves(4, func(l []figure.Line) {
			l[1].Y[2], l[2].Y[2] = 2, 1
		}), true},
	} {
		made := newPanel(c.p, tileOf(1))
		if got := made.legend.endsAreFree(made.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: tileOf(1)}}),
			made.Plot); got != c.want {
			t.Errorf("%s: the labels stand at the ends: %v, want %v", name, got, c.want)
		}
	}
}

// TestEmptiest checks the place of a legend in the frame by a second count: no corner of the frame covers fewer points
// of the curves than the chosen place, the box is within the frame, and covers the points that are counted.
func TestEmptiest(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	for range 25 {
		var p figure.Panel
		for h := range 1 + rng.IntN(7) {
			l := figure.Line{Label: fmt.Sprint("line ", h), Hue: h, Style: figure.Points}
			corner := [2]float64{float64(rng.IntN(2)), float64(rng.IntN(2))}
			for range 1 + rng.IntN(3) {
				l.X = append(l.X, 0.7*corner[0]+0.3*rng.Float64())
				l.Y = append(l.Y, 0.7*corner[1]+0.3*rng.Float64())
			}
			if rng.IntN(3) == 0 {
				l.Low = slices.Clone(l.Y)
				l.High = slices.Clone(l.Y)
				l.High[0] = rng.Float64()
			}
			if rng.IntN(3) == 0 {
				l.Stopped, l.Rising = make([]bool, len(l.X)), true
				l.Stopped[0] = true
			}
			p.Lines = append(p.Lines, l)
		}
		made := newPanel(p, tileOf(1))
		c := made.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: tileOf(1)}})
		g := made.legend
		at, columns, covered := g.emptiest(c, made.Plot)
		covers := func(corner, size vg.Point) (n int) {
			box := vg.Rectangle{Min: corner.Sub(vg.Point{X: 4, Y: 4}), Max: corner.Add(size).Add(vg.Point{X: 4, Y: 4})}
			for _, q := range g.obstacles(c, made.Plot) {
				if q.X > box.Min.X && q.X < box.Max.X && q.Y > box.Min.Y && q.Y < box.Max.Y {
					n++
				}
			}
			return n
		}
		size := g.size(columns)
		if n := covers(at, size); n != covered {
			t.Errorf("the legend covers %d points, and is said to cover %d", n, covered)
		}
		if at.X < c.Min.X+4-0.01 || at.Y < c.Min.Y+4-0.01 || at.X+size.X > c.Max.X-4+0.01 || at.Y+size.Y > c.Max.Y-4+0.01 {
			t.Errorf("the legend at %v with the size %v leaves the frame %v", at, size, c.Rectangle)
		}
		for n := 1; n <= min(3, len(p.Lines)); n++ {
			size := g.size(n)
			low := c.Min.Add(vg.Point{X: 4, Y: 4})
			high := c.Max.Sub(size).Sub(vg.Point{X: 4, Y: 4})
			if high.X < low.X || high.Y < low.Y {
				continue
			}
			middle := low.Add(high).Scale(0.5)
			for _, x := range []vg.Length{low.X, middle.X, high.X} {
				for _, y := range []vg.Length{low.Y, middle.Y, high.Y} {
					corner := vg.Point{X: x, Y: y}
					if corner == middle {
						continue
					}
					k := covers(corner, size)
					if k < covered || k == covered && n < columns {
						t.Errorf("%d columns at %v cover %d points; the chosen %d columns at %v cover %d", n, corner, k, columns, at,
							covered)
					}
				}
			}
		}
		for i, l := range g.curves { // what must not be covered
			points := g.obstacles(c, made.Plot)
			near := func(q vg.Point) bool {
				return slices.ContainsFunc(points, func(o vg.Point) bool { return distance(q, o) < 3 })
			}
			for k, m := range l.project(c, made.Plot).marks {
				high := m.at
				if l.Low != nil {
					high.Y = c.Y(made.Y.Norm(l.High[k]))
				}
				tip := m.at
				if l.Stopped != nil && l.Stopped[k] {
					tip = tip.Add(vg.Point{Y: 8.5})
				}
				if !near(m.at) || !near(high) || !near(tip) {
					t.Errorf("line %d: value %d, its band or its arrow may be covered by the legend", i, k)
				}
			}
		}
	}
}

// TestJoinedLegends checks the order of entries in the common legend of several panels, that each is there once, and
// that there is none if two entries with one label look different.
func TestJoinedLegends(t *testing.T) {
	of := func(seat seat, entries ...entry) *panel { return &panel{legend: &legend{entries: entries, seat: seat}} }
	line := func(label string, hue int) entry { return entry{label: label, kind: kind{hue: hue}} }
	bound := entry{label: "bound", kind: kind{bound: true}}
	mark := entry{label: "below the axis", mark: true, kind: kind{symbol: downTriangle}}
	note := entry{label: "hollow", mark: true, note: true}
	dashed, symbol, own := line("a", 1), mark, bound
	dashed.kind.dash, symbol.kind.symbol, own.kind.hue = 1, leftTriangle, 3
	for name, c := range map[string]struct {
		panels []*panel
		want   string // labels; "": no common legend
	}{
		"none":  {nil, ""},
		"empty": {[]*panel{of(inside), of(inside)}, ""},
		"order": {[]*panel{of(inside, line("a", 1), bound, mark, note), of(inside, line("b", 2), line("a", 1), note)},
			"a, b, bound, below the axis, hollow"},
		"the second only": {[]*panel{of(inside), of(inside, note, mark, bound, line("z", 0))},
			"z, bound, below the axis, hollow"},
		"another colour":         {[]*panel{of(inside, line("a", 1)), of(inside, line("a", 2))}, ""},
		"another dash":           {[]*panel{of(inside, line("a", 1), note), of(inside, note, dashed)}, ""},
		"another symbol":         {[]*panel{of(inside, mark), of(inside, symbol)}, ""},
		"another bound":          {[]*panel{of(inside, bound), of(inside), of(inside, own)}, ""},
		"labels at ends":         {[]*panel{of(spread, line("a", 1), bound, mark, note)}, "bound, below the axis, hollow"},
		"labels at ends only":    {[]*panel{of(spread, line("a", 1))}, ""},
		"one with labels at end": {[]*panel{of(spread, line("a", 1)), of(inside, line("a", 2))}, "a"},
	} {
		var got []string
		if g := joinLegends(c.panels); g != nil {
			for _, e := range g.entries {
				got = append(got, e.label)
			}
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: the common legend has %q, want %q", name, text, c.want)
		}
	}
}

// TestLegendColumns checks the columns that a legend above a frame has, by trying all: the fewest rows for a width,
// and then the fewest columns; and its size, of which notes have rows of their own.
func TestLegendColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 3))
	for range 300 {
		g := &legend{}
		cells, notes := rng.IntN(9), rng.IntN(3)
		for range cells {
			g.entries = append(g.entries, entry{label: strings.Repeat("w", 1+rng.IntN(6))})
		}
		for range notes {
			g.entries = append(g.entries, entry{label: strings.Repeat("note ", 1+rng.IntN(12)), mark: true, note: true})
		}
		size := func(columns int) (width vg.Length, rows int) {
			rows = (cells + columns - 1) / columns
			width = -10
			for from := 0; from < cells; from += rows {
				widest := vg.Length(0)
				for _, e := range g.entries[from:min(from+rows, cells)] {
					widest = max(widest, 26+g.style().Width(e.label))
				}
				width += widest + 10
			}
			for _, e := range g.entries[cells:] {
				width = max(width, 26+g.style().Width(e.label))
			}
			return width + 6, rows + notes
		}
		room := vg.Length(50 + 400*rng.Float64())
		g.flow(room)
		for columns := 1; columns <= cells; columns++ {
			width, rows := size(columns)
			if got := g.size(columns); abs(got.X-width) > 1e-9 || abs(got.Y-6-11*vg.Length(rows)) > 1e-9 {
				t.Fatalf("%d entries and %d notes in %d columns: size %v, want %v and %d rows", cells, notes, columns, got, width,
					rows)
			}
		}
		if cells == 0 {
			continue
		}
		most := 1
		least, _ := size(1)
		for columns := 2; columns <= cells; columns++ {
			if width, _ := size(columns); width > max(room, least) {
				break
			}
			most = columns
		}
		_, rows := size(most)
		want := 1
		for _, r := size(want); r > rows; _, r = size(want) {
			want++
		}
		if g.columns != want {
			t.Fatalf("%d entries and %d notes in a width of %v have %d columns, want %d", cells, notes, room, g.columns, want)
		}
	}
}
