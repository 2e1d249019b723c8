package plots

import (
	"math"

	"gonum.org/v1/plot"
)

// smallest is the least positive number that a log axis shows; less counts as below its floor.
const smallest = 1e-300

// LogScale is a logarithmic scale that takes any number: what is not positive lies at the floor of the axis. (The
// scale that gonum has panics on it.)
type LogScale struct{}

var _ plot.Normalizer = LogScale{}

// Normalize is the distance of x from min as a fraction of the axis, on the log scale.
func (LogScale) Normalize(min, max, x float64) float64 {
	if x < smallest || min <= 0 || max <= min {
		return 0
	}
	low := math.Log10(min)
	return (math.Log10(x) - low) / (math.Log10(max) - low)
}

// isLog reports whether an axis is logarithmic, by this package's scale or gonum's.
func isLog(a plot.Axis) bool {
	switch a.Scale.(type) {
	case LogScale, plot.LogScale:
		return true
	}
	return false
}

// place is the position of v on an axis, 0 to 1 within it; floored says that v is too small for a log axis.
// Positions far outside are brought nearer, so that clipping keeps its precision.
func place(a plot.Axis, v float64) (at float64, floored bool) {
	const far = 1e6
	if isLog(a) {
		if v < smallest {
			return 0, true
		}
		floored = v < a.Min*(1-1e-12)
	}
	return math.Max(-far, math.Min(far, a.Norm(v))), floored
}
