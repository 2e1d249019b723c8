// Package axis holds the logarithmic scale of figures and the ticks of their axes.
package axis

import (
	"math"

	"gonum.org/v1/plot"
)

// Smallest is the least positive number that a log axis shows. Smaller values lie below its floor.
const Smallest = 1e-300

// LogScale is a logarithmic scale for all numbers. Numbers that are not positive lie at the floor of the axis. (The log
// scale of gonum panics on them.)
type LogScale struct{}

var _ plot.Normalizer = LogScale{}

// Normalize returns the distance of x from min as a fraction of the axis, on the log scale.
func (LogScale) Normalize(min, max, x float64) float64 {
	if x < Smallest || min <= 0 || max <= min {
		return 0
	}
	low := math.Log10(min)
	return (math.Log10(x) - low) / (math.Log10(max) - low)
}

// IsLog reports whether an axis has the logarithmic scale of this package or of gonum.
func IsLog(a plot.Axis) bool {
	switch a.Scale.(type) {
	case LogScale, plot.LogScale:
		return true
	}
	return false
}

// Place returns the position of v on an axis, from 0 to 1 within it, and whether v is too small for a log axis. It
// moves positions far outside nearer, so that clipping keeps its precision.
func Place(a plot.Axis, v float64) (at float64, floored bool) {
	const far = 1e6
	if IsLog(a) {
		if v < Smallest {
			return 0, true
		}
		floored = v < a.Min*(1-1e-12)
	}
	return math.Max(-far, math.Min(far, a.Norm(v))), floored
}
