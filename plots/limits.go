package plots

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/axis"
)

// span is a closed range of data values. It is empty if Min > Max.
type span struct{ Min, Max float64 }

// nothing returns an empty span.
func nothing() span { return span{math.Inf(1), math.Inf(-1)} }

// add extends the span to contain v.
func (s *span) add(v float64) {
	s.Min = math.Min(s.Min, v)
	s.Max = math.Max(s.Max, v)
}

func (s span) empty() bool { return s.Min > s.Max }

// limits returns the ranges of both axes of a panel. The spec or, if it sets no limits, the data determine a range.
// Only points within the spec's limits of x determine the range of y.
func limits(p figure.Panel) (x, y span) {
	var xs, ys, bounds []float64
	points := false
	for _, l := range p.Lines {
		points = points || l.Style == figure.Points || len(l.X) == 1
		xs = append(append(xs, l.X...), l.Range...)
		for i, v := range l.X {
			if beyond(p.X, v) {
				continue
			}
			if l.Style == figure.Bound && !p.Y.Log {
				bounds = append(bounds, l.Y[i])
				continue
			}
			ys = append(ys, l.Y[i])
			if l.Low != nil {
				ys = append(ys, l.Low[i], l.High[i])
			}
		}
	}
	padX := 0.0
	if points {
		padX = 0.05
	}
	x = axisLimits(p.X, xs, nil, padX)
	if p.X.Min == nil && !p.X.Log && x.Min > 0 && x.Min <= 0.05*x.Max {
		x.Min = 0 // start at 0 passes, even if the first row is later
	}
	y = axisLimits(p.Y, ys, bounds, 0.05)
	if p.Y.Max == nil && slices.ContainsFunc(p.Lines, func(l figure.Line) bool { return l.Rising && l.Stopped != nil }) {
		const room = 0.06 // space for arrows, as a fraction of the axis
		if p.Y.Log {
			low, high := math.Log10(y.Min), math.Log10(y.Max)
			y.Max = math.Pow(10, math.Min(high+room*(high-low), 305))
		} else {
			y.Max += room * (y.Max - y.Min)
		}
	}
	return x, y
}

// beyond reports whether v is outside the limits of the axis a, if the spec sets limits.
func beyond(a figure.Axis, v float64) bool {
	return (a.Min != nil && v < *a.Min) || (a.Max != nil && v > *a.Max)
}

// axisLimits returns the range of one axis. This is the range that the spec sets (in a) or, if it sets none, the range
// of the values, enlarged by the fraction pad of its length. bounds are values of the bounds of theorems. They extend
// the range by at most its length, so that a loose bound does not flatten the curves. But at least one value of a bound
// is visible.
func axisLimits(a figure.Axis, values, bounds []float64, pad float64) span {
	var s span
	if a.Log {
		s = logLimits(a, values, pad)
	} else {
		s = linearLimits(values, bounds, pad)
	}
	if a.Min != nil {
		s.Min = *a.Min
	}
	if a.Max != nil {
		s.Max = *a.Max
	}
	if s.Min < s.Max {
		return s
	}
	switch { // all data are on the wrong side of the only fixed limit
	case a.Min != nil && a.Log:
		s.Max = 10 * s.Min
	case a.Min != nil:
		s.Max = s.Min + math.Max(1, math.Abs(s.Min))
	case a.Log:
		s.Min = s.Max / 10
	default:
		s.Min = s.Max - math.Max(1, math.Abs(s.Max))
	}
	return s
}

// linearLimits returns the range of a linear axis.
func linearLimits(values, bounds []float64, pad float64) span {
	s := nothing()
	for _, v := range values {
		s.add(v)
	}
	s = withBounds(s, bounds)
	if s.empty() {
		return span{0, 1}
	}
	length := s.Max - s.Min
	if size := math.Max(math.Abs(s.Min), math.Abs(s.Max)); length <= 1e-9*size || length < axis.Smallest {
		// the values are constant: do not magnify rounding errors
		room := math.Max(0.1*size, axis.Smallest)
		if size == 0 {
			room = 1
		}
		return span{s.Min - room, s.Max + room}
	}
	padded := span{s.Min - pad*length, s.Max + pad*length}
	if s.Min >= 0 && padded.Min < 0 {
		padded.Min = 0
	}
	return padded
}

// withBounds extends s to the values of bounds that are at most the length of s away from it. If there is no such
// value, it extends s to the nearest value.
func withBounds(s span, bounds []float64) span {
	if s.empty() {
		for _, v := range bounds {
			s.add(v)
		}
		return s
	}
	length := s.Max - s.Min
	wide, nearest, distance := s, s.Max, math.Inf(1)
	for _, v := range bounds {
		d := math.Max(s.Min-v, v-s.Max)
		if d <= length {
			wide.add(v)
		}
		if d < distance {
			nearest, distance = v, d
		}
	}
	if distance > length && len(bounds) > 0 {
		wide.add(nearest)
	}
	return wide
}

// logLimits returns the range of the values above the floor of the axis, enlarged by the fraction pad of its length in
// the logarithm. The floor is a.Min or, if a.Min is nil, 16 decades below the largest value. If there are values below
// the floor, the range starts at a power of ten, where these values are marked.
func logLimits(a figure.Axis, values []float64, pad float64) span {
	const decades = 1e-16
	top := 0.0
	for _, v := range values {
		top = math.Max(top, v)
	}
	floor := math.Max(axis.Smallest, top*decades)
	if a.Min != nil {
		floor = *a.Min
	}
	s := nothing()
	below := false
	for _, v := range values {
		if v < floor {
			below = true
			continue
		}
		s.add(v)
	}
	if s.empty() {
		return span{0.1, 1}
	}
	low, high := math.Log10(s.Min), math.Log10(s.Max)
	if high-low < 1e-9 {
		low, high = low-0.5, high+0.5
	} else {
		length := high - low
		low, high = low-pad*length, high+pad*length
	}
	if below {
		low = math.Ceil(low) - 1
	}
	return span{math.Max(math.Pow(10, low), axis.Smallest), math.Pow(10, math.Min(high, 305))}
}
