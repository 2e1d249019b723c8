package claims

import (
	"errors"
	"fmt"
	"slices"

	"github.com/expr-lang/expr/vm"

	"github.com/gaplab/gaplab/harness/trace"
)

// evaluation is the state of one claim's evaluation: what its functions may look at, and what they note down.
type evaluation struct {
	ctx          Context
	labels       []string // all labels of the set
	varying      []string // those that tell its curves apart
	warnings     []string
	sites        []site
	observations []observation
}

// untestable is the error of an expression that is right but lacks evidence.
type untestable struct{ why string }

func (u *untestable) Error() string { return u.why }

// Lacks says whether an expression is right but lacks evidence, such as points for a fit.
func Lacks(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking)
}

func cannot(format string, args ...any) error {
	return &untestable{fmt.Sprintf(format, args...)}
}

func newEvaluation(ctx Context) *evaluation {
	return &evaluation{ctx: ctx, labels: ctx.Set.LabelNames(), varying: ctx.Set.Varying()}
}

func (e *evaluation) warn(format string, args ...any) {
	if w := fmt.Sprintf(format, args...); !slices.Contains(e.warnings, w) {
		e.warnings = append(e.warnings, w)
	}
}

// assert evaluates an assertion, and records what it compares.
func (e *evaluation) assert(source string) (bool, error) {
	program, err := e.compile(source, true)
	if err != nil {
		return false, err
	}
	value, err := vm.Run(program, map[string]any{})
	if err != nil {
		return false, err
	}
	holds, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("an assertion is true or false, this one is %s", typeName(value))
	}
	return holds, nil
}

// value evaluates an expression of any type.
func (e *evaluation) value(source string) (any, error) {
	program, err := e.compile(source, false)
	if err != nil {
		return nil, err
	}
	return vm.Run(program, map[string]any{})
}

func (e *evaluation) compile(source string, observed bool) (*vm.Program, error) {
	r := &rewriter{functions: functions(), names: claimNames(), claim: true, observed: observed}
	program, err := compile(source, r, e)
	if observed {
		e.sites = r.sites
	}
	return program, err
}

// get is the meaning of x.name.
func (e *evaluation) get(x any, name string) (any, error) {
	switch x := x.(type) {
	case *trace.Curve:
		if v, ok := x.Labels[name]; ok {
			return v, nil
		}
		if x.Has(name) {
			return e.column(x, name)
		}
		if slices.Contains(e.labels, name) {
			return nil, nil // another curve's label
		}
		return e.column(x, name)
	case fields:
		for i, n := range x.names {
			if n == name {
				return x.values[i], nil
			}
		}
		return nil, fmt.Errorf("no field %q; there are %v", name, x.names)
	}
	return nil, fmt.Errorf(".%s: %s has no fields; curves, fits and printed rows have", name, typeName(x))
}

// column returns all values of a column.
func (e *evaluation) column(c *trace.Curve, name string) ([]float64, error) {
	if err := e.usable(c, name); err != nil {
		return nil, err
	}
	switch c.Status {
	case trace.Interrupted:
		return nil, cannot("the run %s was interrupted", e.describe(c))
	case trace.Budget, trace.Diverged:
		e.warn("the run %s ended early: %s", e.describe(c), ended(c))
	}
	return c.Columns[name], nil
}

// usable says whether a curve has the column, and notes a doubt about it.
func (e *evaluation) usable(c *trace.Curve, name string) error {
	switch {
	case c.Status == trace.Failed || c.Len() == 0:
		return cannot("the run %s has no result: %s", e.describe(c), ended(c))
	case !c.Has(name):
		return fmt.Errorf("the run %s has no column %q; its labels are %v, its columns %v", e.describe(c), name, e.labels,
			c.ColumnNames())
	}
	switch name {
	case trace.Opt, trace.OptLow, trace.GapPercent, trace.ExcessPercent:
		if c.Doubt != "" {
			e.warn("%s: %s", e.describe(c), c.Doubt)
		}
	}
	return nil
}

// describe names a curve by the labels that tell it apart; it may be another experiment's.
func (e *evaluation) describe(c *trace.Curve) string {
	if s := c.Describe(e.varying); s != "" {
		return s
	}
	return c.Describe([]string{"as", trace.C})
}

func ended(c *trace.Curve) string {
	if c.Why == "" {
		return string(c.Status)
	}
	return fmt.Sprintf("%s (%s)", c.Status, c.Why)
}

// fields is a value with named parts: a fit, a printed row.
type fields struct {
	names  []string
	values []any
}
