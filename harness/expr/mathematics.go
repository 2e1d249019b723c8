package expr

import (
	"fmt"
	"math"
	"slices"
)

// mathematics returns the functions that accept numbers, and also lists, on which they work element by element.
func mathematics() []function {
	elementwise := func(name, says, example string, f func(float64) float64) function {
		return function{
			FuncDoc: FuncDoc{name, name + "(x)", says + " of a number, or of each element of a list", example},
			least:   1, most: 1,
			call: func(_ *reader, args []any) (any, error) { return each(args[0], f) },
		}
	}
	extreme := func(name, which, example string, ofList func([]float64) float64,
		ofTwo func(x, y float64) float64) function {
		return function{
			FuncDoc: FuncDoc{name, fmt.Sprintf("%s(list) or %[1]s(a, b)", name),
				"the " + which + " element of a list, or the " + which + " of two numbers; for a list and a number, or for two " +
					"lists, it works element by element", example},
			least: 1, most: 2,
			call: func(_ *reader, args []any) (any, error) {
				if len(args) == 1 {
					return summary(name, args[0], ofList)
				}
				return broadcast(name, args[0], args[1], ofTwo)
			},
		}
	}
	return []function{
		elementwise("abs", "the absolute value", `max(abs([-1, 0.5])) == 1`, math.Abs),
		elementwise("ceil", "the smallest integer that is not less than the value", `ceil(1.2) == 2`, math.Ceil),
		elementwise("exp", "the exponential", `exp(0) == 1`, math.Exp),
		elementwise("log", "the natural logarithm", `log(1) == 0`, math.Log),
		elementwise("log10", "the logarithm to base 10", `log10(100) == 2`, math.Log10),
		elementwise("log2", "the logarithm to base 2", `log2(8) == 3`, math.Log2),
		extreme("max", "largest", `max([3, 1, 2]) == 3 and max(0, -1) == 0`, slices.Max, math.Max),
		extreme("min", "smallest", `min([3, 1, 2]) == 1 and min(0, -1) == -1`, slices.Min, math.Min),
		elementwise("sqrt", "the square root", `sqrt(9) == 3`, math.Sqrt),
	}
}
