// Package claims decides whether the statements of a paper hold on the curves of an experiment. A claim's assertion
// is an expression (package expr) over the curves; nothing here runs a solver or reads a file.
//
//	verdicts, err := claims.Evaluate(claims.Context{Experiment: "eg/fig06", Scale: "paper", Evidence: e}, spec.Claims)
//
// A claim that lacks evidence (a missing curve, a run that failed or was stopped early, a scale that cannot decide it)
// is not testable, and its verdict gives the reason. The same holds for a claim about the paper's own data (data: R)
// whose assertion reads a run on generated data; the data of other problems in the experiment do not matter. A claim
// about CPU time is not measured on runs that have wall-clock time only. If rows contradict each other, no claim is
// reproduced. A wrong expression is an error with the id of the claim and the position.
package claims
