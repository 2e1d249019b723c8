package axis

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

// TestTicks checks the labels of linear and log axes of several lengths.
func TestTicks(t *testing.T) {
	room := func(label string) float64 { return 0.035 * float64(len(label)) }
	for _, c := range []struct {
		ticker   plot.Ticker
		min, max float64
		want     string
	}{
		{LinearTicks{Max: 6}, 0, 200, "0 50 100 150 200"},
		{LinearTicks{Max: 6}, 0, 100, "0 20 40 60 80 100"},
		{LinearTicks{Max: 4}, 5, 50, "20 40"},
		{LinearTicks{Max: 6}, 0.644, 0.652, "0.644 0.646 0.648 0.650 0.652"},
		{LinearTicks{Max: 3}, 0.17, 0.83, "0.2 0.4 0.6 0.8"},
		{LinearTicks{Max: 5, Whole: true}, 0.95, 2.05, "1 2"},
		{LinearTicks{Max: 5}, -1, 1, "−1.0 −0.5 0.0 0.5 1.0"},
		{LinearTicks{Max: 5}, 0, 522911, "0 200000 400000"},
		{LinearTicks{Max: 5}, 0, 4e6, "0 1×10^{6} 2×10^{6} 3×10^{6} 4×10^{6}"},
		{LinearTicks{Max: 5}, 0, 2e-7, "0 0.5×10^{-7} 1.0×10^{-7} 1.5×10^{-7} 2.0×10^{-7}"},
		{LinearTicks{Max: 5}, 7, 7, "7"},
		{LogTicks{Max: 7}, 1e-4, 100, "10^{-4} 10^{-3} 10^{-2} 10^{-1} 10^{0} 10^{1} 10^{2}"},
		{LogTicks{Max: 4}, 1e-4, 100, "10^{-4} 10^{-2} 10^{0} 10^{2}"},
		{LogTicks{Max: 4}, 5e-4, 30, "10^{-2} 10^{0}"},
		{LogTicks{Max: 7}, 400, 60000, "500 1000 2000 5000 10000 20000 50000"},
		{LogTicks{Max: 7}, 0.37, 0.4, "0.370 0.375 0.380 0.385 0.390 0.395 0.400"},
		{LogTicks{Max: 5}, 0.3, 0.6, "0.3 0.4 0.5 0.6"},
		{LogTicks{Max: 7}, 2e5, 3e7, "2×10^{5} 5×10^{5} 10^{6} 2×10^{6} 5×10^{6} 10^{7} 2×10^{7}"},
		{LogTicks{Max: 7, Room: room}, 200, 2e4, "200 500 1000 2000 10000"},
		{LogTicks{Max: 7, Room: room}, 0.02, 2, "0.02 0.05 0.1 0.2 0.5 1 2"},
		{LogTicks{Max: 7}, 0, 1, ""},
	} {
		var labels []string
		for _, tick := range c.ticker.Ticks(c.min, c.max) {
			if !tick.IsMinor() {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%#v from %g to %g: labels = %q, want %q", c.ticker, c.min, c.max, got, c.want)
		}
	}
}

// TestLogTicksAreExact checks that labelled ticks are exactly at the powers of ten.
func TestLogTicksAreExact(t *testing.T) {
	for _, tick := range (LogTicks{Max: 40}).Ticks(1e-9, 1e9) {
		if e := math.Round(math.Log10(tick.Value)); !tick.IsMinor() && tick.Value != scaled(1, int(e)) {
			t.Errorf("tick %s is at %v, want the exact power of ten", tick.Label, tick.Value)
		}
	}
}
