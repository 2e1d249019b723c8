package figure

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Fault is what a figure cannot show.
type Fault struct {
	Line int    // of the spec; 0: not known
	Key  string // such as figure.panels.0.series.1.label
	Err  error
}

// Foresee lists what no result of a plan can mend: a filter that names a label which no run has, or that no run
// passes; a series of no run; a legend with a label that one of its runs lacks. set has a curve without rows for each
// run, with the labels that it will have; the values of those in unknown are not known before the run.
func Foresee(f *lang.Figure, set *trace.Set, unknown []string) []Fault {
	r := &resolver{set: set}
	var faults []Fault
	for i, p := range f.Panels {
		key := "figure"
		if len(f.Panels) > 1 {
			key = fmt.Sprint("figure.panels.", i)
		}
		passing, known, err := expr.Foresee(p.Where, set, unknown)
		if err == nil && len(passing) == 0 {
			err = r.nothing("the filter", set.Curves)
		}
		if err != nil {
			faults = append(faults, Fault{p.Line, key + ".where", err})
			continue
		}
		for j, s := range p.Series {
			if fault := r.foresee(s, passing, known, unknown); fault != nil {
				fault.Key = fmt.Sprintf("%s.series.%d.%s", key, j, fault.Key)
				faults = append(faults, *fault)
			}
		}
	}
	return faults
}

// foresee is the first fault of one series, or nil. known says whether exactly the curves passing pass the panel's
// filter; else a legend is only asked for labels that none of them has.
func (r *resolver) foresee(s lang.Series, passing []*trace.Curve, known bool, unknown []string) *Fault {
	curves, own, err := expr.Foresee(s.Where, &trace.Set{Curves: passing}, unknown)
	if err != nil {
		return &Fault{s.Line, "where", err}
	}
	if s.Of != "" {
		label := r.variantLabel(s.Of)
		curves = slices.DeleteFunc(slices.Clone(curves), func(c *trace.Curve) bool { return c.Labels[label] != s.Of })
	}
	if len(curves) == 0 {
		key, filter := "of", "of: "+s.Of
		if s.Of == "" {
			key, filter = "where", "the filter"
		}
		return &Fault{s.Line, key, r.nothing(filter, passing)}
	}
	lacking := 0
	for _, c := range curves {
		_, problem := fill(s.Label, c, "")
		if problem == nil {
			continue
		}
		lacking++
		err = fmt.Errorf("the run %s: %w", r.describe(c), problem)
	}
	if lacking == len(curves) || lacking > 0 && known && own {
		return &Fault{s.Line, "label", err}
	}
	return nil
}
