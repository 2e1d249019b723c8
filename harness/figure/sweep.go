package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// isSweep reports whether x and y have one value for each run, because both are labels or final values. Then each run
// is one point of a line, and the panel is called a sweep.
func isSweep(x, y string, curves []*trace.Curve, among *trace.Set) (bool, error) {
	var failed error
	for _, c := range curves {
		vx, err := expr.Axis(x, c, among)
		if err != nil {
			failed = fmt.Errorf("x: %w", err)
			continue
		}
		vy, err := expr.Axis(y, c, among)
		if err != nil {
			failed = fmt.Errorf("y: %w", err)
			continue
		}
		if isNumber(vx) != isNumber(vy) {
			return false, fmt.Errorf("x: %s and y: %s: one has a value for each row, the other only one value for each "+
				"run; write final.COLUMN for the last value of a column", x, y)
		}
		return isNumber(vx), nil
	}
	return false, failed
}

// point is one run of a sweep.
type point struct {
	x, y      float64
	low, high float64 // range of y over the repetitions of the run
	stopped   bool    // whether the budget stopped the run
}

// newSweep returns a line with one point for each run, ordered by x.
func newSweep(x, y string, g group) (Line, error) {
	var points []point
	rising := true
	for _, c := range g.curves {
		t, err := newTrack(x, y, c, g, true)
		if err != nil {
			return Line{}, err
		}
		if len(t.x) == 0 {
			continue
		}
		low, high, _, err := rangeOver(x, y, group{curves: []*trace.Curve{c}, among: g.among}, t, true)
		if err != nil {
			return Line{}, err
		}
		if low == nil {
			low, high = t.y, t.y
		}
		stopped := c.Status == trace.Budget
		points = append(points, point{t.x[0], t.y[0], low[0], high[0], stopped})
		rising = rising && (!stopped || rises(y, c, g.among))
	}
	line := joined(points)
	line.Rising = rising && line.Stopped != nil
	return line, nil
}

// joined returns a line through points. Points of finished runs at the same x are replaced by their mean, with a band
// from the smallest to the largest value, over their repetitions too.
// The points of runs that their budget stopped follow these, one by one.
func joined(points []point) Line {
	slices.SortStableFunc(points, func(a, b point) int {
		switch {
		case a.x != b.x || a.stopped == b.stopped:
			return cmp.Compare(a.x, b.x)
		case b.stopped:
			return -1
		}
		return 1
	})
	line := Line{Style: Points}
	repeated, anyStopped := false, false
	for i := 0; i < len(points); {
		p := points[i]
		values, low, high := []float64{p.y}, p.low, p.high
		for i++; !p.stopped && i < len(points) && points[i].x == p.x && !points[i].stopped; i++ {
			values = append(values, points[i].y)
			low, high = min(low, points[i].low), max(high, points[i].high)
		}
		line.X, line.Stopped = append(line.X, p.x), append(line.Stopped, p.stopped)
		line.Y, _, _ = spread(values, line.Y, nil, nil)
		line.Low, line.High = append(line.Low, low), append(line.High, high)
		repeated, anyStopped = repeated || len(values) > 1 || low < high, anyStopped || p.stopped
	}
	if !repeated {
		line.Low, line.High = nil, nil
	}
	if !anyStopped {
		line.Stopped = nil
	}
	return line
}

// rises reports whether y grew and never fell during the run, as seconds and oracle calls do. If so, the last value of
// a stopped run is a lower bound on the value that the complete run would have reached.
func rises(y string, c *trace.Curve, among *trace.Set) bool {
	course, err := expr.Course(y, c, among)
	if err != nil {
		return false
	}
	course = slices.DeleteFunc(course, func(v float64) bool { return !drawable(v) })
	n := len(course)
	return n > 1 && slices.IsSorted(course) && course[n-1] > course[0]
}

// warnPooled adds a warning if runs at the same x differ in more than seed or fold. Their mean is rarely intended.
func (r *resolver) warnPooled(x string, g group) {
	at := map[float64][]*trace.Curve{}
	for _, c := range g.curves {
		if v, err := expr.Axis(x, c, g.among); err == nil && isNumber(v) {
			at[v.(float64)] = append(at[v.(float64)], c)
		}
	}
	var differ []string
	for _, curves := range at {
		names := distinguishing(&trace.Set{Curves: curves})
		i := slices.IndexFunc(names, expr.IsRepetition)
		for _, name := range names {
			if !expr.IsRepetition(name) && name != "status" && (i < 0 || !follows(name, names[i], curves)) {
				differ = include(differ, name)
			}
		}
	}
	if len(differ) > 0 {
		slices.Sort(differ)
		r.warn("the runs of %s that share a value of %s differ in %s, and the figure shows their mean; separate them with "+
			`"where" or "by"`, g.curves[0].Describe([]string{problemLabel, "as"}), x, strings.Join(differ, ", "))
	}
}
