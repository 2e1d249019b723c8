package explore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestLinesKeepTheirLook checks that a line of a panel has the hue, the dash and the names of the figure's line, and
// that the label of the y axis names its column only if the panel shows one column.
func TestLinesKeepTheirLook(t *testing.T) {
	const own = "100 * primal"
	line := func(of string, k int) figure.Line {
		return figure.Line{Label: fmt.Sprint("l", k), Name: fmt.Sprint("n", k), Hue: k, Dash: k + 1, Of: of, Runs: []int{k}}
	}
	for _, c := range []struct {
		of   []string
		want string // label of the column of the first line
	}{
		{[]string{own, own}, "own label"},
		{[]string{own, ""}, "own label"},
		{[]string{own, trace.Dual}, figure.AxisLabel([]string{own})},
		{[]string{own, trace.Dual, ""}, figure.AxisLabel([]string{own})},
	} {
		p := figure.Panel{Of: trace.Passes, Y: figure.Axis{Label: "own label"}}
		for k, of := range c.of {
			l := line(of, k)
			if of == "" {
				l.Style = figure.Bound
			}
			p.Lines = append(p.Lines, l)
		}
		d, _ := explore.Resolve(nil, figure.Figure{Panels: []figure.Panel{p}}, files(), nil)
		for k, got := range d.Panels[0].Lines {
			l := p.Lines[k]
			if got.Label != l.Label || got.Name != l.Name || got.Hue != l.Hue || got.Dash != l.Dash ||
				!slices.Equal(got.Runs, l.Runs) || (got.Of < 0) != (l.Of == "") {
				t.Errorf("columns %q: line %+v, want the look of %+v", c.of, got, l)
			}
		}
		if got := d.Columns[column(t, d, own)].Label; got != c.want {
			t.Errorf("columns %q: label %q of the first, want %q", c.of, got, c.want)
		}
	}
}

// TestLabelsOfThePage checks that the labels of the page are those that distinguish runs, without the status. The
// status of each run is in its own field.
func TestLabelsOfThePage(t *testing.T) {
	for _, c := range []struct {
		change func(list []*trace.File)
		want   []string
	}{
		{func([]*trace.File) {}, []string{"as", "seed"}},
		{func(list []*trace.File) { list[1].End.Status, list[2].End = trace.Budget, nil }, []string{"as", "seed"}},
		{func(list []*trace.File) { list[2].Manifest.Labels["n"] = 7. }, []string{"as", "n", "seed"}},
		{func(list []*trace.File) { delete(list[2].Manifest.Labels, "loss") }, []string{"as", "loss", "seed"}},
		{func(list []*trace.File) { list[1].Manifest.Labels["seed"] = 1. }, []string{"as"}},
	} {
		list := files()
		c.change(list)
		d, _ := explore.Resolve(nil, figure.Figure{}, list, nil)
		if got := slices.Sorted(slices.Values(d.Labels)); !slices.Equal(got, c.want) {
			t.Errorf("labels of the page = %q, want %q", got, c.want)
		}
		for i, r := range d.Runs {
			if r.Status != list[i].Status() || r.Key != list[i].Manifest.Key {
				t.Errorf("run %d: key %s, status %s; want %s and %s", i, r.Key, r.Status, list[i].Manifest.Key, list[i].Status())
			}
			for _, name := range c.want {
				v, has := list[i].Manifest.Labels[name]
				if got, ok := r.Labels[name]; ok != has || has && got != trace.FormatLabel(v) {
					t.Errorf("run %d: label %s = %q, %v; want %v, %v", i, name, got, ok, v, has)
				}
			}
		}
	}
}

// TestThinning checks to how many rows runs are thinned: to about 150 rows each; if there are many runs, to 3000 rows
// in all, but not to fewer than 40 each. A run counts as thinned if it was thinned now or when it was read.
func TestThinning(t *testing.T) {
	for _, c := range []struct{ runs, rows, short, want int }{
		{1, 1000, 0, 150}, {20, 1000, 3, 150}, {30, 1000, 0, 100}, {60, 200, 1, 50}, {90, 200, 0, 40}, {1, 40, 0, 40},
	} {
		var list []*trace.File
		for i := range c.runs {
			rows := c.rows
			if i < c.short {
				rows = 5
			}
			list = append(list, run(fmt.Sprint(i), "eg", float64(i), 100, rows))
		}
		list[len(list)-1].Manifest.Thinned = c.rows + 1 // it had one row more when it was read
		d, _ := explore.Resolve(nil, figure.Figure{}, list, nil)
		thinned := c.runs - c.short
		if d.Thinned != thinned || len(d.Runs) != c.runs {
			t.Errorf("%+v: %d of %d runs are thinned, want %d", c, d.Thinned, len(d.Runs), thinned)
		}
		at := column(t, d, trace.Passes)
		for i, r := range d.Runs {
			n, want := len(r.Values[at]), len(list[i].Thin(c.want).Rows)
			if n != want || r.Values[at][n-1] != float64(list[i].End.Rows-1) {
				t.Errorf("%+v: run %d has %d rows, the last %v; want %d and the last row", c, i, n, r.Values[at][n-1], want)
			}
		}
		if len(list[0].Rows) != list[0].End.Rows {
			t.Errorf("%+v: the runs themselves were thinned to %d rows", c, len(list[0].Rows))
		}
	}
}

// TestPanelsAreThoseOfTheFigure checks that each panel has the title and the axes of the figure's panel, and its own
// points in a bound; and that a column that is equal in the first and last rows, but not between, keeps all values.
func TestPanelsAreThoseOfTheFigure(t *testing.T) {
	list := files()[:2]
	for _, f := range list {
		for i := range f.Rows {
			f.Rows[i].Values["bump"] = float64(i % 2)
		}
	}
	own := figure.Figure{}
	for i, of := range []string{trace.Passes, "2 * passes", "bump"} {
		low, high := float64(i), 9.0
		axis := func(name string) figure.Axis {
			return figure.Axis{Label: fmt.Sprint(name, i), Log: (i+len(name))%2 == 0, Min: &low, Max: &high}
		}
		own.Panels = append(own.Panels, figure.Panel{Title: fmt.Sprint("panel ", i), Of: of, X: axis("x"), Y: axis("yy"),
			Lines: []figure.Line{{Label: "bound", Style: figure.Bound, X: []float64{1, 2}, Y: []float64{30, float64(40 + i)}},
				{Label: "run", Of: trace.Primal, Runs: []int{0, 1}, X: []float64{7}, Y: []float64{8}}}})
	}
	d, ok := explore.Resolve(nil, own, list, nil)
	if !ok || len(d.Panels) != len(own.Panels) {
		t.Fatalf("Resolve = %v with %d panels, want those of the figure", ok, len(d.Panels))
	}
	for i, p := range d.Panels {
		from := own.Panels[i]
		want := explore.Panel{Title: from.Title, X: from.X, Y: from.Y, Of: column(t, d, from.Of), Lines: []explore.Line{
			{Label: "bound", Of: -1, Runs: []int{}, X: explore.Values{1, 2}, Y: explore.Values{30, float64(40 + i)}},
			{Label: "run", Of: column(t, d, trace.Primal), Runs: []int{0, 1}}}}
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("panel %d differs (-want +got):\n%s", i, diff)
		}
	}
	if label := d.Columns[column(t, d, "2 * passes")].Label; label != "x1" {
		t.Errorf("label of the expression on an x axis = %q, want that of the axis", label)
	}
	for i, r := range d.Runs {
		if diff := cmp.Diff(explore.Values{0, 1, 0}, r.Values[column(t, d, "bump")]); diff != "" {
			t.Errorf("run %d (-want +got):\n%s", i, diff)
		}
		if diff := cmp.Diff(explore.Values{0, 2, 4}, r.Values[column(t, d, "2 * passes")]); diff != "" {
			t.Errorf("run %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestClockOfThePage checks that a figure over CPU time shows the wall-clock times if its runs have no CPU times, also
// in the data of the page.
func TestClockOfThePage(t *testing.T) {
	f := &lang.FigureSpec{Panels: []lang.Panel{{X: trace.CPUSeconds, Y: lang.Strings{trace.Primal}}}}
	for _, cpu := range []bool{false, true} {
		list := files()[:2]
		for _, f := range list {
			for i := range f.Rows {
				f.Rows[i].Values[trace.Seconds] = float64(3 * i)
				if cpu {
					f.Rows[i].Values[trace.CPUSeconds] = float64(2 * i)
				}
			}
		}
		d, ok := resolve(f, list)
		want := explore.Values{0, 3, 6}
		if cpu {
			want = explore.Values{0, 2, 4}
		}
		for i, r := range d.Runs {
			if diff := cmp.Diff(want, r.Values[d.Panels[0].Of]); !ok || diff != "" {
				t.Errorf("CPU times %v, run %d: x axis (-want +got):\n%s", cpu, i, diff)
			}
		}
	}
}

// TestLabelsAreShort checks that the runs of a page have the short texts of long labels, and that a run through several
// values of C is one curve for each.
func TestLabelsAreShort(t *testing.T) {
	list := []*trace.File{run("aa", "eg", 1, 100, 3), run("bb", "eg", 1, 100, 3)}
	list[0].Manifest.Labels["features"] = "word[-1] word[0] suffix3[0] one"
	list[1].Manifest.Labels["features"] = "word[-1] word[0] suffix3[0] two"
	for i := range list[1].Rows {
		list[1].Rows[i].Values[trace.Stage], list[1].Rows[i].Values[trace.C] = float64(min(i, 1)), float64(5-min(i, 1))
	}
	d, _ := explore.Resolve(nil, figure.Figure{}, list, nil)
	var got []string
	for _, r := range d.Runs {
		got = append(got, fmt.Sprint(r.Key, r.Labels["features"], r.Labels[trace.C], r.Values[column(t, d, trace.Primal)]))
	}
	want := []string{"aa… one[2 1.5 1.3333333333333333]", "bb… two5[2]", "bb… two4[1.5 1.3333333333333333]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("runs differ (-want +got):\n%s", diff)
	}
}
