package expr

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/trace"
)

// readingFunctions read values off one or two curves. x is always in effective passes, and a curve is a step
// function: nothing is known between its records.
func readingFunctions() []function {
	return []function{
		{
			FuncDoc: FuncDoc{"at", "at(c, column, x)", "the value in the last record with passes <= x; for a list of x a list",
				`at(curve({C: 10}), "primal", 10) <= 0.3`},
			least: 3, most: 3, column: 2, call: readAt,
		},
		{
			FuncDoc: FuncDoc{"final", "final(c, column)", "the last value of a column",
				`final(curve({C: 10}), "validation_error") <= 0.08`},
			least: 2, most: 2, column: 2, call: readFinal,
		},
		{
			FuncDoc: FuncDoc{"reach", "reach(c, column, value)",
				"the first passes at which the column is at most the value; inf if never",
				`reach(curve({C: 1000}), "gap_percent", 0.1) <= 16`},
			least: 3, most: 3, column: 2, call: readReach,
		},
		{
			FuncDoc: FuncDoc{"T", "T(c, p)",
				"the first passes at which the primal is within p percent of the optimum; inf if never",
				`T(curve({as: "fast", C: 10}), 1) <= 0.7 * T(curve({as: "slow", C: 10}), 1)`},
			least: 2, most: 2,
			call: func(e *Evaluation, args []any) (any, error) {
				return readReach(e, []any{args[0], trace.ExcessPercent, args[1]})
			},
		},
		{
			FuncDoc: FuncDoc{"cross", "cross(a, b, column)",
				"the first recorded passes of curve a from which on it lies below curve b, over their common range; inf if never",
				`cross(curve({as: "fast", C: 10}), curve({as: "slow", C: 10}), "primal") <= 10`},
			least: 3, most: 3, column: 3, call: readCross,
		},
		{
			FuncDoc: FuncDoc{"window", "window(c, column, low, high)", "the values at low <= passes <= high",
				`mean(window(curve({C: 10}), "validation_error", 10, 50)) <= 0.08`},
			least: 4, most: 4, column: 2, call: readWindow,
		},
	}
}

// reading gets the curve and the column that a function's first arguments name.
func (e *Evaluation) reading(curve, column any) (*trace.Curve, string, error) {
	c, ok := curve.(*trace.Curve)
	if !ok {
		return nil, "", fmt.Errorf("the first argument is %s; a curve belongs there", typeName(curve))
	}
	name, ok := column.(string)
	if !ok {
		return nil, "", fmt.Errorf(`the column is %s; write its name in quotes, such as "primal"`, typeName(column))
	}
	return c, name, e.usable(c, name)
}

// known reports whether a curve has a value at x: within its records, or after them if it had converged.
func (e *Evaluation) known(c *trace.Curve, x float64) error {
	last := c.Final(trace.Passes)
	if x <= last || !c.Cut() {
		return nil
	}
	return cannot("the run %s ended at %.4g passes: %s", e.describe(c), last, ended(c))
}

// whole reports whether a run came to its own end, so that its last value is a result.
func (e *Evaluation) whole(c *trace.Curve) error {
	if c.Status != trace.Done {
		return cannot("the run %s ended early: %s", e.describe(c), ended(c))
	}
	return nil
}

func readAt(e *Evaluation, args []any) (any, error) {
	c, column, err := e.reading(args[0], args[1])
	if err != nil {
		return nil, err
	}
	read := func(x float64) (float64, error) {
		v := c.At(column, x)
		if math.IsNaN(v) {
			return 0, cannot("the run %s has no %s at or before %.4g passes", e.describe(c), column, x)
		}
		return v, e.known(c, x)
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

func readFinal(e *Evaluation, args []any) (any, error) {
	c, column, err := e.reading(args[0], args[1])
	if err != nil {
		return nil, err
	}
	return c.Final(column), e.whole(c)
}

func readReach(e *Evaluation, args []any) (any, error) {
	c, column, err := e.reading(args[0], args[1])
	if err != nil {
		return nil, err
	}
	level, err := number(args[2])
	if err != nil {
		return nil, err
	}
	passes := c.Columns[trace.Passes]
	for i, v := range c.Columns[column] {
		if v <= level {
			return passes[i], nil
		}
	}
	if c.Cut() {
		e.warn("%s: %s did not fall to %.4g within %.4g passes; it is taken to never do so", e.describe(c), column, level,
			c.Final(trace.Passes))
	}
	return math.Inf(1), e.whole(c)
}

func readCross(e *Evaluation, args []any) (any, error) {
	a, column, err := e.reading(args[0], args[2])
	if err != nil {
		return nil, err
	}
	b, _, err := e.reading(args[1], args[2])
	if err != nil {
		return nil, err
	}
	for _, c := range []*trace.Curve{a, b} {
		if err := e.whole(c); err != nil {
			return nil, err
		}
	}
	return crossing(a, b, column), nil
}

// crossing walks back from the end of the common range to the last record of a that is not below b. A curve that has
// converged holds its last value, so it ends no range.
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
			return from // a stands still, and b comes down to it later
		}
	}
	for i := len(values) - 1; i >= 0; i-- {
		if passes[i] > end || math.IsNaN(values[i]) {
			continue
		}
		other := b.At(column, passes[i])
		if math.IsNaN(other) { // before b begins
			break
		}
		if values[i] >= other {
			break
		}
		from = passes[i]
	}
	return from
}

func readWindow(e *Evaluation, args []any) (any, error) {
	c, column, err := e.reading(args[0], args[1])
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
		err = e.whole(c)
	} else {
		err = e.known(c, high)
	}
	if err != nil {
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
