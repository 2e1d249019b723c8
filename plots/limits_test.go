package plots

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestLimitsOfAxes checks for pairs of limits, of linear and of logarithmic axes, that an axis is accepted if its
// limits can be drawn and the lower one is below the upper one. A limit that is not set is always accepted.
func TestLimitsOfAxes(t *testing.T) {
	limits := []float64{math.Inf(-1), -1e301, -1e300, -1, 0, 1e-3, 1, 1 + 1e-15, 1e300, 1e301, math.Inf(1), math.NaN()}
	fits := func(v *float64, log bool) bool {
		return v == nil || math.Abs(*v) <= 1e300 && (!log || *v > 0)
	}
	lines := []figure.Line{{X: []float64{1}, Y: []float64{1}}}
	for _, log := range []bool{false, true} {
		for i := range len(limits) + 1 {
			for j := range len(limits) + 1 {
				a := figure.Axis{Log: log}
				if i < len(limits) {
					a.Min = &limits[i]
				}
				if j < len(limits) {
					a.Max = &limits[j]
				}
				want := fits(a.Min, log) && fits(a.Max, log) && (a.Min == nil || a.Max == nil || *a.Min < *a.Max)
				for _, p := range []figure.Panel{{X: a, Lines: lines}, {Y: a, Lines: lines}} {
					if err := checkPanel(p); (err == nil) != want {
						t.Errorf("limits %d and %d of %v, log %v: error %v; want none: %v", i, j, limits, log, err, want)
					}
				}
			}
		}
	}
}
