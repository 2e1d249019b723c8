// Package harness runs experiments. It reads a spec, plans its runs and runs the solvers. It evaluates the iterates
// that the solvers yield, while the clock is stopped, and records rows. Figures, tables, claims and the gate use these
// rows. The package implements no algorithm: data sets, models and solvers come from package catalogue, and the caller
// may add solvers.
//
//	exp, err := harness.Find("eg/fig06")
//	s, err := exp.At("smoke", nil)
//	res, err := harness.Run(ctx, s, harness.Options{Workers: 2, With: []solvers.Solver{mySolver}})
//	verdicts, err := res.Claims()
//	fig, err := res.Figure()           // plots.Draw(fig) draws it
//
// Load reads the weights that a run has saved. The Predictor that it returns labels texts with these weights.
package harness
