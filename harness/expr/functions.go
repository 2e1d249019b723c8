package expr

import (
	"fmt"
	"math"
	"slices"
)

// FuncDoc documents one function of the language.
type FuncDoc struct {
	Name      string
	Signature string
	Says      string
	Example   string // an assertion that compiles
}

// function is a FuncDoc with its implementation.
type function struct {
	FuncDoc
	least, most int  // number of arguments
	column      int  // which argument names a column, from 1; 0: none
	labels      bool // the first argument is a map of labels
	other       bool // it reads other experiments
	truth       bool // its value is a truth value that an assertion may rest on
	call        func(e *Evaluation, args []any) (any, error)
}

// Reference lists the functions of the language, by group.
func Reference() []FuncDoc {
	docs := keywords()
	for _, f := range functions() {
		docs = append(docs, f.FuncDoc)
	}
	return docs
}

// keywords documents what the expression library itself provides.
func keywords() []FuncDoc {
	return []FuncDoc{
		{"all", "all(list, test)",
			"whether the test is true of every element; # is the element, .name its label, column or field",
			`all(series, final(#, "gap_percent") <= 1)`},
		{"any", "any(list, test)", "whether the test is true of some element", `any(series, .C == 1000)`},
		{"none", "none(list, test)", "whether the test is true of no element", `none(series, final(#, "primal") > 1)`},
		{"count", "count(list, test)", "how many elements the test is true of", `count(series, .C >= 10) == 3`},
		{"filter", "filter(list, test)", "the elements that the test is true of", `len(filter(series, .C >= 10)) == 3`},
		{"find", "find(list, test)", "the first element that the test is true of", `find([1, 2, 3], # > 1) == 2`},
		{"map", "map(list, value)", "the value for each element",
			`increasing(map([1000, 100, 10], final(curve({C: #}), "passes")))`},
		{"len", "len(list)", "the number of elements", `len(series) == 4`},
	}
}

// functions are the language's own: those on curves, then those on lists and numbers.
func functions() []function {
	return slices.Concat(curveFunctions(), readingFunctions(), pairedFunctions(), mathematics(), listFunctions(),
		fitFunctions(), orderFunctions())
}

// mathematics works on numbers and, element by element, on lists.
func mathematics() []function {
	elementwise := func(name, says, example string, f func(float64) float64) function {
		return function{
			FuncDoc: FuncDoc{name, name + "(x)", says + " of a number, or of each element of a list", example},
			least:   1, most: 1,
			call: func(_ *Evaluation, args []any) (any, error) { return each(args[0], f) },
		}
	}
	extreme := func(name, which, example string, ofList func([]float64) float64,
		ofTwo func(x, y float64) float64) function {
		return function{
			FuncDoc: FuncDoc{name, fmt.Sprintf("%s(list) or %[1]s(a, b)", name),
				"the " + which + " element of a list, or of two numbers; of a list and a number, or of two lists, element by " +
					"element", example},
			least: 1, most: 2,
			call: func(_ *Evaluation, args []any) (any, error) {
				if len(args) == 1 {
					return summary(name, args[0], ofList)
				}
				return broadcast(name, args[0], args[1], ofTwo)
			},
		}
	}
	return []function{
		elementwise("abs", "the absolute value", `max(abs([-1, 0.5])) == 1`, math.Abs),
		elementwise("ceil", "the least whole number not below the value", `ceil(1.2) == 2`, math.Ceil),
		elementwise("exp", "the exponential", `exp(0) == 1`, math.Exp),
		elementwise("log", "the natural logarithm", `log(1) == 0`, math.Log),
		elementwise("log10", "the logarithm to base 10", `log10(100) == 2`, math.Log10),
		elementwise("log2", "the logarithm to base 2", `log2(8) == 3`, math.Log2),
		extreme("max", "largest", `max([3, 1, 2]) == 3 and max(0, -1) == 0`, slices.Max, math.Max),
		extreme("min", "smallest", `min([3, 1, 2]) == 1 and min(0, -1) == -1`, slices.Min, math.Min),
		elementwise("sqrt", "the square root", `sqrt(9) == 3`, math.Sqrt),
	}
}
