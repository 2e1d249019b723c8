package catalogue

import (
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/direct"
	"github.com/gaplab/gaplab/solvers/eg"
	"github.com/gaplab/gaplab/solvers/external"
	"github.com/gaplab/gaplab/solvers/frankwolfe"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/interior"
	"github.com/gaplab/gaplab/solvers/saddle"
	"github.com/gaplab/gaplab/solvers/simplicial"
	"github.com/gaplab/gaplab/solvers/svm"
)

// Solvers lists every solver that a spec can name, in the order in which gaplab shows them. To add a solver, write its
// file in solvers and add its entry here.
func Solvers() []solvers.Entry {
	return []solvers.Entry{
		{
			Name: "eg", Revision: 1, Saves: true, New: func() solvers.Solver { return eg.New() },
			About:   "exponentiated gradient on the dual: online (random, permuted or cyclic order) or batch",
			Columns: []string{"A", "divergence", "eta_mean", "kl", "retried", "setup_seconds"},
		},
		{
			Name: "egr", Revision: 1, Saves: true, New: func() solvers.Solver { return saddle.NewEGR() },
			About: "excessive gap reduction with relative entropy, on the hinge: O(1/k²) duality gap",
			Columns: []string{"bound", "divergence", "dual_drift", "infeasibility", "k", "lipschitz", "log_labels",
				"marginal_least", "mu", "rejected", "restarts", "setup_seconds", "smoothed", "tau"},
		},
		{
			Name: "one-slack", Revision: 1, Saves: true, New: func() solvers.Solver { return cuttingplane.NewOneSlack() },
			About: "1-slack cutting planes with a constraint cache, for hinges with margin or slack rescaling",
			Columns: []string{"added_violation", "cache_seconds", "cached_iterations", "loss_seen", "oracle_passes",
				"oracle_seconds", "qp_seconds", "qp_steps", "radius_sq_seen", "slack", "support_vectors",
				"violation", "working_set", "working_set_most"},
		},
		{
			Name: "n-slack", Revision: 1, Saves: true, New: func() solvers.Solver { return cuttingplane.NewNSlack() },
			About: "n-slack cutting planes, for hinges with margin or slack rescaling",
			Columns: []string{"constraints_added", "loss_seen", "oracle_seconds", "precision", "qp_seconds",
				"qp_steps", "qps", "radius_sq_seen", "support_vectors", "working_set", "working_set_most"},
		},
		{
			Name: "extragradient", Revision: 1, New: func() solvers.Solver { return saddle.NewExtragradient() },
			About: "dual extragradient with Bregman projections (dual extrapolation) on the hinge",
			Columns: []string{"balance", "bound", "excess", "log_labels", "mu", "radius", "rejected",
				"setup_seconds", "step", "sum_of_steps"},
		},
		{
			Name: "bmrm", Revision: 1, Saves: true, New: func() solvers.Solver { return cuttingplane.NewBMRM() },
			About: "bundle method for regularised risk minimisation, for the hinge and smooth losses",
			Columns: []string{"bmrm_gap", "model_value", "oracle_seconds", "primal_best", "qp_seconds", "qp_steps",
				"support_vectors", "violation", "working_set"},
		},
		{
			Name: "bcfw", Revision: 1, Saves: true, New: func() solvers.Solver { return frankwolfe.New() },
			About:   "block-coordinate Frank-Wolfe on the dual of the hinge, one max-oracle call per visit",
			Columns: []string{"block_gap_sum", "step_mean"},
		},
		{
			Name: "smo", Revision: 1, New: func() solvers.Solver { return coordinate.NewSMO() },
			About:   "sequential minimal optimisation of the marginals, by pairs of labellings, for hinges",
			Columns: []string{"infeasibility", "support"},
		},
		{
			Name: "sdca", Revision: 1, New: func() solvers.Solver { return coordinate.NewSDCA() },
			About:   "stochastic dual coordinate ascent, for smooth losses",
			Columns: []string{"block_gap", "setup_seconds", "step_mean"},
		},
		{
			Name: "dcd", Revision: 2, New: func() solvers.Solver { return coordinate.NewDCD() },
			About:   "dual coordinate descent with shrinking, for hinges on classes: all variables of an example at once",
			Columns: []string{"active", "violation"},
		},
		{
			Name: "svm-interior-point", Revision: 1, New: func() solvers.Solver { return interior.NewSVM() },
			About:   "primal-dual interior-point method for the hinge on classes, with few features, which need no scaling",
			Columns: []string{"complementarity"},
		},
		{
			Name: "svm", Revision: 1, New: func() solvers.Solver { return svm.New() },
			About:   "dcd, or svm-interior-point if raw features or a small λ make dcd slow and there are few weights",
			Columns: []string{"active", "complementarity", "violation"},
		},
		{
			Name: "decomposition", Revision: 2, New: func() solvers.Solver { return coordinate.NewDecomposition() },
			About:   "decomposition of the dual of a binary support vector machine, by pairs of variables",
			Columns: []string{"bounded", "kernel_columns", "steps", "support_vectors", "violation"},
		},
		{
			Name: "external", Revision: 1, Outside: true, New: func() solvers.Solver { return external.New() },
			About:   "runs an installed program, such as LIBLINEAR or LIBSVM, on labelled rows or sequences",
			Columns: []string{"files_seconds", "overhead_seconds"},
		},
		{
			Name: "sgd", Revision: 1, New: func() solvers.Solver { return gradient.NewSGD() },
			About: "stochastic gradient descent on the primal, step eta0/(1 + k/n)",
		},
		{
			Name: "saga", Revision: 1, New: func() solvers.Solver { return gradient.NewSAGA() },
			About: "SAGA, stochastic gradients with a table that reduces their variance, for smooth losses; with a dual",
		},
		{
			Name: "svrg", Revision: 1, New: func() solvers.Solver { return gradient.NewSVRG() },
			About: "SVRG, stochastic gradients corrected by those of a snapshot, for smooth losses; with a dual",
		},
		{
			Name: "gradient", Revision: 1, New: func() solvers.Solver { return gradient.NewDescent() },
			About: "gradient descent on the primal or on a surrogate, one step per pass",
		},
		{
			Name: "ml", Revision: 1, New: func() solvers.Solver { return direct.NewML() },
			About: "maximum likelihood of a generative model: relative frequencies",
		},
		{
			Name: "given", Revision: 1, New: func() solvers.Solver { return direct.NewGiven() },
			About: "no search: evaluates the weights of an earlier problem (named by the key from)",
		},
		{
			Name: "lbfgs", Revision: 2, New: func() solvers.Solver { return gradient.NewLBFGS() },
			About: "limited-memory BFGS on the primal",
		},
		{
			Name: "rsd", Revision: 2, Saves: true, New: func() solvers.Solver { return simplicial.New() },
			About: "restricted simplicial decomposition with proximal points, for generative models with large margins",
			Columns: []string{"ascent", "bound_seconds", "centre_calls", "centre_changes", "centre_changes_descent",
				"centre_changes_optimal", "centre_seconds", "direction_calls", "direction_seconds", "lower_estimate",
				"major_points", "master_seconds", "master_steps", "missing_mass", "points", "positive_points",
				"proper_share", "proximal_dual", "proximal_primal", "setup_seconds", "violated"},
		},
		{
			Name: "barrier-cuts", Revision: 1, New: func() solvers.Solver { return interior.NewBarrier() },
			About:   "cutting planes at analytic centres, for generative models with large margins: a check of the solver rsd",
			Columns: []string{"master_seconds"},
		},
		{
			Name: "bethe-rda", Revision: 2, New: func() solvers.Solver { return bethe.NewRDA() },
			About: "inference with energies by Bethe-RDA, regularised dual averaging",
			Columns: []string{"average_primal", "change", "infeasibility", "rate", "residual", "residual_share",
				"setup_seconds", "subgradient_distance", "subgradient_share"},
		},
		{
			Name: "bethe-accelerated", Revision: 2, New: func() solvers.Solver { return bethe.NewAccelerated() },
			About: "inference with energies whose gradient is Lipschitz continuous, by accelerated dual averaging",
			Columns: []string{"average_primal", "change", "infeasibility", "rate", "residual", "residual_share",
				"setup_seconds", "subgradient_distance", "subgradient_share"},
		},
		{
			Name: "bethe-damped", Revision: 2, New: func() solvers.Solver { return bethe.NewDamped() },
			About: "inference with any energies, by damped steps with a safeguard",
			Columns: []string{"change", "infeasibility", "rate", "residual", "residual_share", "setup_seconds",
				"subgradient_distance", "subgradient_share"},
		},
		{
			Name: "interior-point", Revision: 1, New: func() solvers.Solver { return bethe.NewInteriorPoint() },
			About:   "inference in collective graphical models by Newton's method, the baseline of Bethe projections",
			Columns: []string{"newton_decrement", "newton_steps", "setup_seconds", "step_size"},
		},
	}
}
