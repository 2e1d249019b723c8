package solvers

// Entry is one solver of the list.
type Entry struct {
	Name  string
	About string
	New   func() Solver // a pointer to its settings, defaults filled in
	// another program, which need not be installed, does the work: the gate does not guard its rows
	Outside bool
}

// All lists every solver, in the order in which they are shown. To add one: write its file, and its line here.
func All() []Entry {
	return []Entry{
		{Name: "eg", New: newEG,
			About: "exponentiated gradient on the dual: online (random, permuted or cyclic order) or batch"},
		{Name: "egr", About: "excessive gap reduction with relative entropy, on the hinge: O(1/k²) duality gap", New: newEGR},
		{Name: "one-slack", New: newOneSlack,
			About: "1-slack cutting planes with a constraint cache, for hinges with margin or slack rescaling"},
		{Name: "n-slack", About: "n-slack cutting planes, for hinges with margin or slack rescaling", New: newNSlack},
		{Name: "extragradient", New: newExtragradient,
			About: "dual extragradient with Bregman projections (dual extrapolation) on the hinge"},
		{Name: "bmrm", New: newBMRM,
			About: "bundle method for regularised risk minimisation, for the hinge and smooth losses"},
		{Name: "bcfw", New: newBCFW,
			About: "block-coordinate Frank-Wolfe on the dual of the hinge, one max-oracle call a visit"},
		{Name: "smo", New: newSMO,
			About: "sequential minimal optimisation of the marginals, by pairs of labellings, for hinges"},
		{Name: "sdca", About: "stochastic dual coordinate ascent, for smooth losses", New: newSDCA},
		{Name: "decomposition", New: newDecomposition,
			About: "decomposition of the dual of a binary support vector machine, by pairs of variables"},
		{Name: "external", New: newExternal, Outside: true,
			About: "a program that is installed, such as LIBLINEAR, on rows with one label each"},
		{Name: "sgd", About: "stochastic gradient descent on the primal, step eta0/(1 + k/n)", New: newSGD},
		{Name: "gradient", New: newGradient,
			About: "gradient descent on the primal, also of a surrogate: one step after a pass"},
		{Name: "ml", About: "maximum likelihood of a generative model: relative frequencies", New: newML},
		{Name: "given", About: "no search: the weights that an earlier problem (from) has found", New: newGiven},
		{Name: "lbfgs", About: "limited-memory BFGS on the primal", New: newLBFGS},
		{Name: "rsd", New: newRSD,
			About: "restricted simplicial decomposition with proximal points, for generative models with large margins"},
		{Name: "bethe-rda", About: "inference with energies by Bethe-RDA, regularised dual averaging", New: newBetheRDA},
		{Name: "bethe-accelerated", New: newBetheAccelerated,
			About: "inference with energies whose gradient is Lipschitz continuous, by accelerated dual averaging"},
		{Name: "bethe-damped", About: "inference with any energies, by damped steps with a safeguard", New: newBetheDamped},
		{Name: "interior-point", New: newInteriorPoint,
			About: "inference in collective graphical models by Newton's method, the baseline of Bethe projections"},
	}
}
