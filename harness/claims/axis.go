package claims

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/vm"

	"github.com/gaplab/gaplab/harness/trace"
)

// Axis evaluates an expression over the columns of a curve, such as 100 * validation_error. Labels stand in it too, as
// numbers (C is the label, not the column), and final.COLUMN. The value is a []float64 as long as the curve, not to be
// written to, or a float64.
func Axis(expression string, c *trace.Curve) (any, error) {
	env := map[string]any{}
	final := fields{}
	for _, name := range c.ColumnNames() {
		env[name] = c.Columns[name]
		final.names = append(final.names, name)
		final.values = append(final.values, c.Final(name))
	}
	for name, v := range c.Labels {
		env[name] = v
	}
	env["final"] = final
	value, err := calculate(expression, env)
	if err != nil {
		return nil, err
	}
	if x, err := number(value); err == nil {
		return x, nil
	}
	list, err := numbers(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	return list, nil
}

// Bound evaluates a formula in x, such as 16 * R2 * C / x, over labels and further names, at each element of x.
func Bound(expression string, x []float64, names map[string]any) ([]float64, error) {
	env := maps.Clone(names)
	if env == nil {
		env = map[string]any{}
	}
	env["x"] = x
	value, err := calculate(expression, env)
	if err != nil {
		return nil, err
	}
	if constant, err := number(value); err == nil {
		return slices.Repeat([]float64{constant}, len(x)), nil
	}
	list, err := numbers(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	return list, nil
}

// calculate evaluates an expression over the names of env, with the functions of mathematics.
func calculate(expression string, env map[string]any) (any, error) {
	r := &rewriter{functions: mathematics(), names: env}
	program, err := compile(expression, r, &evaluation{ctx: Context{Set: &trace.Set{}}})
	if err != nil {
		return nil, err
	}
	return vm.Run(program, env)
}
