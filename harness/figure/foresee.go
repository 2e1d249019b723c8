package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Fault is a piece of the spec that a figure cannot show, with the reason.
type Fault struct {
	Line int    // line of the spec; 0 if unknown
	Key  string // key in the spec, such as figure.panels.0.series.1.label
	Err  error  // the reason
}

// Foresee lists the faults that are certain before anything runs: a filter with a label that no run has; a filter that
// no run passes; a series without runs; a legend with a label that one of its runs lacks. The set must contain, for
// each run, a curve without rows that has the future labels. unknown lists the labels whose values are known only after
// the run.
//
// If the columns of the runs are known, Foresee checks expressions as well. The keys of bounds are the names of the
// theorems' bounds that a spec may use. constants lists further names that a bound may use.
func Foresee(f *lang.FigureSpec, set *trace.Set, unknown []string, bounds map[string]string,
	constants []string) []Fault {
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
		expected := expr.Of(passing)
		for _, axis := range []struct{ key, expression string }{{"x", p.X}, {"by", p.By}} {
			if err := expected.Check("axis", axis.expression); axis.expression != "" && err != nil {
				faults = append(faults, Fault{p.Line, key + "." + axis.key, err})
			}
		}
		if _, theorem := bounds[p.Bound]; p.Bound != "" && !theorem && expected != nil {
			expected.Constants = constants
			if err := expected.Check("bound", p.Bound); err != nil {
				faults = append(faults, Fault{p.Line, key + ".bound", err})
			}
		}
		if len(p.Series) == 0 {
			for _, y := range p.Y {
				if err := expected.Check("axis", y); err != nil {
					faults = append(faults, Fault{p.Line, key + ".y", err})
				}
			}
		}
		for j, s := range p.Series {
			own := s
			if len(s.Y) == 0 {
				own.Y = p.Y
			}
			if fault := r.foresee(own, passing, known, unknown); fault != nil {
				if fault.Key == "y" && len(s.Y) == 0 {
					fault.Line, fault.Key = p.Line, key+".y"
				} else {
					fault.Key = fmt.Sprintf("%s.series.%d.%s", key, j, fault.Key)
				}
				if !slices.ContainsFunc(faults, func(f Fault) bool { return f.Key == fault.Key }) {
					faults = append(faults, *fault)
				}
			}
		}
	}
	return faults
}

// foresee returns the first fault of one series, or nil. If known is true, passing contains exactly the curves that
// pass the panel's filter. Otherwise some of them may not pass, so a label in the legend is a fault only if no curve
// has it.
func (r *resolver) foresee(s lang.Series, passing []*trace.Curve, known bool, unknown []string) *Fault {
	curves, own, err := expr.Foresee(s.Where, &trace.Set{Curves: passing}, unknown)
	if err != nil {
		return &Fault{s.Line, "where", err}
	}
	if curves = r.of(s, curves); len(curves) == 0 {
		key, filter := "of", "of: "+s.Of
		if s.Of == "" {
			key, filter = "where", "the filter"
		}
		return &Fault{s.Line, key, r.nothing(filter, passing)}
	}
	expected := expr.Of(curves)
	for _, y := range s.Y {
		if err := expected.Check("axis", y); err != nil {
			return &Fault{s.Line, "y", err}
		}
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

// Methods returns the names of a figure's lines that are known before anything runs. The name of a line is its method
// or, without one, the planned settings that distinguish it. The set must contain, for each run, a curve without rows
// that has the future labels. unknown lists the labels whose values are known only after the run.
func Methods(f *lang.FigureSpec, set *trace.Set, unknown []string) []string {
	r := &resolver{set: set}
	var out []string
	for _, p := range panelsOf(f) {
		passing, _, err := expr.Foresee(p.Where, set, unknown)
		if err != nil {
			continue // a faulty panel, which Foresee reports
		}
		list := p.Series
		if len(list) == 0 {
			list = lang.SeriesList{{}}
		}
		for _, s := range list {
			curves, _, err := expr.Foresee(s.Where, &trace.Set{Curves: passing}, unknown)
			if err != nil {
				continue
			}
			curves = r.of(s, curves)
			sweep := slices.ContainsFunc(slices.Concat(p.Y, s.Y), func(y string) bool { return strings.Contains(y, "final.") })
			groups, shown := r.groupsOf(p, s.Label, curves, sweep)
			if slices.ContainsFunc(shown, func(label string) bool { return slices.Contains(unknown, label) }) {
				shown = slices.DeleteFunc(shown, func(label string) bool { return label != "as" && label != problemLabel })
			}
			for _, g := range groups {
				_, n, err := legend(s.Label, shown, g.curves[0], "", false)
				switch {
				case err != nil:
				case n.method != "":
					out = include(out, n.method)
				case !slices.ContainsFunc(unknown, func(label string) bool { return strings.Contains(s.Label, "{"+label+"}") }):
					out = include(out, n.run)
				}
			}
		}
	}
	return out
}
