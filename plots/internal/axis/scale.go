// Package axis implements the logarithmic scale of figures and the ticks of their axes.
package axis

import (
	"math"

	"gonum.org/v1/plot"
)

// Smallest is the smallest positive number that a log axis can show. Smaller numbers are below its floor (its lower
// end).
const Smallest = 1e-300

// LogScale is a logarithmic scale that accepts all numbers. It maps numbers that are not positive to the floor of the
// axis. (The log scale of gonum panics on them.)
type LogScale struct{}

var _ plot.Normalizer = LogScale{}

// Normalize returns the distance of x from min on the log scale, as a fraction of the length of the axis.
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

// Place returns the position of v on an axis, from 0 to 1 if v is within the axis. floored reports whether v is below
// the floor of a log axis. Place moves a position that is very far outside nearer to the axis, so that lines can be
// clipped precisely.
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
