package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// resolver contains what the panels of one figure have in common: the set of curves, the information for captions, and
// warnings.
type resolver struct {
	set      *trace.Set
	meta     Meta
	wall     bool                  // whether columns of CPU time contain wall-clock time
	named    map[*trace.Curve]name // for each curve, the name of its line in the current panel
	index    map[*trace.Curve]int  // position of each curve in the set; nil until needed
	short    trace.Short           // short texts of long labels; nil until needed
	apart    []string              // names of labels that tell all curves apart; nil until needed
	warnings []string
}

// warn adds a warning, unless the same warning was added before.
func (r *resolver) warn(format string, args ...any) {
	r.warnings = include(r.warnings, fmt.Sprintf(format, args...))
}

// brief returns the curve of a name in a legend: c with short texts in place of long labels.
func (r *resolver) brief(c *trace.Curve) *trace.Curve {
	if r.short == nil {
		r.short = r.set.Abbreviate()
	}
	if len(r.short) == 0 {
		return c
	}
	return &trace.Curve{Labels: r.short.Of(c.Labels)}
}

// indices returns the positions of curves in the set.
func (r *resolver) indices(curves []*trace.Curve) []int {
	if r.index == nil {
		r.index = map[*trace.Curve]int{}
		for i, c := range r.set.Curves {
			r.index[c] = i
		}
	}
	out := make([]int, len(curves))
	for i, c := range curves {
		out[i] = r.index[c]
	}
	return out
}

// of returns the curves of the solver that a series names by its key "of"; all curves if the series has no such key.
func (r *resolver) of(s lang.Series, curves []*trace.Curve) []*trace.Curve {
	if s.Of == "" {
		return curves
	}
	label := r.variantLabel(s.Of)
	return slices.DeleteFunc(slices.Clone(curves), func(c *trace.Curve) bool { return c.Labels[label] != s.Of })
}

// variantLabel returns the label to which the key "of" of a series refers. It is "as" if some curve has this name as
// its label "as"; otherwise it is "solver", so that all runs of that algorithm are selected.
func (r *resolver) variantLabel(of string) string {
	if slices.ContainsFunc(r.set.Curves, func(c *trace.Curve) bool { return c.Labels["as"] == of }) {
		return "as"
	}
	return "solver"
}

// nothing returns the error that no curve of a list satisfies a filter. The error describes the curves of this list.
func (r *resolver) nothing(filter string, there []*trace.Curve) error {
	var names []string
	for _, c := range there {
		names = include(names, r.describe(c))
	}
	if len(names) == 0 {
		return errors.New("there are no runs to draw")
	}
	const most = 8
	if n := len(names); n > most+1 {
		names = append(names[:most], fmt.Sprintf("and %d more", n-most))
	}
	return fmt.Errorf("no curve satisfies %s; the curves are %s", filter, strings.Join(names, "; "))
}

// describe returns the labels that distinguish a curve from the others.
func (r *resolver) describe(c *trace.Curve) string {
	if r.apart == nil {
		r.apart = distinguishing(r.set)
	}
	if name := c.Describe(r.apart); name != "" {
		return name
	}
	return c.Describe([]string{"as", trace.C})
}

// panelsOf returns the panels of a figure, whose spec may contain a single panel directly.
func panelsOf(f *lang.FigureSpec) []lang.Panel {
	if len(f.Panels) == 0 {
		return []lang.Panel{f.Panel}
	}
	return f.Panels
}

// isExtra reports whether a curve belongs to a solver of the caller, which is not in the spec.
func (r *resolver) isExtra(c *trace.Curve) bool {
	name, _ := c.Labels["as"].(string)
	return slices.Contains(r.meta.Extra, name)
}

// rival returns the name of a curve's solver, followed by a comma, for the label of a line that names no method. Beside
// a solver of the caller, such a label would not tell whose curve it is.
func (r *resolver) rival(c *trace.Curve) string {
	name, _ := c.Labels["as"].(string)
	if name == "" {
		return ""
	}
	return name + ", "
}

// means reports whether a series of the spec may include a curve. A curve of a caller's solver is included only if the
// series names the solver, if the label of the series contains {as} or {solver}, or if the series has no label and does
// not name a solver by its key "of".
func (r *resolver) means(s lang.Series, c *trace.Curve) bool {
	if !r.isExtra(c) {
		return true
	}
	name := c.Labels["as"].(string)
	return s.Of == name || strings.Contains(s.Where, name) || s.Label == "" && s.Of == "" ||
		strings.Contains(s.Label, "{as}") || strings.Contains(s.Label, "{solver}")
}
