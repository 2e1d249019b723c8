package expr

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/vm"

	"github.com/gaplab/gaplab/harness/trace"
)

// Filter returns the curves of the set that pass a filter such as C >= 10 && as == "eg". An empty filter passes all.
//
// A filter names labels and final.COLUMN. It can compare a curve with others of the set by the functions of claims:
// final.error == min(map(curves({n: n}), final(#, "error"))) passes the best C of each n. The losers of a choice do not
// pass unless the filter names the label chosen. A label that no curve has is an error that lists the known labels. A
// comparison with a label that only other curves have is false. A curve without the evidence for a filter does not
// pass.
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

// passing returns the curves that pass.
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

// Foresee applies a filter before there are results. set has a curve for each run of a plan, with its future labels. If
// the filter calls a function, or names final or one of the labels in unknown, only results can decide it. Foresee then
// returns all curves, and known is false. Its errors lack the prefix "where: " of those of Filter.
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

// filter is a compiled filter. Without a program it passes every curve.
type filter struct {
	source  string
	program *vm.Program
	used    map[string]bool
	called  bool
}

func newFilter(source string, set *trace.Set) (filter, error) {
	r := &rewriter{names: map[string]any{"final": nil}}
	for name := range slices.Values(set.LabelNames()) {
		r.names[name] = nil
	}
	program, err := compile(source, r, callsOn(newReader(Evidence{Set: set})))
	if err != nil {
		return filter{}, err
	}
	return filter{source: source, program: program, used: r.used, called: r.called}, nil
}

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
	value, err := vm.Run(f.program, env)
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
