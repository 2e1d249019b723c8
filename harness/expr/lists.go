package expr

import (
	"errors"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/expr/internal/stats"
)

// listFunctions returns the functions that summarise lists. They skip missing elements (NaN).
func listFunctions() []function {
	statistic := func(name, says, example string, f func([]float64) float64) function {
		return function{
			FuncDoc: FuncDoc{name, name + "(list)", says + " of the list", example},
			least:   1, most: 1,
			call: func(_ *reader, args []any) (any, error) { return summary(name, args[0], f) },
		}
	}
	return []function{
		statistic("mean", "the arithmetic mean", `mean([1, 2, 6]) == 3`, stats.Mean),
		statistic("median", "the median", `median([1, 7, 2]) == 2`, stats.Median),
		statistic("sum", "the sum", `sum([1, 2, 6]) == 9`, stats.Sum),
		statistic("std", "the standard deviation (divisor n − 1; 0 for one element)", `std([1, 3]) < 1.5`, stats.Std),
		{
			FuncDoc: FuncDoc{"share", "share(list)", "the fraction of a list of truth values that is true",
				`share(map([1, 2, 3, 4], # <= 3)) == 0.75`},
			least: 1, most: 1, call: share,
		},
		{
			FuncDoc: FuncDoc{"argmin", "argmin(list, values)", "the element of the first list at the index where the second " +
				"list is smallest",
				`argmin([1000, 10, 1], [0.10, 0.07, 0.08]) == 10`},
			least: 2, most: 2, call: argmin,
		},
		{
			FuncDoc: FuncDoc{"within", "within(x, low, high)",
				"whether low <= x <= high; if x is a list, a list of truth values, which can be the mask of fit",
				`within(at(curve({C: 10}), "primal", 50), 0.27, 0.28)`},
			least: 3, most: 3, decides: true, call: within,
		},
	}
}

// share implements the function "share" of expressions.
func share(_ *reader, args []any) (any, error) {
	list, err := booleans(args[0])
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, cannot("cannot compute share of an empty list")
	}
	trues := 0
	for _, t := range list {
		if t {
			trues++
		}
	}
	return float64(trues) / float64(len(list)), nil
}

// argmin implements the function "argmin" of expressions.
func argmin(_ *reader, args []any) (any, error) {
	list, ok := elements(args[0])
	if !ok {
		return nil, fmt.Errorf("got %s; accepted: a list", typeName(args[0]))
	}
	values, err := numbers(args[1])
	if err != nil {
		return nil, err
	}
	if len(list) != len(values) {
		return nil, fmt.Errorf("the lists have %d and %d elements; accepted: equal lengths", len(list), len(values))
	}
	best := -1
	for i, v := range values {
		if !math.IsNaN(v) && (best < 0 || v < values[best]) {
			best = i
		}
	}
	if best < 0 {
		return nil, cannot("cannot compute argmin of an empty list")
	}
	return list[best], nil
}

// within implements the function "within" of expressions.
func within(_ *reader, args []any) (any, error) {
	low, errLow := number(args[1])
	high, errHigh := number(args[2])
	if err := errors.Join(errLow, errHigh); err != nil {
		return nil, err
	}
	if x, err := number(args[0]); err == nil {
		return low <= x && x <= high, nil
	}
	if x, ok := args[0].(Bounded); ok {
		if above, err := compareBounded(">=", x, low); err == nil && !above {
			return false, nil
		}
		below, err := compareBounded("<=", x, high)
		if err == nil && below {
			return compareBounded(">=", x, low)
		}
		return below, err
	}
	list, err := numbers(args[0])
	if err != nil {
		return nil, err
	}
	mask := make([]bool, len(list))
	for i, x := range list {
		mask[i] = low <= x && x <= high
	}
	return mask, nil
}

// orderFunctions returns the functions that compare numbers.
func orderFunctions() []function {
	ordering := func(name, says, example string, ok func(a, b, tol float64) bool, most int) function {
		up := name != "decreasing"
		signature := name + "(list)"
		if most == 2 {
			signature = name + "(list, tol?)"
		}
		return function{
			FuncDoc: FuncDoc{name, signature, says, example},
			least:   1, most: most, decides: true,
			call: func(_ *reader, args []any) (any, error) { return monotone(args, ok, up) },
		}
	}
	return []function{
		ordering("increasing", "whether each element is larger than the previous one", `increasing([1, 2, 3])`,
			func(a, b, _ float64) bool { return a < b }, 1),
		ordering("decreasing", "whether each element is smaller than the previous one", `decreasing([3, 2, 1])`,
			func(a, b, _ float64) bool { return a > b }, 1),
		ordering("nondecreasing", "whether no element is smaller than the previous one, with a relative tolerance of tol",
			`all(series, nondecreasing(.dual, 1e-9))`,
			func(a, b, tol float64) bool { return b >= a-tol*math.Abs(a) }, 2),
		{
			FuncDoc: FuncDoc{"close", "close(a, b, tol)", "whether two numbers differ by at most tol",
				`close(final(curve({C: 10}), "validation_error"), 0.074, 0.004)`},
			least: 3, most: 3, decides: true, call: isClose,
		},
	}
}

// monotone reports whether ok is true for each pair of neighbours in a list. args has the list and, optionally, the
// tolerance tol. up states whether the order is an increasing one.
func monotone(args []any, ok func(a, b, tol float64) bool, up bool) (any, error) {
	list, err := boundsOf(args[0])
	if err != nil {
		return nil, err
	}
	if len(list) < 2 {
		return nil, cannot("an order needs at least two elements, but the list has %d", len(list))
	}
	tol := 0.0
	if len(args) > 1 {
		if tol, err = number(args[1]); err != nil {
			return nil, err
		}
	}
	return orderedBounded(list, ok, tol, up)
}

// isClose implements the function "close" of expressions.
func isClose(_ *reader, args []any) (any, error) {
	if limited(args[0]) || limited(args[1]) {
		difference, err := combineTwo("-", args[0], args[1], func(x, y float64) float64 { return x - y })
		if err == nil {
			difference, err = eachBounded(difference, math.Abs)
		}
		if err != nil {
			return nil, err
		}
		return compareBounded("<=", difference, args[2])
	}
	var x [3]float64
	for i := range x {
		var err error
		if x[i], err = number(args[i]); err != nil {
			return nil, err
		}
		if math.IsNaN(x[i]) {
			return nil, cannot("cannot compare by the function close: a value is missing or undefined")
		}
	}
	return math.Abs(x[0]-x[1]) <= x[2], nil
}
