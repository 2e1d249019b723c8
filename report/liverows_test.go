package report_test

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/report"
)

// TestLiveRows checks which rows the figure of a run in progress shows: all rows, also several at one time of a coarse
// clock. If the time goes back, the run has begun again, and only the later rows are shown.
func TestLiveRows(t *testing.T) {
	for _, c := range []struct{ seconds, want []float64 }{
		{[]float64{0, 1, 2}, []float64{0, 1, 2}},
		{[]float64{0, 0, 0, 1, 1}, []float64{0, 0, 0, 1, 1}},
		{[]float64{0, 1, 2, 0, 3}, []float64{0, 3}},
		{[]float64{5, 4, 4, 6}, []float64{4, 4, 6}},
	} {
		live := report.NewLive("my/spec", "")
		for _, s := range c.seconds {
			live.Event(recorded("sgd", 1, s, .5))
		}
		f, ok := live.Figure()
		if !ok || len(f.Panels[0].Lines) != 1 || !slices.Equal(f.Panels[0].Lines[0].X, c.want) {
			t.Errorf("rows at the times %v: figure %+v, want one line at the times %v", c.seconds, f.Panels, c.want)
		}
	}
}
