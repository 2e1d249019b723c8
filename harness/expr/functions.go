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
			"whether the test is true for every element; # is the element, and .name is its label, column or field; with " +
				"x =>, x is the element too",
			`all(series, c => final(c, "gap_percent") <= 1)`},
		{"any", "any(list, test)", "whether the test is true for some element", `any(series, .C == 1000)`},
		{"none", "none(list, test)", "whether the test is true for no element", `none(series, final(#, "primal") > 1)`},
		{"count", "count(list, test)", "the number of elements for which the test is true", `count(series, .C >= 10) == 3`},
		{"filter", "filter(list, test)", "the elements for which the test is true", `len(filter(series, .C >= 10)) == 3`},
		{"find", "find(list, test)", "the first element for which the test is true", `find([1, 2, 3], x => x > 1) == 2`},
		{"map", "map(list, value)", "the value for each element",
			`increasing(map([1000, 100, 10], final(curve({C: #}), "passes")))`},
		{"len", "len(list)", "the number of elements", `len(series) == 4`},
	}
}

// allFunctions returns the functions that this package implements: first those on curves, then those on lists and
// numbers.
var allFunctions = sync.OnceValue(func() []function {
	return slices.Concat(curveFunctions(), readingFunctions(), pairedFunctions(), mathematics(), listFunctions(),
		fitFunctions(), orderFunctions())
})
