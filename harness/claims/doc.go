// Package claims decides whether the statements of a paper hold on the curves of an experiment. A claim's assertion
// is an expression (package expr) over the curves; nothing here runs a solver or reads a file.
//
//	verdicts, err := claims.Evaluate(claims.Context{Experiment: "eg/fig06", Scale: "paper", Evidence: e}, spec.Claims)
//
// A claim is not testable if something that its assertion reads does not exist: no run has the labels of a curve, a run
// was stopped early, or the scale cannot decide the claim. The verdict gives the reason. A claim about the paper's own
// data (data: R) is also not testable if its assertion reads a run on generated data; the data of other runs do not
// matter. A claim is not measured if new runs could decide it. This is so if it is about CPU time and the runs have
// only wall-clock time, or if it reads a planned run without a result: the trace is missing or damaged, or the run
// failed or was interrupted. If rows contradict each other (a primal below a dual), no claim is reproduced. A wrong
// expression is an error with the id of the claim and the position.
//
// A claim about times is judged in each repetition of its runs; if these do not agree, it is a tie. It is not testable
// if the times were measured on different machines or in different sittings.
package claims
