// Package claims decides whether the statements of a paper hold on the curves of an experiment. A claim's assertion
// is an expression (package expr) over the curves; nothing here runs a solver or reads a file.
//
//	verdicts, err := claims.Evaluate(claims.Context{Experiment: "eg/fig06", Scale: "paper", Set: set}, spec.Claims)
//
// A claim that lacks evidence (no such curve, a run that failed or was stopped early, a scale that cannot decide it) is
// not testable, and its verdict says why. A claim about CPU time on runs that have wall time only is not measured. So
// is a claim about the paper's own data (data: R) whose assertion reads a run on generated data; what other problems
// of the experiment are run on does not matter. Rows that contradict each other refuse every claim. An expression
// that is wrong is an error with the claim's id and the position.
package claims
