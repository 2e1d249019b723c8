package figure_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestBandLaws checks that the mean lies in the band, that the band lies in the range of the averaged runs, and that x
// increases.
func TestBandLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var files []*trace.File
		low, high := math.Inf(1), math.Inf(-1)
		for seed := range rapid.IntRange(2, 4).Draw(rt, "seeds") {
			f := run(labels{"as": "eg", "seed": float64(seed)}, 1)
			f.Rows = nil
			x := 0.0
			for range rapid.IntRange(1, 6).Draw(rt, "rows") {
				y := rapid.Float64Range(-1e6, 1e6).Draw(rt, "y")
				low, high = math.Min(low, y), math.Max(high, y)
				f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": x, "primal": y}})
				x += rapid.Float64Range(0.1, 3).Draw(rt, "step")
			}
			files = append(files, f)
		}
		out := resolve(t, lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"}}}, files...)
		l := out.Panels[0].Lines[0]
		for i := range l.X {
			if i > 0 && l.X[i] <= l.X[i-1] || l.Low[i] > l.Y[i] || l.Y[i] > l.High[i] || l.Low[i] < low || l.High[i] > high {
				rt.Fatalf("point %d of %+v: want x larger than before, and the mean in the band", i, l)
			}
		}
	})
}

// TestBandBetweenRecords checks that averaged runs are interpolated between their rows. The y values 4, 2, 0 and 4, 3,
// 2, 1, 0 of the two runs lie on the same straight line, so the band must have width zero.
func TestBandBetweenRecords(t *testing.T) {
	var files []*trace.File
	for seed, step := range []float64{2, 1} {
		f := run(labels{"as": "eg", "seed": float64(seed)}, 1)
		f.Rows = nil
		for x := 0.0; x <= 4; x += step {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": x, "primal": 4 - x}})
		}
		files = append(files, f)
	}
	p := lang.Panel{X: "passes", Y: lang.Strings{"primal"}}
	l := resolve(t, lang.FigureSpec{Panel: p}, files...).Panels[0].Lines[0]
	want := []float64{4, 3, 2, 1, 0}
	for name, got := range map[string][]float64{"mean": l.Y, "low": l.Low, "high": l.High} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s of the band differs (-want +got):\n%s", name, diff)
		}
	}
}
