package figure_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestRepeatedTimes checks that a run which was repeated is one line at the medians of its times, with a band over the
// repetitions if an axis shows times or, if the line is one point, with their range of x.
func TestRepeatedTimes(t *testing.T) {
	var files []*trace.File
	for k, s := range []float64{4, 2, 3} {
		f := &trace.File{End: &trace.End{Status: trace.Done}, Manifest: trace.Manifest{
			Labels: map[string]any{"as": "one", "lambda": 0.5, "C": 10.0, trace.Repetition: float64(k + 1)}}}
		for row := range 3 {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(row),
				trace.Primal: 8 - 2*float64(row), trace.CPUSeconds: s * float64(row)}})
		}
		files = append(files, f)
	}
	set := trace.NewSet(files)
	for _, c := range []struct {
		x, y                    string
		wx, wy, low, up, across []float64
	}{
		{"cpu_seconds", "primal", []float64{0, 3, 6}, []float64{8, 6, 4}, []float64{8, 5, 4}, []float64{8, 6.5, 5}, nil},
		{"passes", "primal", []float64{0, 1, 2}, []float64{8, 6, 4}, nil, nil, nil},
		{"C", "final.cpu_seconds", []float64{10}, []float64{6}, []float64{4}, []float64{8}, nil},
		{"C", "final.primal", []float64{10}, []float64{4}, nil, nil, nil},
		{"cpu_seconds", "primal + 0 * log(passes - 1)", []float64{6}, []float64{4}, nil, nil, []float64{4, 8}},
		{"passes", "primal + 0 * log(passes - 1)", []float64{2}, []float64{4}, nil, nil, nil},
	} {
		spec := &lang.FigureSpec{Panel: lang.Panel{X: c.x, Y: []string{c.y}}}
		fig, err := figure.Resolve(spec, set, figure.Meta{ID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if len(fig.Panels) != 1 || len(fig.Panels[0].Lines) != 1 {
			t.Fatalf("%s, %s: %d panels, want one with one line", c.x, c.y, len(fig.Panels))
		}
		l := fig.Panels[0].Lines[0]
		if diff := cmp.Diff([][]float64{c.wx, c.wy, c.low, c.up, c.across},
			[][]float64{l.X, l.Y, l.Low, l.High, l.Range}); diff != "" {
			t.Errorf("%s, %s: x, y, the ends of the band and the range of x (-want +got):\n%s", c.x, c.y, diff)
		}
	}
}

// repetitions returns the repetitions of a run. Row i is at passes[i] and has primals[i]; in repetition k it has
// slowness[k]*passes[i] CPU seconds.
func repetitions(slowness, passes, primals []float64) (files []*trace.File) {
	for k, s := range slowness {
		f := &trace.File{End: &trace.End{Status: trace.Done}, Manifest: trace.Manifest{
			Labels: map[string]any{"as": "one", trace.Repetition: float64(k + 1)}}}
		for i, at := range passes {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: at,
				trace.Primal: primals[i], trace.CPUSeconds: s * at}})
		}
		files = append(files, f)
	}
	return files
}

// TestBandWhereRepetitionsEnd checks that the band around the medians of a run's times is, at each x, over the
// repetitions that cover this x: here the second repetition ends at 4 and the last at 16.
func TestBandWhereRepetitionsEnd(t *testing.T) {
	files := repetitions([]float64{3, 1, 4}, []float64{1, 2, 3, 4, 5}, []float64{8, 6, 4, 2, 0})
	p := lang.Panel{X: "cpu_seconds", Y: []string{"primal"}}
	l := resolve(t, lang.FigureSpec{Panel: p}, files...).Panels[0].Lines[0]
	want := [][]float64{{3, 6, 9, 12, 15}, {8, 6, 4, 2, 0}, {4, 6, 4, 2, 0}, {8, 7, 5.5, 4, 2.5}}
	if diff := cmp.Diff(want, [][]float64{l.X, l.Y, l.Low, l.High}); diff != "" {
		t.Errorf("x, y and the ends of the band (-want +got):\n%s", diff)
	}
}

// TestBandOfRepetitionsOnLogAxes checks the band of a run with two rows, whose three repetitions are straight lines on
// logarithmic axes: at the seconds x, a repetition that is s times as slow as the first has y = (x/s)⁻².
func TestBandOfRepetitionsOnLogAxes(t *testing.T) {
	files := repetitions([]float64{2, 1, 4}, []float64{1, 100}, []float64{1, 1e-4})
	p := lang.Panel{X: "cpu_seconds", Y: []string{"primal"}, XScale: "log", YScale: "log"}
	l := resolve(t, lang.FigureSpec{Panel: p}, files...).Panels[0].Lines[0]
	want := [][]float64{{2, 200}, {1, 1e-4}, {0.25, 1e-4}, {1, 4e-4}}
	close := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	if diff := cmp.Diff(want, [][]float64{l.X, l.Y, l.Low, l.High}, close); diff != "" {
		t.Errorf("x, y and the ends of the band (-want +got):\n%s", diff)
	}
}

// TestBandOfVerticalLine checks the band where two rows of a run have the same x: repetitions that do not differ have
// no band there, and others only as far as their vertical lines do not overlap.
func TestBandOfVerticalLine(t *testing.T) {
	files := repetitions([]float64{1, 1, 2}, []float64{0, 1, 1, 2}, []float64{8, 6, 4, 3})
	for _, c := range []struct {
		x       string
		low, up []float64
	}{
		{"passes", nil, nil},
		{"cpu_seconds", []float64{8, 6, 4, 3}, []float64{8, 7, 7, 4}},
	} {
		l := resolve(t, lang.FigureSpec{Panel: lang.Panel{X: c.x, Y: []string{"primal"}}}, files...).Panels[0].Lines[0]
		want := [][]float64{{0, 1, 1, 2}, {8, 6, 4, 3}, c.low, c.up}
		if diff := cmp.Diff(want, [][]float64{l.X, l.Y, l.Low, l.High}); diff != "" {
			t.Errorf("%s: x, y and the ends of the band (-want +got):\n%s", c.x, diff)
		}
	}
}

// TestLevelOfSeeds checks that the mean of runs with one row each is drawn with its band from the smallest to the
// largest x of the other lines, and that it is no level if one of the runs is stopped or has more rows.
func TestLevelOfSeeds(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(f *trace.File)
		want []float64 // the x of the line
	}{
		"all with one row": {func(*trace.File) {}, []float64{0, 2}},
		"one is stopped":   {func(f *trace.File) { f.End.Status = trace.Budget }, []float64{0}},
		"one has more rows": {func(f *trace.File) {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: 1}})
		}, []float64{0}},
	} {
		files := []*trace.File{run(labels{"as": "many"}, 1)}
		for i := range 3 {
			f := run(labels{"as": "level", "seed": float64(i)}, float64(1+i*i))
			f.Rows = f.Rows[:1]
			files = append(files, f)
		}
		c.edit(files[3])
		l := resolve(t, lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: []string{"primal"}}}, files...).Panels[0].Lines[1]
		twice := func(v float64) []float64 { return []float64{v, v}[:len(c.want)] }
		want := [][]float64{c.want, twice(32.0 / 3), twice(4), twice(20)}
		if diff := cmp.Diff(want, [][]float64{l.X, l.Y, l.Low, l.High}); diff != "" {
			t.Errorf("%s: x, y and the ends of the band (-want +got):\n%s", name, diff)
		}
	}
}
