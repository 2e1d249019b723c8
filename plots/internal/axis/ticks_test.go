package axis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
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

// TestTicksAreWhereTheySay checks for random axes that each label is the number at its tick, that ticks are in their
// order and within the axis, that linear ticks have one distance, of 1, 2, 2.5 or 5 times a power of ten, and are at
// most as many as wanted, that log ticks at powers have one stride, and that no log labels overlap that have no room.
func TestTicksAreWhereTheySay(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 5))
	room := func(label string) float64 { return 0.03 * float64(len(label)) }
	for range 3000 {
		most := 3 + rng.IntN(6)
		low := math.Pow(10, 12*rng.Float64()-6)
		high := low * (1 + math.Pow(10, 8*rng.Float64()-1))
		if rng.IntN(2) == 0 {
			low = -low * rng.Float64()
		}
		log := low > 0 && rng.IntN(2) == 0
		var ticks []plot.Tick
		switch {
		case log && rng.IntN(2) == 0:
			ticks = LogTicks{Max: most, Room: room}.Ticks(low, high)
		case log:
			ticks = LogTicks{Max: most}.Ticks(low, high)
		default:
			ticks = LinearTicks{Max: most}.Ticks(low, high)
		}
		where := fmt.Sprintf("at most %d ticks from %g to %g, log %v", most, low, high, log)
		var labelled []float64
		for _, tick := range ticks {
			if slack := 1e-6 * (high - low); tick.Value < low-slack || tick.Value > high+slack {
				t.Fatalf("%s: a tick at %v", where, tick.Value)
			}
			if tick.IsMinor() {
				continue
			}
			mantissa, power, scaled := strings.Cut(strings.ReplaceAll(tick.Label, "−", "-"), "10^{")
			v, err := strconv.ParseFloat(strings.TrimSuffix(mantissa+"1", "×1"), 64)
			if !scaled {
				v, err = strconv.ParseFloat(mantissa, 64)
			} else if e, wrong := strconv.Atoi(strings.TrimSuffix(power, "}")); wrong == nil {
				v *= math.Pow10(e)
			}
			if math.Abs(v-tick.Value) > 1e-6*math.Max(math.Abs(tick.Value), 1e-3*(high-low)) || err != nil {
				t.Fatalf("%s: the tick at %v says %s", where, tick.Value, tick.Label)
			}
			labelled = append(labelled, tick.Value)
		}
		if !slices.IsSorted(labelled) || len(labelled) < 2 {
			t.Fatalf("%s: ticks at %v", where, labelled)
		}
		if !log {
			step := (labelled[len(labelled)-1] - labelled[0]) / float64(len(labelled)-1)
			digit := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9))
			if !slices.ContainsFunc([]float64{1, 2, 2.5, 5}, func(m float64) bool { return math.Abs(m-digit) < 1e-6 }) ||
				len(labelled) > most+1 || labelled[0]-step >= low || labelled[len(labelled)-1]+step <= high {
				t.Fatalf("%s: ticks at %v have the distance %v", where, labelled, step)
			}
			for i, v := range labelled {
				if math.Abs(v-labelled[0]-float64(i)*step) > 1e-6*step {
					t.Fatalf("%s: ticks at %v, want one distance", where, labelled)
				}
			}
		}
		inside := 0 // powers of ten on the axis
		for e := -8; e < 20; e++ {
			if v := math.Pow10(e); v >= low && v <= high {
				inside++
			}
		}
		if log && inside >= 4*most {
			t.Fatalf("%s: %d powers", where, inside)
		}
		if log && inside >= 3 && len(labelled) > most {
			t.Fatalf("%s: labels at %v", where, labelled)
		}
	}
}

// TestMinorTicks checks that a log axis has a minor tick at each multiple of a power of ten on it, also at those with
// labels, and that a very long axis has minor ticks at the powers only.
func TestMinorTicks(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{0.02, 700}, {1, 1e4}, {3, 40}, {1e-9, 1e9}} {
		minor := map[string]bool{}
		for _, tick := range (LogTicks{Max: 5}).Ticks(c.low, c.high) {
			if tick.IsMinor() {
				minor[fmt.Sprintf("%.6g", tick.Value)] = true
			}
		}
		n := 0
		for e := -12; e < 12; e++ {
			for m := 1; m < 10; m++ {
				v := float64(m) * math.Pow10(e)
				there := v >= c.low*(1-1e-9) && v <= c.high*(1+1e-9) && (m == 1 || c.high < 1e12*c.low)
				if there {
					n++
				}
				if minor[fmt.Sprintf("%.6g", v)] != there {
					t.Errorf("from %g to %g: a minor tick at %g: %v, want %v", c.low, c.high, v, !there, there)
				}
			}
		}
		if len(minor) != n {
			t.Errorf("from %g to %g: %d minor ticks, want %d", c.low, c.high, len(minor), n)
		}
	}
}

// TestPlace checks positions on linear and log axes, which values are below the floor, and that far positions are
// bounded on both sides.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		scale     plot.Normalizer
		v, at     float64
		floored   bool
		low, high float64
	}{
		{plot.LinearScale{}, 3, 0.5, false, 2, 4}, {plot.LinearScale{}, 0, -1, false, 2, 4},
		{plot.LinearScale{}, 1e9, 1e6, false, 0, 1}, {plot.LinearScale{}, -1e9, -1e6, false, 0, 1},
		{LogScale{}, 10, 0.5, false, 1, 100}, {LogScale{}, 1, 0, false, 1, 100}, {LogScale{}, 0.1, -0.5, true, 1, 100},
		{LogScale{}, 1000, 1.5, false, 1, 100}, {LogScale{}, 0, 0, true, 1, 100}, {LogScale{}, -5, 0, true, 1, 100},
		{LogScale{}, 1 - 1e-14, 0, false, 1, 100}, {LogScale{}, 1e-301, 0, true, 1, 100},
		{plot.LogScale{}, 0, 0, true, 1, 10},
		{LogScale{}, 1e299, 1e6, false, 1, 1 + 1e-9}, {LogScale{}, 1e-299, -1e6, true, 1, 1 + 1e-9},
	} {
		at, floored := Place(plot.Axis{Min: c.low, Max: c.high, Scale: c.scale}, c.v)
		if math.Abs(at-c.at) > 1e-9 || floored != c.floored {
			t.Errorf("%T from %g to %g: %g is at %v, below the floor: %v; want %v and %v", c.scale, c.low, c.high, c.v, at,
				floored, c.at, c.floored)
		}
	}
}
