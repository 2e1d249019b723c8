package figure

import (
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// extra returns lines for the caller's solvers (Options.With) that no series of the panel includes. Each of these
// solvers becomes a separate series, with its runs on the problems of the drawn curves. These runs need not pass the
// filter of the panel (where).
func (r *resolver) extra(p lang.Panel, ys []string, drawn []*trace.Curve) (lines []Line, names []name) {
	for _, name := range r.meta.Extra {
		var theirs []*trace.Curve
		for _, c := range r.set.Curves {
			if c.Labels["as"] == name && c.Len() > 0 && !slices.Contains(drawn, c) &&
				slices.ContainsFunc(drawn, func(d *trace.Curve) bool { return sameProblem(c, d) }) {
				theirs = append(theirs, c)
			}
		}
		if len(theirs) == 0 {
			continue
		}
		label := name
		for _, l := range distinguishing(&trace.Set{Curves: theirs}) {
			if !slices.Contains([]string{"seed", "fold", "status"}, l) {
				label += ", " + l + "={" + l + "}"
			}
		}
		more, own, err := r.lines(p, lang.Series{Label: label, Y: ys}, theirs, ys)
		if err != nil {
			r.warn("the solver %s is not drawn: %v", name, err)
		}
		lines, names = append(lines, more...), append(names, own...)
	}
	return lines, names
}

// sameProblem reports whether own, a curve of a caller's solver, has the same problem as the curve c: all labels of
// own, except the names of the solver and the status, have the same values in c.
func sameProblem(own, c *trace.Curve) bool {
	for name, v := range own.Labels {
		if !slices.Contains([]string{"as", "solver", "status"}, name) &&
			trace.FormatLabel(v) != trace.FormatLabel(c.Labels[name]) {
			return false
		}
	}
	return true
}
