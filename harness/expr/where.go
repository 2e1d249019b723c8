package expr

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/vm"

	"github.com/gaplab/gaplab/harness/trace"
)

// Filter returns the curves of the set for which a filter, such as C >= 10 && as == "eg", is true: the curves that pass
// the filter. If the filter is empty, all curves pass.
//
// A filter can use labels and final.COLUMN, the last value of a column. With the functions that claims use, it can
// compare a curve with other curves of the set. For example, final.error == min(map(curves({n: n}), final(#, "error")))
// is true for the best C of each n. A run that lost a comparison (see lang.Choose) passes only if the filter uses the
// label "chosen". If the filter uses a label that no curve has, Filter returns an error that lists the known labels. If
// only some curves have the label, a comparison with it is false for the others. A curve does not pass if it lacks
// something else that the filter reads, such as a row.
func Filter(expression string, set *trace.Set) ([]*trace.Curve, error) {
	f := filter{}
	var err error
	if expression != "" {
		f, err = newFilter(expression, set)
	}
	var passing []*trace.Curve
	if err == nil {
		passing, err = f.passing(set.Curves)
	}
	if err != nil {
		return nil, fmt.Errorf("where: %w", err)
	}
	return passing, nil
}

// passing returns the curves that pass the filter.
func (f filter) passing(curves []*trace.Curve) ([]*trace.Curve, error) {
	var found []*trace.Curve
	for _, c := range curves {
		if !c.Chosen() && !f.used["chosen"] {
			continue
		}
		ok, err := f.match(c)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, c)
		}
	}
	return found, nil
}

// Foresee applies a filter before there are results. The set must contain a curve for each planned run, with its future
// labels. If the filter calls a function, or uses final or a label listed in unknown, only results can decide it; then
// Foresee returns all curves and known is false. Unlike the errors of Filter, its errors have no prefix "where: ".
func Foresee(expression string, set *trace.Set, unknown []string) (passing []*trace.Curve, known bool, err error) {
	if expression == "" {
		return set.Curves, true, nil
	}
	f, err := newFilter(expression, set)
	if err != nil {
		return nil, true, err
	}
	if f.called || f.used["final"] || slices.ContainsFunc(unknown, func(label string) bool { return f.used[label] }) {
		return set.Curves, false, nil
	}
	passing, err = f.passing(set.Curves)
	return passing, true, err
}

// filter is a compiled filter. Its field program is nil if the filter is empty; then every curve passes.
type filter struct {
	source  string
	reader  *reader
	program *vm.Program
	used    map[string]bool // the names that the filter uses
	called  bool            // whether the filter calls a function
}

// newFilter compiles a filter for the labels of a set.
func newFilter(source string, set *trace.Set) (filter, error) {
	r := &rewriter{names: map[string]any{"final": nil}}
	for name := range slices.Values(set.LabelNames()) {
		r.names[name] = nil
	}
	on := newReader(Evidence{Set: set})
	program, err := compile(source, r, callsOn(on))
	if err != nil {
		return filter{}, err
	}
	return filter{source: source, reader: on, program: program, used: r.used, called: r.called}, nil
}

// match reports whether a curve passes the filter.
func (f filter) match(c *trace.Curve) (bool, error) {
	if f.program == nil {
		return true, nil
	}
	env := maps.Clone(c.Labels)
	if f.used["final"] {
		if c.Len() == 0 {
			return false, nil
		}
		env["final"] = finals(c)
	}
	value, err := f.reader.run(f.program, env)
	switch {
	case Lacks(err):
		return false, nil
	case err != nil:
		return false, err
	}
	ok, isBool := value.(bool)
	if !isBool {
		return false, fmt.Errorf("%s: got %s; accepted: a filter, which is true or false", f.source, typeName(value))
	}
	return ok, nil
}
