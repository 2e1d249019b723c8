// Package expr implements the language of expressions over curves that claims, figures, tables and records share. It
// builds on github.com/expr-lang/expr and adds its own functions, operators and names. It runs no solver and reads no
// file.
//
//	e := expr.NewEvaluation(expr.Evidence{Set: set})             // for a claim: Assert, Measured, Measure, Warnings
//	holds, err := e.Assert(`all(series, final(#, "gap_percent") <= 1)`)
//	curves, err := expr.Filter(`C >= 10 and as == "eg"`, set)    // which curves a panel or a table shows
//	y, err := expr.Axis("100 * validation_error", curve, set)    // a quantity over the records of a curve
//	b, err := expr.Bound("16 * radius_sq / x", x, curve, set)    // a formula in x with the curve's constants
//
// # The language
//
// series is the list of the experiment's curves, and inf is infinity. Inside all, any, none, count, filter, find and
// map, # is the element, and .name is one of its labels (.C, .as, .seed: one value) or columns (.passes, .gap_percent:
// a list). All x are effective passes.
//
//	all(series, fit(log10(.gap_percent), .passes, within(.gap_percent, 0.01, 50)).r2 >= 0.95)
//	increasing(map([1000, 100, 10], at(curve({as: "sgd", C: #}), "excess_percent", 50)))
//	let path = filter(series, .C <= 700); spearman(map(path, -.C), map(path, final(#, "stage_passes"))) >= 0.95
//
// + - * / ^ and unary minus work on numbers and, element by element, on lists. Comparisons and in work on single
// values, and a <= b <= c is allowed. The language also has let, and, or, not and c ? a : b. Reference lists the
// functions, each with an example.
//
// If an expression lacks evidence (a missing curve, a run that failed or was stopped early, an empty window), Lacks
// holds for its error, which gives the reason. A wrong name or type is an error with its position.
package expr
