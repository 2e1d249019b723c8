package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Resolve makes a figure from its spec and the curves of its runs. If no curve passes the filters of a panel, it
// returns an error that lists the curves. It leaves out runs without rows (failed or unsupported), and panels that have
// only such runs, and adds a warning for each run.
func Resolve(f *lang.FigureSpec, set *trace.Set, meta Meta) (Figure, error) {
	out := Figure{ID: meta.ID, Title: meta.Title, Columns: f.Columns, Caption: meta.Caption(), Source: meta.Source,
		ShareX: f.Share == "x" || f.Share == "both", ShareY: f.Share == "y" || f.Share == "both"}
	r := &resolver{meta: meta}
	r.set, r.wall = OnWall(f, set)
	if set.Err != nil {
		r.warn("%v", set.Err)
	}
	var errs []error
	var all [][]name // names of the lines of each panel
	for i, p := range panelsOf(f) {
		panel, names, err := r.panel(p)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", panelName(i, p), err))
			continue
		}
		if len(panel.Lines) == 0 {
			r.warn("%s is left out, because none of its runs has rows", panelName(i, p))
			continue
		}
		out.Panels, all = append(out.Panels, panel), append(all, names)
	}
	paintPanels(out.Panels, all, meta.Hues)
	if len(out.Panels) == 0 && len(errs) == 0 {
		errs = append(errs, errors.New("no run of the figure has rows: "+strings.Join(r.warnings, "; ")))
	}
	out.Warnings = r.warnings
	return out, errors.Join(errs...)
}

// OnWall returns the set of curves from which a figure is drawn. If a curve that passes the filter of a panel has no
// CPU time, wall is true, and the returned set contains wall-clock times in place of CPU times. The curves keep their
// positions in the set.
func OnWall(f *lang.FigureSpec, set *trace.Set) (shows *trace.Set, wall bool) {
	if _, wall = passingSome(panelsOf(f), set).OnWall(); wall {
		set, _ = set.OnWall()
	}
	return set, wall
}

// passingSome returns the curves that match the where clause of at least one panel.
func passingSome(panels []lang.Panel, set *trace.Set) *trace.Set {
	var out trace.Set
	for _, p := range panels {
		passing, _ := expr.Filter(p.Where, set) // an error is reported later, when the panel is made
		out.Curves = append(out.Curves, passing...)
	}
	return &out
}

// panelName returns the number, title and line of a panel for a message.
func panelName(i int, p lang.Panel) string {
	name := fmt.Sprintf("panel %d", i+1)
	if p.Title != "" {
		name += fmt.Sprintf(" (%s)", p.Title)
	}
	if p.Line > 0 {
		name += fmt.Sprintf(", line %d", p.Line)
	}
	return name
}

// panel returns one panel and the names of its lines. The hues and dash patterns of the lines are set later.
func (r *resolver) panel(p lang.Panel) (Panel, []name, error) {
	passing, err := expr.Filter(p.Where, r.set)
	if err != nil {
		return Panel{}, nil, err
	}
	if len(passing) == 0 {
		return Panel{}, nil, r.nothing("where: "+p.Where, r.set.Curves)
	}
	list := p.Series
	if len(list) == 0 {
		list = lang.SeriesList{{}}
	}
	out := Panel{Title: p.Title, Of: p.X}
	r.named = map[*trace.Curve]name{}
	var ys []string
	for _, s := range list {
		if len(s.Y) == 0 {
			s.Y = p.Y
		}
		for _, y := range s.Y {
			ys = include(ys, y)
		}
	}
	var drawn []*trace.Curve
	var names []name
	for _, s := range list {
		if len(s.Y) == 0 {
			s.Y = p.Y
		}
		curves, err := r.pick(s, p, passing)
		if err != nil {
			return Panel{}, nil, err
		}
		lines, own, err := r.lines(p, s, curves, ys)
		if err != nil {
			return Panel{}, nil, err
		}
		out.Lines, names = append(out.Lines, lines...), append(names, own...)
		drawn = append(drawn, curves...)
	}
	lines, own := r.extra(p, ys, drawn)
	out.Lines, names = append(out.Lines, lines...), append(names, own...)
	out.extendLevels()
	out.X = r.axis(p.XLabel, []string{p.X}, p.XScale, p.XRange)
	out.Y = r.axis(p.YLabel, ys, p.YScale, p.YRange)
	if p.Bound != "" && len(out.Lines) > 0 {
		bounds, own, err := r.bounds(p, out, drawn)
		if err != nil {
			return Panel{}, nil, err
		}
		out.Lines, names = append(out.Lines, bounds...), append(names, own...)
	}
	return out, names, nil
}

// axis returns an axis. If the axis shows times, its label names the clock, even if the label is given in the spec.
func (r *resolver) axis(label string, expressions []string, scale string, limits *[2]float64) Axis {
	a := Axis{Label: label, Log: scale == "log"}
	clock := "CPU"
	timed := slices.ContainsFunc(expressions, func(e string) bool { return strings.Contains(e, trace.CPUSeconds) })
	if timed && r.wall {
		clock = "wall clock"
		r.warn("the figure shows wall-clock times, because some of its runs have no CPU time")
		expressions = slices.Clone(expressions)
		for i, e := range expressions {
			expressions[i] = strings.ReplaceAll(e, trace.CPUSeconds, trace.Seconds)
		}
	}
	switch {
	case label == "":
		a.Label = AxisLabel(expressions)
	case timed:
		a.Label += ", " + clock
	}
	if limits != nil {
		a.Min, a.Max = &limits[0], &limits[1]
	}
	return a
}

// pick returns the curves of a series that have rows. It adds a warning for each other curve.
func (r *resolver) pick(s lang.Series, p lang.Panel, passing []*trace.Curve) ([]*trace.Curve, error) {
	found, err := expr.Filter(s.Where, &trace.Set{Curves: passing})
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(c *trace.Curve) bool { return !r.means(s, c) })
	if found = r.of(s, found); len(found) == 0 {
		var filters []string
		for _, f := range []struct{ key, value string }{{"of: ", s.Of}, {"where: ", s.Where},
			{"the panel's where: ", p.Where}} {
			if f.value != "" {
				filters = append(filters, f.key+f.value)
			}
		}
		return nil, r.nothing(strings.Join(filters, " and "), passing)
	}
	var withRows []*trace.Curve
	for _, c := range found {
		if c.Len() > 0 {
			withRows = append(withRows, c)
			continue
		}
		r.warn("the run %s is not drawn: %s: %s", r.describe(c), c.Status, strings.TrimPrefix(c.Why, string(c.Status)+": "))
	}
	return withRows, nil
}
