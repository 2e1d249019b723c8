package expr

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/file"

	"github.com/gaplab/gaplab/harness/trace"
)

// claimNames returns the identifiers of assertions and measures, apart from let variables.
func claimNames() map[string]any { return map[string]any{"series": nil, "inf": nil} }

// Check checks an expression without evaluating it: its syntax, its functions and their number of arguments, and the
// names in claims. kind is "assert" or "measure" (in a claim), "where" (over labels, whose names are unknown before the
// runs), "axis" (over columns) or "bound" (over x and labels).
func Check(kind, source string) error {
	r := &rewriter{}
	switch kind {
	case "assert", "measure":
		r.names, r.claim, r.observed = claimNames(), true, kind == "assert"
	case "where", "axis", "bound":
		r.open = true
	default:
		return fmt.Errorf("expr: no kind of expression %q; accepted: assert, measure, where, axis, bound", kind)
	}
	_, err := compile(source, r, callsOn(nil))
	return err
}

// Of merges the names that several curves will have, because an expression may name what only some of them have. Their
// columns have no values yet. If the columns of a curve are unknown, Of returns nil, for which Check accepts
// everything.
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

// Check reports a name in an expression that no curve will have, before there are results. kind is "axis" (also for
// tables), "bound", "assert" or "measure". If an expression reads another experiment, names in quotes may belong there.
func (e *Expected) Check(kind, source string) error {
	if e == nil {
		return nil
	}
	r := &rewriter{quoted: quotedNames{expected: e}, names: map[string]any{}}
	switch kind {
	case "assert", "measure":
		r.names, r.claim, r.observed = claimNames(), true, kind == "assert"
	default:
		for _, name := range slices.Concat(e.Columns, e.Labels, e.Constants, []string{"final"}) {
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

// Absent is the error of a name that no curve will have.
type Absent struct {
	Name string
	Err  error
}

func (a *Absent) Error() string { return a.Err.Error() }
func (a *Absent) Unwrap() error { return a.Err }
