package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// lines returns the lines of one series with their names: one line for each group of runs and each y of the series. ys
// lists all y of the panel.
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
				r.warn("%s of %s is not drawn, because it has no finite value", y, r.describe(g.curves[0]))
				continue
			}
			if sweep {
				r.warnPooled(p.X, g)
			}
			label, own, err := legend(template, shown, r.brief(g.curves[0]), y, len(ys) > 1 && (template == "" || len(s.Y) > 1))
			if err != nil {
				return nil, nil, err
			}
			if len(r.meta.Extra) > 0 && own.method == "" && !r.isExtra(g.curves[0]) {
				label = r.rival(g.curves[0]) + label
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

// groupsOf groups the runs that make one line. Repetitions, which differ only in seed or fold, belong to one group
// unless template, the text of the line in the legend, contains {seed} or {fold}. In a sweep, where each run is one
// point, the runs of a group have the same value of one label, whose name is p.By (if p.By is empty, the label "as").
// They also have the same problem, unless p.By is the label of the data set: then problems with one data set make one
// line. shown lists the labels that distinguish the groups.
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
		if p.By != problemLabel && p.By != datasetLabel && slices.Contains(apart, problemLabel) {
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
			list = append(list, group{among: r.set, axes: axesOf(p)})
		}
		list[i].curves = append(list[i].curves, c)
	}
	return list, shown
}

// newLine returns the line of a run, or the mean line of runs that differ only in seed or fold. The line of a run that
// was repeated shows the medians of its times, with a band over the repetitions or, if it is one point, with their
// range of x. The line is censored if the budget stopped one of these runs.
func newLine(x, y string, g group) (line Line, err error) {
	var tracks []track
	for _, c := range g.curves {
		t, err := newTrack(x, y, c, g, false)
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
		if len(g.curves) == 1 {
			if line.Low, line.High, line.Range, err = rangeOver(x, y, g, tracks[0], false); err != nil {
				return line, err
			}
		}
	default:
		line.X, line.Y, line.Low, line.High = averaged(tracks)
	}
	line.Level = len(line.X) == 1 && !slices.ContainsFunc(g.curves, func(c *trace.Curve) bool {
		return c.Status != trace.Done || len(c.File.Rows) != 1
	})
	return line, nil
}

// extendLevels extends the line of each run that has only one value (Line.Level): it is drawn from the smallest to the
// largest x of the other lines, if these differ.
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
			l.X, l.Y, l.Low, l.High, l.Range = []float64{low, high}, twice(l.Y), twice(l.Low), twice(l.High), nil
		}
	}
}
