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

// TestBandOnLogAxes checks that averaged runs are interpolated along the lines of the figure. On two logarithmic axes
// y = 1/x² is straight, so the band of two runs with other rows of it must have width zero. A y below the axis counts
// as its lower end, which the spec gives.
func TestBandOnLogAxes(t *testing.T) {
	for _, c := range []struct{ last, want float64 }{{1.0 / 256, 1.0 / 256}, {-5, -5}} {
		var files []*trace.File
		for seed, step := range []float64{4, 2} {
			f := run(labels{"as": "eg", "seed": float64(seed)}, 1)
			f.Rows = nil
			for x := 1.0; x <= 16; x *= step {
				y := 1 / (x * x)
				if x == 16 {
					y = c.last
				}
				f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": x, "primal": y}})
			}
			files = append(files, f)
		}
		p := lang.Panel{X: "passes", Y: lang.Strings{"primal"}, XScale: "log", YScale: "log",
			YRange: &[2]float64{1.0 / 256, 1}}
		l := resolve(t, lang.FigureSpec{Panel: p}, files...).Panels[0].Lines[0]
		close := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
		want := []float64{1, 1.0 / 4, 1.0 / 16, 1.0 / 64, c.want}
		for name, got := range map[string][]float64{"mean": l.Y, "low": l.Low, "high": l.High} {
			if diff := cmp.Diff(want, got, close); diff != "" {
				t.Errorf("last y %v: %s of the band differs (-want +got):\n%s", c.last, name, diff)
			}
		}
	}
}

// TestBandByBruteForce compares the mean and the band of runs with different rows, and whether the line is censored,
// with their definitions: the mean has a point at each x of a run that lies in the range of all runs, and its value
// there is the mean of the straight lines between the rows of each run.
func TestBandByBruteForce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var files []*trace.File
		first, last, stopped := math.Inf(-1), math.Inf(1), false
		for seed := range rapid.IntRange(2, 4).Draw(rt, "seeds") {
			f := run(labels{"as": "eg", "seed": float64(seed)}, 1)
			f.Rows = nil
			f.End.Status = rapid.SampledFrom([]trace.Status{trace.Done, trace.Budget, trace.Stalled}).Draw(rt, "status")
			stopped = stopped || f.End.Status == trace.Budget
			x := float64(rapid.IntRange(0, 2).Draw(rt, "start"))
			for range rapid.IntRange(1, 6).Draw(rt, "rows") {
				y := float64(rapid.IntRange(-9, 9).Draw(rt, "y"))
				f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": x, "primal": y}})
				x += float64(rapid.IntRange(1, 3).Draw(rt, "step"))
			}
			first = math.Max(first, f.Rows[0].Values["passes"])
			last = math.Min(last, f.Rows[len(f.Rows)-1].Values["passes"])
			files = append(files, f)
		}
		if first > last {
			return // the runs have no x in common
		}
		at := func(f *trace.File, x float64) (y float64, isRow bool) {
			for i, r := range f.Rows {
				if p := r.Values["passes"]; p == x {
					return r.Values["primal"], true
				} else if p > x {
					before := f.Rows[i-1].Values
					share := (x - before["passes"]) / (p - before["passes"])
					return (1-share)*before["primal"] + share*r.Values["primal"], false
				}
			}
			return math.NaN(), false
		}
		var xs, means, lows, highs []float64
		for x := first; x <= last; x++ {
			sum, low, high, any := 0.0, math.Inf(1), math.Inf(-1), false
			for _, f := range files {
				y, isRow := at(f, x)
				sum, low, high, any = sum+y, math.Min(low, y), math.Max(high, y), any || isRow
			}
			if any {
				xs, means = append(xs, x), append(means, sum/float64(len(files)))
				lows, highs = append(lows, low), append(highs, high)
			}
		}
		p := lang.Panel{X: "passes", Y: lang.Strings{"primal"}}
		l := resolve(t, lang.FigureSpec{Panel: p}, files...).Panels[0].Lines[0]
		close := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
		for name, lists := range map[string][2][]float64{"x": {xs, l.X}, "mean": {means, l.Y}, "low": {lows, l.Low},
			"high": {highs, l.High}} {
			if diff := cmp.Diff(lists[0], lists[1], close); diff != "" {
				rt.Errorf("%s of the band differs (-want +got):\n%s", name, diff)
			}
		}
		if l.Censored != stopped {
			rt.Errorf("censored %v, want %v: whether the budget stopped one of the runs", l.Censored, stopped)
		}
	})
}
