package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// resolver holds what the panels of one figure share.
type resolver struct {
	set      *trace.Set
	meta     Meta
	wall     bool                  // whether columns of CPU time hold wall-clock time
	named    map[*trace.Curve]name // the names of the lines of the panel, by their curves
	index    map[*trace.Curve]int
	apart    []string // labels that distinguish all curves; nil until needed
	warnings []string
}

func (r *resolver) warn(format string, args ...any) {
	r.warnings = include(r.warnings, fmt.Sprintf(format, args...))
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

// of returns the curves that pass the `of` of a series.
func (r *resolver) of(s lang.Series, curves []*trace.Curve) []*trace.Curve {
	if s.Of == "" {
		return curves
	}
	label := r.variantLabel(s.Of)
	return slices.DeleteFunc(slices.Clone(curves), func(c *trace.Curve) bool { return c.Labels[label] != s.Of })
}

// variantLabel returns the label that the `of` of a series filters: "as" if a variant has that name, otherwise
// "solver", which selects all variants of a solver.
func (r *resolver) variantLabel(of string) string {
	if slices.ContainsFunc(r.set.Curves, func(c *trace.Curve) bool { return c.Labels["as"] == of }) {
		return "as"
	}
	return "solver"
}

func (r *resolver) nothing(filter string, there []*trace.Curve) error {
	var names []string
	for _, c := range there {
		names = include(names, r.describe(c))
	}
	if len(names) == 0 {
		return errors.New("there are no runs to draw")
	}
	return fmt.Errorf("no curve passes %s; there are %s", filter, strings.Join(names, "; "))
}

func (r *resolver) describe(c *trace.Curve) string {
	if r.apart == nil {
		r.apart = distinguishing(r.set)
	}
	if name := c.Describe(r.apart); name != "" {
		return name
	}
	return c.Describe([]string{"as", trace.C})
}

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

// means reports whether a series of the spec includes a curve. It includes a curve of the caller's only if it names the
// solver, or if its label has the name of the variant or solver.
func (r *resolver) means(s lang.Series, c *trace.Curve) bool {
	if !r.isExtra(c) {
		return true
	}
	name := c.Labels["as"].(string)
	return s.Of == name || strings.Contains(s.Where, name) || s.Label == "" && s.Of == "" ||
		strings.Contains(s.Label, "{as}") || strings.Contains(s.Label, "{solver}")
}
