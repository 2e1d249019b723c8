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
		{"egr", "excessive gap reduction with relative entropy, on the hinge: O(1/k²) duality gap", newEGR},
		{"one-slack", "1-slack cutting planes with a constraint cache, for hinges with margin or slack rescaling",
			newOneSlack},
		{"n-slack", "n-slack cutting planes, for hinges with margin or slack rescaling", newNSlack},
		{"extragradient", "dual extragradient with Bregman projections (dual extrapolation) on the hinge", newExtragradient},
		{"bmrm", "bundle method for regularised risk minimisation, for the hinge and smooth losses", newBMRM},
		{"bcfw", "block-coordinate Frank-Wolfe on the dual of the hinge, one max-oracle call a visit", newBCFW},
		{"smo", "sequential minimal optimisation of the marginals, by pairs of labellings, for hinges", newSMO},
		{"sdca", "stochastic dual coordinate ascent, for smooth losses", newSDCA},
		{"decomposition", "decomposition of the dual of a binary support vector machine, by pairs of variables",
			newDecomposition},
		{"external", "a program that is installed, such as LIBLINEAR, on rows with one label each", newExternal},
		{"sgd", "stochastic gradient descent on the primal, step eta0/(1 + k/n)", newSGD},
		{"gradient", "gradient descent on the primal, also of a surrogate: one step after a pass", newGradient},
		{"ml", "maximum likelihood of a generative model: relative frequencies", newML},
		{"given", "no search: the weights that an earlier problem (from) has found", newGiven},
		{"lbfgs", "limited-memory BFGS on the primal", newLBFGS},
		{"rsd", "restricted simplicial decomposition with proximal points, for generative models with large margins", newRSD},
		{"bethe-rda", "inference with energies by Bethe-RDA, regularised dual averaging", newBetheRDA},
		{"bethe-accelerated", "inference with energies whose gradient is Lipschitz continuous, by accelerated dual averaging",
			newBetheAccelerated},
		{"bethe-damped", "inference with any energies, by damped steps with a safeguard", newBetheDamped},
		{"interior-point", "inference in collective graphical models by Newton's method, the baseline of Bethe projections",
			newInteriorPoint},
	}
}
