// Package harness runs experiments: it takes a spec, plans its runs, lets solvers yield iterates, evaluates them off
// the clock, records rows, and hands them to figures, tables, claims and the gate. It knows no algorithm: data sets,
// models and solvers come from package catalogue, and solvers from the caller as well.
//
//	exp, err := harness.Find("eg/fig06")
//	s, err := exp.At("smoke", nil)
//	res, err := harness.Run(ctx, s, harness.Options{Workers: 2, With: []solvers.Solver{mySolver}})
//	verdicts, err := res.Claims()
//	fig, err := res.Figure()           // plots.Draw(fig) draws it
//
// Load reads the weights that a run has saved, and labels texts with them.
package harness
