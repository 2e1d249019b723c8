package catalogue

import "fmt"

// Choice is the solver that auto selects for a problem.
type Choice struct {
	Solver   string
	Settings map[string]any // settings that differ from the solver's defaults
	Why      string         // the reason for this solver, shown in reports
}

// AutoName is the name that a spec can give instead of a solver's name. The function Auto then selects the solver.
// AutoAbout is the description of this name in listings.
const (
	AutoName  = "auto"
	AutoAbout = "selects the best measured solver for the model and the loss: see solvers/README.md"
)

// Auto selects the solver for a model and a loss, which are given by their names (see Models). The rule is the same on
// every machine. The rule is based on the measurements in experiments/peers and, for structured models, in the
// experiment egr/fastest. solvers/README.md shows the rule as a table. Auto returns an error for a model without a
// rule.
func Auto(model, loss string) (Choice, error) {
	switch model {
	case "hmm", "bayes-net":
		return Choice{Solver: "rsd", Why: "a generative model: the method of its paper, with a certified gap"}, nil
	case "inference", "collective":
		return Choice{Solver: "bethe-damped", Why: "inference: the fewest oracle calls (bethe/prop4)"}, nil
	case "nonlocal":
		return Choice{Solver: "lbfgs", Why: "inference inside the model gives gradients, but no dual"}, nil
	case "soft-constraints":
		return Choice{}, fmt.Errorf("cannot choose a solver for model %s: name one, such as sgd", model)
	case "binary", "multiclass", "word-classifier", "kernel", "chain", "chain-kernel", "deptree", "cfg":
	default:
		return Choice{}, fmt.Errorf("cannot choose a solver for model %s: name one", model)
	}
	kernel := model == "kernel" || model == "chain-kernel"
	switch {
	case loss == "slack":
		return Choice{Solver: "one-slack", Why: "slack rescaling, which cutting planes support"}, nil
	case loss == "log" && kernel:
		return Choice{Solver: "bmrm", Why: "the log loss with a kernel, which few methods support"}, nil
	case loss == "log" && model == "cfg":
		return Choice{Solver: "eg", Settings: map[string]any{"order": "permutation", "start": 10},
			Why: "the log loss with a grammar: a visit needs only the chart"}, nil
	case loss == "log":
		return Choice{Solver: "sdca", Why: "the log loss: as few passes as EG (peers/agree), and no step size to set"}, nil
	case loss != "hinge":
		return Choice{}, fmt.Errorf("cannot choose a solver for loss %q of model %s; accepted losses: log, hinge, slack",
			loss, model)
	case kernel:
		return Choice{Solver: "one-slack", Why: "the hinge with a kernel: few QPs with few constraints"}, nil
	case model == "binary" || model == "multiclass":
		return Choice{Solver: "svm", Why: "the hinge on classes: dcd, the fastest solver (peers/two-classes, " +
			"peers/classes), or the interior-point method if raw features or a small λ make dcd slow"}, nil
	}
	return Choice{Solver: "bcfw", Settings: map[string]any{"order": "permutation"},
		Why: "the hinge on structures: a low objective after few passes (egr/prediction)"}, nil
}
