package expr

import (
	"slices"
	"sync"
)

// Reference returns the documentation of all functions, by group.
func Reference() []FuncDoc {
	docs := keywords()
	for _, f := range allFunctions() {
		docs = append(docs, f.FuncDoc)
	}
	return docs
}

// keywords documents the functions that the expression library itself provides.
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

// allFunctions returns the language's own functions: on curves, then on lists and numbers.
var allFunctions = sync.OnceValue(func() []function {
	return slices.Concat(curveFunctions(), readingFunctions(), pairedFunctions(), mathematics(), listFunctions(),
		fitFunctions(), orderFunctions())
})
