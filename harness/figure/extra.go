package figure

import (
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// isExtra says whether a curve is of a solver that the spec does not know, the caller's.
func (r *resolver) isExtra(c *trace.Curve) bool {
	name, _ := c.Labels["as"].(string)
	return slices.Contains(r.meta.Extra, name)
}

// means says whether a series of the spec means a curve: a caller's only if the series names it, or tells variants
// apart by their names.
func (r *resolver) means(s lang.Series, c *trace.Curve) bool {
	if !r.isExtra(c) {
		return true
	}
	name := c.Labels["as"].(string)
	return s.Of == name || strings.Contains(s.Where, name) || s.Label == "" && s.Of == "" ||
		strings.Contains(s.Label, "{as}") || strings.Contains(s.Label, "{solver}")
}

// extra draws the caller's solvers that no series of the panel means: each as a series of its own, for the problems of
// the curves that are drawn, whatever variants the panel's where names.
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
			r.warn("%s is not drawn: %v", name, err)
		}
		lines, names = append(lines, more...), append(names, own...)
	}
	return lines, names
}

// sameProblem says whether a curve of the caller's is of the problem of another: its labels are those of a problem, but
// for its names.
func sameProblem(own, c *trace.Curve) bool {
	for name, v := range own.Labels {
		if !slices.Contains([]string{"as", "solver", "status"}, name) &&
			trace.FormatLabel(v) != trace.FormatLabel(c.Labels[name]) {
			return false
		}
	}
	return true
}
