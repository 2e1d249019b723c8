package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// group is the runs that make one line: one run, or its repetitions, or the points of a sweep.
type group struct {
	curves []*trace.Curve
	among  *trace.Set // all runs of the figure
}

// lines draws one series: each of its groups, for each y. ys are all y of the panel. A line has a name each.
func (r *resolver) lines(p lang.Panel, s lang.Series, curves []*trace.Curve, ys []string) (lines []Line, names []name,
	err error) {
	var failed error
	template := s.Label
	for _, y := range s.Y {
		sweep, err := isSweep(p.X, y, curves, r.set)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		groups, shown := r.groupsOf(p, template, curves, sweep)
		for _, g := range groups {
			draw := newLine
			if sweep {
				draw = newSweep
			}
			line, err := draw(p.X, y, g)
			if err != nil {
				failed = cmp.Or(failed, err)
				r.warn("%s of %s is not drawn: %v", y, r.describe(g.curves[0]), err)
				continue
			}
			if len(line.X) == 0 {
				r.warn("%s of %s is not drawn: it has no finite value", y, r.describe(g.curves[0]))
				continue
			}
			if sweep {
				r.warnPooled(p.X, g)
			}
			label, own, err := legend(template, shown, g.curves[0], y, len(ys) > 1 && (template == "" || len(s.Y) > 1))
			if err != nil {
				return nil, nil, err
			}
			line.Label, line.Name, line.Runs, line.Of = label, own.run, r.indices(g.curves), y
			lines, names = append(lines, line), append(names, own)
			for _, c := range g.curves {
				r.named[c] = own
			}
		}
	}
	if len(lines) == 0 {
		return nil, nil, failed
	}
	return lines, names, nil
}

// groupsOf puts runs together: repetitions (which differ in seed or fold only) unless the label tells them apart, and
// in a sweep the runs that share the label By and the problem. shown are the labels that tell the groups apart.
func (r *resolver) groupsOf(p lang.Panel, template string, curves []*trace.Curve, sweep bool) (list []group,
	shown []string) {
	set := trace.Set{Curves: curves}
	identity := slices.DeleteFunc(set.LabelNames(), func(name string) bool {
		return slices.Contains([]string{"seed", "fold", "status"}, name) && !strings.Contains(template, "{"+name+"}")
	})
	apart := distinguishing(&set)
	shown = slices.DeleteFunc(slices.Clone(apart), func(name string) bool { return !slices.Contains(identity, name) })
	if sweep {
		identity = []string{cmp.Or(p.By, "as")}
		if p.By != problemLabel && slices.Contains(apart, problemLabel) {
			identity = []string{problemLabel, identity[0]}
		}
		shown = identity
	}
	index := map[string]int{}
	for _, c := range curves {
		key := c.Describe(identity)
		i, ok := index[key]
		if !ok {
			i = len(list)
			index[key] = i
			list = append(list, group{among: r.set})
		}
		list[i].curves = append(list[i].curves, c)
	}
	return list, shown
}

// newLine draws a run, or the mean of its repetitions. It is censored if one of them is.
func newLine(x, y string, g group) (Line, error) {
	var line Line
	var tracks []track
	for _, c := range g.curves {
		t, err := newTrack(x, y, c, g.among, false)
		if err != nil {
			return line, err
		}
		line.Censored = line.Censored || c.Status == trace.Budget
		if len(t.x) > 0 {
			tracks = append(tracks, t)
		}
	}
	switch {
	case len(tracks) == 0:
	case len(tracks) == 1:
		line.X, line.Y = tracks[0].x, tracks[0].y
	default:
		line.X, line.Y, line.Low, line.High = averaged(tracks)
	}
	line.Level = len(line.X) == 1 && !slices.ContainsFunc(g.curves, func(c *trace.Curve) bool {
		return c.Status != trace.Done || len(c.File.Rows) != 1
	})
	return line, nil
}

// extendLevels draws levels from the first to the last x of the other lines, if these are apart.
func (p *Panel) extendLevels() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		if !l.Level && len(l.X) > 0 {
			low, high = min(low, slices.Min(l.X)), max(high, slices.Max(l.X))
		}
	}
	if low >= high {
		return
	}
	twice := func(v []float64) []float64 {
		if v == nil {
			return nil
		}
		return []float64{v[0], v[0]}
	}
	for i := range p.Lines {
		if l := &p.Lines[i]; l.Level {
			l.X, l.Y, l.Low, l.High = []float64{low, high}, twice(l.Y), twice(l.Low), twice(l.High)
		}
	}
}

// track is the finite points of one run, x non-decreasing.
type track struct{ x, y []float64 }

// newTrack has no points if x or y takes another run that is not there.
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
