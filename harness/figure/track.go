package figure

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// group contains the runs that make one line: a single run, runs that differ only in seed or fold, or runs that are one
// point each.
type group struct {
	curves []*trace.Curve
	among  *trace.Set // all runs of the figure
	axes   axes
}

// axes describes the axes of a panel.
type axes struct {
	logX, logY bool    // whether they are logarithmic
	floor      float64 // the lower end of the y axis, if the spec gives it; else 0
}

// axesOf returns the axes of a panel.
func axesOf(p lang.Panel) axes {
	a := axes{logX: p.XScale == "log", logY: p.YScale == "log"}
	if p.YRange != nil {
		a.floor = p.YRange[0]
	}
	return a
}

// track contains the points of one run whose x and y are finite; x does not decrease.
type track struct {
	x, y []float64
	axes axes
}

// newTrack evaluates x and y for a run of a group. If x or y needs another run that does not exist, the track has no
// points.
func newTrack(x, y string, c *trace.Curve, g group, sweep bool) (track, error) {
	vx, err := expr.Axis(x, c, g.among)
	if expr.Lacks(err) {
		return track{}, nil
	}
	if err != nil {
		return track{}, fmt.Errorf("x: %w", err)
	}
	vy, err := expr.Axis(y, c, g.among)
	if expr.Lacks(err) {
		return track{}, nil
	}
	if err != nil {
		return track{}, fmt.Errorf("y: %w", err)
	}
	xs, ys := list(vx), list(vy)
	if len(xs) != len(ys) || sweep != (len(xs) == 1 && isNumber(vx)) {
		return track{}, fmt.Errorf("x: %s and y: %s have different numbers of values", x, y)
	}
	t := track{axes: g.axes}
	for i := range xs {
		if drawable(xs[i]) && drawable(ys[i]) {
			t.x, t.y = append(t.x, xs[i]), append(t.y, ys[i])
		}
	}
	return t, nil
}

// isNumber reports whether a value of an axis is a single number instead of a list.
func isNumber(v any) bool { _, ok := v.(float64); return ok }

// list returns a value of an axis, a number or a list, as a list.
func list(v any) []float64 {
	if x, ok := v.(float64); ok {
		return []float64{x}
	}
	return v.([]float64)
}

// drawable reports whether v is finite.
func drawable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// averaged returns the mean of runs that differ only in seed or fold (repetitions), with a band from the smallest to
// the largest value. The mean has a point at each x where a repetition has a row, within the range of x that all
// repetitions cover. Between its rows, a repetition has the values of its own line, which is straight on the axes.
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

// rangeOver returns the ends of a band around the track of the group's only run, over the repetitions of this run: from
// the smallest to the largest y of the track and of those repetitions whose rows cover its x. For a track of one point,
// across is the smallest and the largest x of the repetitions. Each result is nil if the run was not repeated, or if
// its repetitions do not differ in it.
func rangeOver(x, y string, g group, t track, sweep bool) (low, high, across []float64, err error) {
	repeats := g.curves[0].Repeats
	if len(repeats) < 2 {
		return nil, nil, nil, nil
	}
	low, high = slices.Clone(t.y), slices.Clone(t.y)
	xs := slices.Clone(t.x)
	for _, c := range repeats {
		r, err := newTrack(x, y, c, g, sweep)
		if err != nil {
			return nil, nil, nil, err
		}
		xs = append(xs, r.x...)
		for i, at := range t.x {
			if n := len(r.x); n > 0 && at >= r.x[0] && at <= r.x[n-1] {
				v := r.nearest(at, t.y[i])
				low[i], high[i] = min(low[i], v), max(high[i], v)
			}
		}
	}
	if slices.Equal(low, high) {
		low, high = nil, nil
	}
	if first, last := slices.Min(xs), slices.Max(xs); len(t.x) == 1 && first < last {
		across = []float64{first, last}
	}
	return low, high, across, nil
}

// value returns y at x, which must be within the range of the track's x. Between two points it is on the line that the
// figure shows between them, which is straight on the axes: on a logarithmic axis, log x or log y is interpolated. A y
// below a logarithmic axis is drawn at the axis, so it counts as its lower end. If a value has no logarithm, value
// interpolates the values themselves.
func (t track) value(x float64) float64 {
	next := sort.Search(len(t.x), func(i int) bool { return t.x[i] > x })
	at := next - 1
	if t.x[at] == x || next == len(t.x) || math.IsInf(t.y[at], 0) || math.IsInf(t.y[next], 0) {
		return t.y[at]
	}
	share := (x - t.x[at]) / (t.x[next] - t.x[at])
	if t.axes.logX && t.x[at] > 0 {
		share = math.Log(x/t.x[at]) / math.Log(t.x[next]/t.x[at])
	}
	from, to := t.y[at], t.y[next]
	if t.axes.logY {
		from, to = max(from, t.axes.floor), max(to, t.axes.floor)
	}
	y := from + share*(to-from)
	if t.axes.logY && from > 0 && to > 0 {
		y = from * math.Pow(to/from, share)
	}
	return min(max(y, min(from, to)), max(from, to)) // keep y between the two values despite rounding
}

// nearest returns y at x, which must be within the range of the track's x. Where several rows have this x, the line of
// the track is vertical there, and nearest returns its y that is nearest to the given one.
func (t track) nearest(x, y float64) float64 {
	at, next := sort.SearchFloat64s(t.x, x), sort.Search(len(t.x), func(i int) bool { return t.x[i] > x })
	if next-at < 2 {
		return t.value(x)
	}
	return min(max(y, slices.Min(t.y[at:next])), slices.Max(t.y[at:next]))
}

// spread appends the mean, the smallest and the largest of values to the lists mean, low and high.
func spread(values, mean, low, high []float64) (m, l, h []float64) {
	least, most := slices.Min(values), slices.Max(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	middle := math.Min(math.Max(sum/float64(len(values)), least), most) // keep the mean inside the band despite rounding
	return append(mean, middle), append(low, least), append(high, most)
}
