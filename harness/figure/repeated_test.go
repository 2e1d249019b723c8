package figure_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestRepeatedTimes checks that a run which was repeated is one line at the medians of its times, with a band over the
// repetitions if an axis shows times.
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
		x, y            string
		wx, wy, low, up []float64
	}{
		{"cpu_seconds", "primal", []float64{0, 3, 6}, []float64{8, 6, 4}, []float64{8, 5, 4}, []float64{8, 6.5, 5}},
		{"passes", "primal", []float64{0, 1, 2}, []float64{8, 6, 4}, nil, nil},
		{"C", "final.cpu_seconds", []float64{10}, []float64{6}, []float64{4}, []float64{8}},
		{"C", "final.primal", []float64{10}, []float64{4}, nil, nil},
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
		if diff := cmp.Diff([][]float64{c.wx, c.wy, c.low, c.up}, [][]float64{l.X, l.Y, l.Low, l.High}); diff != "" {
			t.Errorf("%s, %s: x, y and the ends of the band (-want +got):\n%s", c.x, c.y, diff)
		}
	}
}
