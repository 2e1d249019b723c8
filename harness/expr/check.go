package expr

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/file"

	"github.com/gaplab/gaplab/harness/trace"
)

// claimNames returns the names that the expressions of a claim (assert, measure) may use. Variables that an expression
// defines with let are not included.
func claimNames() map[string]any { return map[string]any{"series": nil, "inf": nil} }

// Check checks an expression without evaluating it: the syntax, the functions, how many arguments each has and, in
// claims, the names. kind is "assert" or "measure" (in a claim), "where" (over labels), "axis" (over columns) or
// "bound" (over x and labels). Labels and columns are not known before the runs, so Check accepts any name of them.
func Check(kind, source string) error {
	r := &rewriter{}
	switch kind {
	case "assert", "measure":
		r.names, r.claim, r.observed = claimNames(), true, kind == "assert"
	case "where", "axis", "bound":
		r.open = true
	default:
		return fmt.Errorf("expr: unknown kind of expression %q; accepted: assert, measure, where, axis, bound", kind)
	}
	_, err := compile(source, r, callsOn(nil))
	return err
}

// Of returns the names of all columns and labels that the runs of these curves will have. The curves have no values
// yet. Of merges the names of all curves, because an expression may use a name that only some of them have. If the
// columns of a curve are unknown, Of returns nil; then the method Check accepts everything.
func Of(curves []*trace.Curve) *Expected {
	columns, labels := map[string]bool{}, map[string]bool{}
	for _, c := range curves {
		if c.Columns == nil {
			return nil
		}
		for name := range c.Columns {
			columns[name] = true
		}
		for name := range c.Labels {
			labels[name] = true
		}
	}
	return &Expected{Columns: slices.Sorted(maps.Keys(columns)), Labels: slices.Sorted(maps.Keys(labels))}
}

// Check returns an *Absent if an expression uses a name that no curve will have. It needs no results. kind is "axis"
// (also for tables), "bound", "assert" or "measure". If the expression reads another experiment, Check accepts all
// names in quotes, because they may belong to that experiment.
func (e *Expected) Check(kind, source string) error {
	if e == nil {
		return nil
	}
	r := &rewriter{quoted: quotedNames{expected: e}, names: map[string]any{}}
	switch kind {
	case "assert", "measure":
		r.names, r.claim, r.observed = claimNames(), true, kind == "assert"
	default:
		for _, name := range e.Columns {
			r.names[name] = []float64{}
		}
		for _, name := range slices.Concat(e.Labels, e.Constants, []string{"final"}) {
			r.names[name] = nil
		}
		if kind == "bound" {
			r.names["x"] = nil
		}
	}
	_, err := compile(source, r, callsOn(nil))
	switch {
	case err != nil && r.unknown != "":
		return &Absent{Name: r.unknown, Err: err}
	case err == nil && r.quoted.fault != nil && !r.quoted.other:
		return &Absent{Name: r.quoted.absent, Err: r.quoted.fault.Bind(file.NewSource(source))}
	}
	return err
}

// Absent is the error for a name that no curve will have.
type Absent struct {
	Name string
	Err  error
}

func (a *Absent) Error() string { return a.Err.Error() }
func (a *Absent) Unwrap() error { return a.Err }
