package figure_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestDrawnSweeps compares lines with one point for each run with lines made from the definition, for runs drawn at
// random: at each x first the mean of the finished runs, with the smallest and the largest value, then the stopped runs
// one by one. The line is rising if there are stopped runs and the value grew and never fell in each of them.
func TestDrawnSweeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	risen, fallen := 0, 0
	for range 300 {
		var files []*trace.File
		for range 1 + rng.IntN(6) {
			work := []float64{float64(rng.IntN(4))}
			for range rng.IntN(3) {
				work = append(work, work[len(work)-1]+float64(rng.IntN(7)-1))
			}
			status := []trace.Status{trace.Done, trace.Budget}[rng.IntN(2)]
			files = append(files, sized("eg", float64(100*(1+rng.IntN(3))), status, work...))
		}
		want := figure.Line{Label: "eg", Name: "eg", Style: figure.Points, Of: "final.work"}
		repeated, stopped, rising := false, false, true
		for i := range files {
			want.Runs = append(want.Runs, i)
		}
		for _, n := range []int{100, 200, 300} {
			var finished, others []float64
			for _, f := range files {
				var work []float64
				for _, r := range f.Rows {
					work = append(work, r.Values["work"])
				}
				last := work[len(work)-1]
				switch {
				case f.Manifest.N != n:
				case f.End.Status == trace.Done:
					finished = append(finished, last)
				default:
					others = append(others, last)
					rising = rising && slices.IsSorted(work) && last > work[0]
				}
			}
			add := func(y, low, high float64, isStopped bool) {
				want.X, want.Y = append(want.X, float64(n)), append(want.Y, y)
				want.Low, want.High = append(want.Low, low), append(want.High, high)
				want.Stopped = append(want.Stopped, isStopped)
				stopped = stopped || isStopped
			}
			if len(finished) > 0 {
				sum := 0.0
				for _, v := range finished {
					sum += v
				}
				add(sum/float64(len(finished)), slices.Min(finished), slices.Max(finished), false)
				repeated = repeated || len(finished) > 1
			}
			for _, v := range others {
				add(v, v, v, true)
			}
		}
		if !repeated {
			want.Low, want.High = nil, nil
		}
		if want.Rising = stopped && rising; !stopped {
			want.Stopped = nil
		}
		if want.Rising {
			risen++
		} else if stopped {
			fallen++
		}
		got := resolve(t, lang.FigureSpec{Panel: lang.Panel{X: "n", Y: lang.Strings{"final.work"}}}, files...)
		if diff := cmp.Diff([]figure.Line{want}, got.Panels[0].Lines); diff != "" {
			t.Fatalf("lines differ (-want +got):\n%s", diff)
		}
	}
	if min(risen, fallen) < 20 {
		t.Errorf("%d lines with stopped runs are rising and %d are not, want at least 20 of each", risen, fallen)
	}
}
