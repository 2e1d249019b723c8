package explore

import (
	"cmp"
	"math"
	"slices"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// OracleCalls is the name of a column that Resolve adds: the number of calls of all oracles.
const OracleCalls = "oracle_calls"

// Resolve makes the data of the web page from the runs of an experiment and its figure, which figure.Resolve has made
// from f and these runs; f is nil if the experiment has none. If the panels of the figure do not show all runs, Resolve
// adds a panel with all runs. metrics lists the columns that measure the quality of the models. Runs without rows are
// left out. ok is false if no run has rows.
func Resolve(f *lang.FigureSpec, own figure.Figure, files []*trace.File, metrics []string) (d Data, ok bool) {
	d.Labels = []string{} // not nil, so that JSON contains an empty list instead of null
	thin, points := make([]*trace.File, len(files)), pointsOf(len(files))
	for i, file := range files {
		thin[i] = file.Thin(points)
		if len(thin[i].Rows) < max(len(file.Rows), file.Manifest.Thinned) {
			d.Thinned++
		}
	}
	r := &resolver{data: &d, set: trace.NewSet(thin)}
	addCalls(r.set)
	panels := slices.Clip(own.Panels)
	if f != nil {
		r.set, _ = figure.OnWall(f, r.set)
	}
	if r.missing(panels) {
		all, _ := figure.Resolve(r.everything(), r.set, figure.Meta{ID: own.ID})
		panels = append(panels, all.Panels...)
	}
	if len(panels) == 0 {
		return d, false
	}
	r.standard(metrics)
	for _, p := range panels {
		r.panel(p)
	}
	r.runs()
	return d, true
}

// addCalls adds the column OracleCalls to each curve that has calls of an oracle.
func addCalls(set *trace.Set) {
	for _, c := range set.Curves {
		var sum []float64
		for _, name := range []string{trace.MaxCalls, trace.ExpCalls, trace.SumCalls, trace.SlackCalls,
			trace.SecondCalls} {
			values := c.Columns[name]
			if sum == nil && values != nil {
				sum = make([]float64, len(values))
			}
			for i, v := range values {
				if !math.IsNaN(v) {
					sum[i] += v
				}
			}
		}
		if sum != nil {
			c.Columns[OracleCalls] = sum
		}
	}
}

// resolver fills a Data from a set of curves.
type resolver struct {
	data  *Data
	set   *trace.Set
	known map[string]bool // the columns that at least one curve of the set has; nil: not known yet
}

// missing reports whether the panels leave out a curve with rows. Runs that lost a comparison (see lang.Choose) may be
// left out.
func (r *resolver) missing(panels []figure.Panel) bool {
	shown := map[int]bool{}
	for _, p := range panels {
		for _, l := range p.Lines {
			for _, i := range l.Runs {
				shown[i] = true
			}
		}
	}
	for i, c := range r.set.Curves {
		if c.Len() > 0 && c.Chosen() && !shown[i] {
			return true
		}
	}
	return false
}

// everything returns a figure with all runs. Its y axis shows the gap if all runs have a gap, else the excess over the
// optimum in percent if all runs have it, else the primal.
func (r *resolver) everything() *lang.FigureSpec {
	p := lang.Panel{Title: "All runs", X: trace.Passes, Y: lang.Strings{trace.Primal}}
	for _, name := range []string{trace.ExcessPercent, trace.Gap} {
		if !slices.ContainsFunc(r.set.Curves, func(c *trace.Curve) bool { return c.Len() > 0 && !c.Has(name) }) {
			p.Y, p.YScale = lang.Strings{name}, "log"
		}
	}
	return &lang.FigureSpec{Panels: []lang.Panel{p}}
}

// standard adds the common columns that at least one run has: work, objectives, the optimum and metrics.
func (r *resolver) standard(metrics []string) {
	work := []string{trace.Epoch, trace.Passes, OracleCalls, trace.Seconds, trace.CPUSeconds}
	for _, name := range slices.Concat(work, []string{trace.Primal, trace.Dual, trace.Gap, trace.ExcessPercent, trace.Opt,
		trace.OptLow}, metrics) {
		if slices.ContainsFunc(r.set.Curves, func(c *trace.Curve) bool { return c.Has(name) }) {
			r.column(name, "")
			r.data.Columns[len(r.data.Columns)-1].Work = slices.Contains(work, name)
		}
	}
}

// column returns the index of a column, and adds the column if the data lack it.
func (r *resolver) column(name, label string) int {
	i := slices.IndexFunc(r.data.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		i = len(r.data.Columns)
		r.data.Columns = append(r.data.Columns, Column{Name: name, Label: cmp.Or(label, figure.AxisLabel([]string{name}))})
	}
	return i
}

// panel converts a figure's panel and adds the result to the data.
func (r *resolver) panel(p figure.Panel) {
	out := Panel{Title: p.Title, X: p.X, Y: p.Y, Of: r.column(p.Of, p.X.Label)}
	own := map[string]bool{}
	for _, l := range p.Lines {
		own[l.Of] = true
	}
	for _, l := range p.Lines {
		line := Line{Label: l.Label, Name: l.Name, Hue: l.Hue, Dash: l.Dash, Of: -1, Runs: append([]int{}, l.Runs...)}
		if l.Style == figure.Bound {
			line.X, line.Y = l.X, l.Y
		} else {
			label := "" // the text of the y axis if all lines show the same column; else ""
			if len(own) == 1 || len(own) == 2 && own[""] {
				label = p.Y.Label
			}
			line.Of = r.column(l.Of, label)
		}
		out.Lines = append(out.Lines, line)
	}
	r.data.Panels = append(r.data.Panels, out)
}

// runs adds the runs with their values in all columns. It must be called after all columns have been added.
func (r *resolver) runs() {
	for _, name := range r.set.LabelNames() {
		if slices.ContainsFunc(r.set.Curves, func(c *trace.Curve) bool {
			return trace.FormatLabel(c.Labels[name]) != trace.FormatLabel(r.set.Curves[0].Labels[name])
		}) && name != "status" {
			r.data.Labels = append(r.data.Labels, name)
		}
	}
	short := r.set.Abbreviate()
	for _, c := range r.set.Curves {
		run := Curve{Key: c.File.Manifest.Key, Status: c.Status, Labels: map[string]string{}}
		for _, name := range r.data.Labels {
			if v, ok := short.Of(c.Labels)[name]; ok {
				run.Labels[name] = trace.FormatLabel(v)
			}
		}
		for i := range r.data.Columns {
			run.Values = append(run.Values, r.values(c, &r.data.Columns[i]))
		}
		r.data.Runs = append(r.data.Runs, run)
	}
}

// values returns the values of a column or of an expression for a curve, or nil if the curve has none.
func (r *resolver) values(c *trace.Curve, column *Column) Values {
	if c.Len() == 0 {
		return nil
	}
	values, ok := c.Columns[column.Name]
	if _, isLabel := c.Labels[column.Name]; !ok && !isLabel && r.has(column.Name) {
		return nil // the name of a column that only other curves have: no expression
	}
	if !ok {
		v, err := expr.Axis(column.Name, c, r.set)
		if err != nil {
			return nil
		}
		if x, single := v.(float64); single {
			column.Once = true
			return Values{x}
		}
		values = v.([]float64)
	}
	for _, v := range values {
		if v != values[0] {
			return values
		}
	}
	return values[:1]
}

// has reports whether at least one curve has a column.
func (r *resolver) has(column string) bool {
	if r.known == nil {
		r.known = map[string]bool{}
		for _, c := range r.set.Curves {
			for name := range c.Columns {
				r.known[name] = true
			}
		}
	}
	return r.known[column]
}
