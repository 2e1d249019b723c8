// Package claims decides whether the statements of a paper hold on the curves of an experiment. A claim's assertion
// is an expression of expr-lang/expr over the curves; nothing here runs a solver or reads a file.
//
//	verdicts, err := claims.Evaluate(claims.Context{Experiment: "eg/fig06", Scale: "paper", Set: set}, spec.Claims)
//
// # The language
//
// series is the list of the experiment's curves, and inf is infinity. Inside all, any, none, count, filter, find and
// map, # is the element, and .name is a label of it (.C, .as, .seed: one value) or a column (.passes, .gap_percent:
// a list). All x are effective passes.
//
//	all(series, fit(log10(.gap_percent), .passes, within(.gap_percent, 0.01, 50)).r2 >= 0.95)
//	increasing(map([1000, 100, 10], at(curve({as: "sgd", C: #}), "excess_percent", 50)))
//	let path = filter(series, .C <= 700); spearman(map(path, -.C), map(path, final(#, "stage_passes"))) >= 0.95
//
// + - * / ^ and unary minus work on numbers and, element by element, on lists; comparisons and in work on single
// values, and a <= b <= c is allowed; let, and, or, not and c ? a : b are there. Reference lists the functions, each
// with an example.
//
// A claim that lacks evidence (no such curve, a run that failed or was stopped early, an empty window) is not
// testable, and its verdict says why. A name or type that is wrong is an error with its position.
package claims
