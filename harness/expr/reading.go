package expr

import (
	"math"

	"github.com/gaplab/gaplab/harness/trace"
)

// readingFunctions returns the functions that read values from one or two curves at positions x, in passes. Between two
// rows, a curve has the value of the earlier row, since nothing else is known. A text in place of a curve means the
// only curve with this label "as".
func readingFunctions() []function {
	return []function{
		{
			FuncDoc: FuncDoc{"at", "at(c, column, x)",
				"the value in the last row with passes <= x; if x is a list, a list of values",
				`at(curve({C: 10}), "primal", 10) <= 0.3`},
			least: 3, most: 3, curves: 1, column: 2, call: readAt,
		},
		{
			FuncDoc: FuncDoc{"final", "final(c, column)", "the last value of a column. If a budget ended " +
				"the run, a time or a number of calls, passes, iterations or steps is a lower bound, and other columns have no " +
				"last value",

				`final(curve({C: 10}), "validation_error") <= 0.08`},
			least: 2, most: 2, curves: 1, column: 2, call: readFinal,
		},
		{
			FuncDoc: FuncDoc{"reach", "reach(c, column, value)",
				"the passes of the first row in which the column is at most the value; inf if there is none; a lower bound " +
					"if a budget ended the run before",

				`reach(curve({C: 1000}), "gap_percent", 0.1) <= 16`},
			least: 3, most: 3, curves: 1, column: 2, call: readReach,
		},
		{
			FuncDoc: FuncDoc{"T", "T(c, p)",
				"the passes of the first row in which the primal is within p percent of the optimum; inf if there is none; a " +
					"lower bound if a budget ended the run before",

				`T(curve({as: "fast", C: 10}), 1) <= 0.7 * T(curve({as: "slow", C: 10}), 1)`},
			least: 2, most: 2, curves: 1,
			call: func(r *reader, args []any) (any, error) {
				return readReach(r, []any{args[0], trace.ExcessPercent, args[1]})
			},
		},
		{
			FuncDoc: FuncDoc{"cross", "cross(a, b, column)",
				"the passes from which curve a stays below curve b, over their common range; inf if there are none",
				`cross(curve({as: "fast", C: 10}), curve({as: "slow", C: 10}), "primal") <= 10`},
			least: 3, most: 3, curves: 2, column: 3, call: readCross,
		},
		{
			FuncDoc: FuncDoc{"window", "window(c, column, low, high)", "the values at low <= passes <= high",
				`mean(window(curve({C: 10}), "validation_error", 10, 50)) <= 0.08`},
			least: 4, most: 4, curves: 1, column: 2, call: readWindow,
		},
	}
}

// scan is the number of rows of a curve that one step reads.
const scan = 16

// readAt implements the function "at" of expressions.
func readAt(r *reader, args []any) (any, error) {
	c, column, err := r.read(args[0], args[1])
	if err != nil {
		return nil, err
	}
	read := func(x float64) (float64, error) {
		if err := r.spend(c.Len() / scan); err != nil {
			return 0, err
		}
		v := c.At(column, x)
		if math.IsNaN(v) {
			return 0, cannot("the run %s has no %s at or before %.4g passes", r.describe(c), column, x)
		}
		return v, r.known(c, x)
	}
	if x, err := number(args[2]); err == nil {
		return read(x)
	}
	list, err := numbers(args[2])
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(list))
	for i, x := range list {
		if out[i], err = read(x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readFinal implements the function "final" of expressions.
func readFinal(r *reader, args []any) (any, error) {
	c, column, err := r.read(args[0], args[1])
	if err != nil {
		return nil, err
	}
	if c.Status == trace.Budget && Accumulates(column) {
		return r.atLimit(c, c.Final(column)), nil
	}
	return c.Final(column), r.whole(c)
}

// readReach implements the function "reach" of expressions.
func readReach(r *reader, args []any) (any, error) {
	c, column, err := r.read(args[0], args[1])
	if err != nil {
		return nil, err
	}
	level, err := number(args[2])
	if err != nil {
		return nil, err
	}
	if err := r.spend(c.Len() / scan); err != nil {
		return nil, err
	}
	passes := c.Columns[trace.Passes]
	for i, v := range c.Columns[column] {
		if v <= level {
			return passes[i], nil
		}
	}
	if c.Status == trace.Budget {
		return r.atLimit(c, c.Final(trace.Passes)), nil
	}
	if c.Cut() {
		r.warnOf(c, "", ": %s did not fall to %.4g within %.4g passes; we assume that it never does", column, level,
			c.Final(trace.Passes))
	}
	return math.Inf(1), r.whole(c)
}

// readCross implements the function "cross" of expressions.
func readCross(r *reader, args []any) (any, error) {
	a, column, err := r.read(args[0], args[2])
	if err != nil {
		return nil, err
	}
	b, _, err := r.read(args[1], args[2])
	if err != nil {
		return nil, err
	}
	for _, c := range []*trace.Curve{a, b} {
		if err := r.whole(c); err != nil {
			return nil, err
		}
	}
	if err := r.spend((a.Len() + 1) * (b.Len()/scan + 1)); err != nil {
		return nil, err
	}
	return crossing(a, b, column), nil
}

// crossing returns the passes of the first row from which on curve a stays below curve b, or +Inf if there is none. It
// goes backwards through the rows of a, from the end of the range of passes that both curves cover, until a row is not
// below b. A converged curve does not end that range: its last value stays valid.
func crossing(a, b *trace.Curve, column string) float64 {
	end := math.Inf(1)
	if b.Cut() {
		end = b.Final(trace.Passes)
	}
	from := math.Inf(1)
	passes, values := a.Columns[trace.Passes], a.Columns[column]
	stand, last := a.Final(column), a.Final(trace.Passes)
	for i, at := range b.Columns[trace.Passes] {
		if !a.Cut() && at > last && at <= end && b.Columns[column][i] <= stand {
			return from // b reaches the last value of a, or less, after a has converged: a does not stay below b
		}
	}
	for i := len(values) - 1; i >= 0; i-- {
		if passes[i] > end || math.IsNaN(values[i]) {
			continue
		}
		other := b.At(column, passes[i])
		if math.IsNaN(other) { // b has no row yet at these passes
			break
		}
		if values[i] >= other {
			break
		}
		from = passes[i]
	}
	return from
}

// readWindow implements the function "window" of expressions.
func readWindow(r *reader, args []any) (any, error) {
	c, column, err := r.read(args[0], args[1])
	if err != nil {
		return nil, err
	}
	low, err := number(args[2])
	if err != nil {
		return nil, err
	}
	high, err := number(args[3])
	if err != nil {
		return nil, err
	}
	if math.IsInf(high, 1) {
		err = r.whole(c)
	} else {
		err = r.known(c, high)
	}
	if err != nil {
		return nil, err
	}
	if err := r.spend(c.Len()); err != nil {
		return nil, err
	}
	out := []float64{}
	passes := c.Columns[trace.Passes]
	for i, v := range c.Columns[column] {
		if passes[i] >= low && passes[i] <= high && !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out, nil
}
