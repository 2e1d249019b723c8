// Package expr implements the language of expressions over curves that claims, figures, tables and records use. It is
// based on github.com/expr-lang/expr and adds functions, operators and names. It runs no solver and reads no file.
//
//	e := expr.NewEvaluation(expr.Evidence{Set: set})             // evaluates the expressions of a claim
//	holds, err := e.Assert(`all(series, final(#, "gap_percent") <= 1)`)
//	curves, err := expr.Filter(`C >= 10 and as == "eg"`, set)    // the curves that a panel or a table shows
//	y, err := expr.Axis("100 * validation_error", curve, set)    // a quantity for each row of a curve
//	b, err := expr.Bound("16 * radius_sq / x", x, curve, set)    // a formula in x with constants of the curve
//
// # The language
//
// The name series is the list of the experiment's curves, and inf is infinity. In the second argument of all, any,
// none, count, filter, find and map, # is the current element of the list, and .name is short for #.name: a label of
// the element (one value, such as .C, .as or .seed) or a column (a list, such as .passes or .gap_percent). If the
// argument begins with a name and =>, this name is the element too, also in functions inside the argument, where #
// has another meaning. Names of columns are in quotes. If an argument is a curve, a text in its place means the only
// curve with this label "as". If an argument of a function is a position x on a curve, x is in passes.
//
//	all(series, fit(log10(.gap_percent), .passes, within(.gap_percent, 0.01, 50)).r2 >= 0.95)
//	increasing(map([1000, 100, 10], at(curve({as: "sgd", C: #}), "excess_percent", 50)))
//	all(series, a => all(series, b => a.C != b.C or final(a, "gap") <= 2 * final(b, "gap")))
//	reach("eg", "gap_percent", 1) < reach("sgd", "gap_percent", 1)
//	let path = filter(series, .C <= 700); spearman(map(path, -.C), map(path, final(#, "stage_passes"))) >= 0.95
//
// The operators + - * / ^ and unary minus accept numbers, and also lists, on which they work element by element.
// Comparisons and the operator in accept single values. A chain a <= b <= c is allowed. The language also has let, and,
// or, not and c ? a : b. The function Reference lists all functions, each with an example.
//
// An expression cannot be decided if a curve is missing, a run failed or was stopped early, or a window has no rows.
// Then Lacks reports true for the error, whose text is the reason. But if a budget ended a run, its times and counts
// are lower bounds (Bounded): final returns them as such, arithmetic keeps them, and a comparison that they do not
// decide leaves an assertion undecided if the assertion depends on it. A wrong name or type is an error that states its
// position.
//
// An expression has at most 20,000 characters and 10,000 nodes. Its evaluation needs at most 20 million steps and 64 MB
// of lists. An expression that needs more is refused within about a second.
package expr
