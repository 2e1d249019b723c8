package expr

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/vm"

	"github.com/gaplab/gaplab/harness/trace"
)

// Where evaluates a filter such as C >= 10 && as == "eg" on the labels of one curve. An unknown label is an error that
// lists the known ones.
func Where(expression string, labels map[string]any) (bool, error) {
	f, err := newFilter(expression, func(yield func(string) bool) {
		for name := range labels {
			if !yield(name) {
				return
			}
		}
	})
	if err != nil {
		return false, err
	}
	return f.match(labels)
}

// Filter returns the curves of the set whose labels pass a filter; an empty one passes all. The losers of a choice are
// left out unless the filter names the label chosen. A label that no curve has is an error that lists the known ones; a
// comparison with a label that only other curves have is false.
func Filter(expression string, set *trace.Set) ([]*trace.Curve, error) {
	f := filter{}
	if expression != "" {
		var err error
		if f, err = newFilter(expression, slices.Values(set.LabelNames())); err != nil {
			return nil, err
		}
	}
	var found []*trace.Curve
	for _, c := range set.Curves {
		if !c.Chosen() && !f.used["chosen"] {
			continue
		}
		ok, err := f.match(c.Labels)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, c)
		}
	}
	return found, nil
}

// filter is a compiled filter; without a program it passes everything.
type filter struct {
	source  string
	program *vm.Program
	used    map[string]bool
}

func newFilter(source string, labels func(func(string) bool)) (filter, error) {
	r := &rewriter{names: map[string]any{}}
	for name := range labels {
		r.names[name] = nil
	}
	program, err := compile(source, r, nil)
	if err != nil {
		return filter{}, fmt.Errorf("where: %w", err)
	}
	return filter{source: source, program: program, used: r.used}, nil
}

func (f filter) match(labels map[string]any) (bool, error) {
	if f.program == nil {
		return true, nil
	}
	value, err := vm.Run(f.program, labels)
	if err != nil {
		return false, fmt.Errorf("where: %w", err)
	}
	ok, isBool := value.(bool)
	if !isBool {
		return false, fmt.Errorf("where: %s is %s; a filter is true or false", f.source, typeName(value))
	}
	return ok, nil
}
