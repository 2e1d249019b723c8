package catalogue

import "fmt"

// Choice is what the solver auto stands for on a problem.
type Choice struct {
	Solver   string
	Settings map[string]any // that differ from the solver's defaults
	Why      string
}

// The solver that Auto is the rule of.
const (
	AutoName  = "auto"
	AutoAbout = "the solver that is best for the model and the loss, by measurement: see solvers/README.md"
)

// Auto returns the solver that auto stands for, by the names of a model and of its loss (Models). The rule is the same
// on every machine. It rests on the measurements of experiments/peers and, for structures, of egr/fastest;
// solvers/README.md shows it as a table. A model without a rule is an error.
func Auto(model, loss string) (Choice, error) {
	switch model {
	case "hmm", "bayes-net":
		return Choice{Solver: "rsd", Why: "a generative model: the method of that paper, with a certified gap"}, nil
	case "inference", "collective":
		return Choice{Solver: "bethe-damped", Why: "inference: the fewest calls of the oracle (bethe/prop4)"}, nil
	case "nonlocal":
		return Choice{Solver: "lbfgs", Why: "inference inside of the model gives gradients, and no dual"}, nil
	case "soft-constraints":
		return Choice{}, fmt.Errorf("no rule for model %s; accepted: a solver's name, such as sgd", model)
	case "binary", "multiclass", "word-classifier", "kernel", "chain", "chain-kernel", "deptree", "cfg":
	default:
		return Choice{}, fmt.Errorf("no rule for model %s; accepted: a solver's name", model)
	}
	kernel := model == "kernel" || model == "chain-kernel"
	switch {
	case loss == "slack":
		return Choice{Solver: "one-slack", Why: "slack rescaling, which cutting planes take"}, nil
	case loss == "log" && kernel:
		return Choice{Solver: "bmrm", Why: "the log loss with a kernel, which few methods take"}, nil
	case loss == "log" && model == "cfg":
		return Choice{"eg", map[string]any{"order": "permutation", "start": 10},
			"the log loss with a grammar: a visit needs no more than the chart"}, nil
	case loss == "log":
		return Choice{Solver: "sdca", Why: "the log loss: with EG the fewest passes (peers/agree), and no rate to set"}, nil
	case loss != "hinge":
		return Choice{}, fmt.Errorf("no rule for loss %q of model %s; accepted: log, hinge, slack", loss, model)
	case kernel:
		return Choice{Solver: "one-slack", Why: "the hinge with a kernel: few QPs, of few constraints"}, nil
	case model == "binary" || model == "multiclass":
		return Choice{Solver: "dcd", Why: "the hinge on classes: the fastest there (peers/two-classes, peers/classes)"}, nil
	}
	return Choice{"bcfw", map[string]any{"order": "permutation"},
		"the hinge on structures: a low objective after few passes (egr/prediction)"}, nil
}
