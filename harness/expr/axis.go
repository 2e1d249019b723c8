package expr

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Axis evaluates an expression over the columns of a curve, such as 100 * validation_error. The expression may also use
// labels (C is the label, not the column) and final.COLUMN, the last value of a column. With the functions that claims
// use, the expression can read other curves, such as in final.dual / final(curve({as: "fast", C: C}), "dual"). These
// curves must be in the set among. The value is a float64, or a []float64 with one element per row of the curve; the
// caller must not change this list. If Lacks reports true for the error, another curve is missing or has not ended.
func Axis(expression string, c *trace.Curve, among *trace.Set) (any, error) {
	if value, ok := named(expression, c); ok { // most axes: no program is needed
		return value, nil
	}
	env := map[string]any{"final": finals(c)}
	for _, name := range c.ColumnNames() {
		env[name] = c.Columns[name]
	}
	maps.Copy(env, c.Labels)
	value, err := calculate(expression, env, among)
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

// named returns the value of an expression that is only the name of a numeric label, the name of a column, or
// final.COLUMN. ok is false for any other expression.
func named(expression string, c *trace.Curve) (value any, ok bool) {
	if v, isLabel := c.Labels[expression]; isLabel {
		x, err := number(v)
		return x, err == nil
	}
	if column, ok := c.Columns[expression]; ok {
		return column, true
	}
	name, isFinal := strings.CutPrefix(expression, "final.")
	if isFinal && c.Columns[name] != nil {
		return c.Final(name), true
	}
	return nil, false
}

// AtLimit evaluates an expression as Axis does, for a run that ended at its limit. final.COLUMN is then a lower bound
// for a column that accumulates, such as final.cpu_seconds, and unknown for any other column. The value says which
// bound of the expression's value is known. exact is true if the value does not depend on the end of the run.
func AtLimit(expression string, c *trace.Curve, among *trace.Set) (value Bounded, exact bool, err error) {
	end := finals(c)
	for i, name := range end.names {
		b := Bounded{Low: math.Inf(-1), High: math.Inf(1)}
		if Accumulates(name) {
			b.Low = c.Final(name)
		}
		end.values[i] = b
	}
	env := map[string]any{"final": end}
	for _, name := range c.ColumnNames() {
		env[name] = c.Columns[name]
	}
	maps.Copy(env, c.Labels)
	v, err := calculate(expression, env, among)
	if err != nil {
		return Bounded{}, false, err
	}
	value, err = bounds(v)
	return value, value.Low == value.High, err
}

// Course evaluates an expression over labels and final values, such as final.seconds / n, once for each row of a curve.
// In the evaluation for a row, the final values are the values in that row, as if the run had ended there.
func Course(expression string, c *trace.Curve, among *trace.Set) ([]float64, error) {
	env := maps.Clone(c.Labels)
	if env == nil {
		env = map[string]any{}
	}
	var soFar fields
	for _, name := range c.ColumnNames() {
		last, values := math.NaN(), make([]float64, c.Len())
		for i, v := range c.Columns[name] {
			if !math.IsNaN(v) {
				last = v
			}
			values[i] = last
		}
		soFar.names, soFar.values = append(soFar.names, name), append(soFar.values, values)
	}
	env["final"] = soFar
	return overList(expression, env, c.Len(), among)
}

// Bound evaluates a formula in x, such as 16 * radius_sq_seen * C / x, at each element of x. A name in the formula
// means the first of these that exists: a label of the curve, the last value of a column (also written final.COLUMN), a
// numeric parameter of the solver, or n, the number of examples. With the functions that claims use, the formula can
// read other curves, which must be in the set among.
func Bound(expression string, x []float64, c *trace.Curve, among *trace.Set) ([]float64, error) {
	env := map[string]any{}
	if c.File != nil {
		env["n"] = float64(c.File.Manifest.N)
		maps.Copy(env, settings(c.File.Manifest.Spec))
	}
	for _, name := range c.ColumnNames() {
		env[name] = c.Final(name)
	}
	maps.Copy(env, c.Labels)
	env["final"] = finals(c)
	env["x"] = x
	return overList(expression, env, len(x), among)
}

// Names returns the names that an expression of an axis or a bound uses, except functions.
func Names(expression string) ([]string, error) {
	r := &rewriter{open: true}
	if _, err := compile(expression, r, callsOn(nil)); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(r.used)), nil
}

// finals returns the last value of each column of a curve, by the names of the columns.
func finals(c *trace.Curve) fields {
	var final fields
	for _, name := range c.ColumnNames() {
		final.names = append(final.names, name)
		final.values = append(final.values, c.Final(name))
	}
	return final
}

// settings returns the numeric parameters of the solver. run is the spec of a run, as stored in its trace.
func settings(run map[string]any) map[string]any {
	solver, _ := run["solver"].(map[string]any)
	params, _ := solver["params"].(map[string]any)
	out := map[string]any{}
	for name, v := range params {
		if x, err := number(v); err == nil {
			out[name] = x
		}
	}
	return out
}

// overList evaluates an expression to a list of n numbers. If the value is a single number, overList repeats it n
// times.
func overList(expression string, env map[string]any, n int, among *trace.Set) ([]float64, error) {
	value, err := calculate(expression, env, among)
	if err != nil {
		return nil, err
	}
	if constant, err := number(value); err == nil {
		return slices.Repeat([]float64{constant}, n), nil
	}
	list, err := numbers(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	if len(list) != n {
		return nil, fmt.Errorf("%s has %d values; accepted: one value, or %d", expression, len(list), n)
	}
	return list, nil
}

// calculate evaluates an expression that may use the names in env. The functions in the expression can read the curves
// in among.
func calculate(expression string, env map[string]any, among *trace.Set) (any, error) {
	r := &rewriter{names: env}
	on := newReader(Evidence{Set: among})
	program, err := compile(expression, r, callsOn(on))
	if err != nil {
		return nil, err
	}
	return on.run(program, env)
}
