package solvers

// Entry is one solver of the list.
type Entry struct {
	Name  string
	About string
	New   func() Solver // a pointer to its settings, defaults filled in
}

// All lists every solver, in the order in which they are shown. To add one: write its file, and its line here.
func All() []Entry {
	return []Entry{
		{"eg", "exponentiated gradient on the dual: online (random, permuted or cyclic order) or batch", newEG},
		{"sgd", "stochastic gradient descent on the primal, step eta0/(1 + k/n)", newSGD},
		{"lbfgs", "limited-memory BFGS on the primal", newLBFGS},
	}
}
