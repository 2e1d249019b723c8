package figure

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// group holds the runs that make one line: one run, its repetitions, or the points of a sweep.
type group struct {
	curves []*trace.Curve
	among  *trace.Set // all runs of the figure
}

// track holds the finite points of one run, with non-decreasing x.
type track struct{ x, y []float64 }

// newTrack evaluates x and y on a run. The track has no points if x or y needs another run that does not exist.
func newTrack(x, y string, c *trace.Curve, among *trace.Set, sweep bool) (track, error) {
	vx, err := expr.Axis(x, c, among)
	if expr.Lacks(err) {
		return track{}, nil
	}
	if err != nil {
		return track{}, fmt.Errorf("x: %w", err)
	}
	vy, err := expr.Axis(y, c, among)
	if expr.Lacks(err) {
		return track{}, nil
	}
	if err != nil {
		return track{}, fmt.Errorf("y: %w", err)
	}
	xs, ys := list(vx), list(vy)
	if len(xs) != len(ys) || sweep != (len(xs) == 1 && isNumber(vx)) {
		return track{}, fmt.Errorf("x: %s and y: %s do not fit together", x, y)
	}
	var t track
	for i := range xs {
		if drawable(xs[i]) && drawable(ys[i]) {
			t.x, t.y = append(t.x, xs[i]), append(t.y, ys[i])
		}
	}
	return t, nil
}

func isNumber(v any) bool { _, ok := v.(float64); return ok }

func list(v any) []float64 {
	if x, ok := v.(float64); ok {
		return []float64{x}
	}
	return v.([]float64)
}

func drawable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// averaged returns the mean of repetitions of a run, with the band from the smallest to the largest value. It has a
// point at every x where one repetition has a record, all have begun and none has ended. Between its records, a run is
// interpolated linearly, as its own line would be drawn.
func averaged(tracks []track) (x, mean, low, high []float64) {
	first, last := math.Inf(-1), math.Inf(1)
	var all []float64
	for _, t := range tracks {
		first = math.Max(first, t.x[0])
		last = math.Min(last, t.x[len(t.x)-1])
		all = append(all, t.x...)
	}
	slices.Sort(all)
	for _, at := range slices.Compact(all) {
		if at < first || at > last {
			continue
		}
		values := make([]float64, len(tracks))
		for i, t := range tracks {
			values[i] = t.value(at)
		}
		x = append(x, at)
		mean, low, high = spread(values, mean, low, high)
	}
	return x, mean, low, high
}

// value returns y at x, which is neither before the first record nor after the last.
func (t track) value(x float64) float64 {
	next := sort.Search(len(t.x), func(i int) bool { return t.x[i] > x })
	at := next - 1
	if t.x[at] == x || next == len(t.x) || math.IsInf(t.y[at], 0) || math.IsInf(t.y[next], 0) {
		return t.y[at]
	}
	share := (x - t.x[at]) / (t.x[next] - t.x[at])
	y := t.y[at] + share*(t.y[next]-t.y[at])
	return min(max(y, min(t.y[at], t.y[next])), max(t.y[at], t.y[next])) // rounding keeps it between them
}

func spread(values, mean, low, high []float64) (m, l, h []float64) {
	least, most := slices.Min(values), slices.Max(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	middle := math.Min(math.Max(sum/float64(len(values)), least), most) // rounding keeps it inside the band
	return append(mean, middle), append(low, least), append(high, most)
}
