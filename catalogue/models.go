package catalogue

import (
	"slices"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/collective"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/models/nonlocal"
)

// Models lists every model that a spec can name.
func Models() []models.Entry {
	const onTop = "it extends the model and the weights of an earlier problem, which the weights file does not contain"
	sequence := []string{"validation_error", "validation_sequence_error", "validation_f1"}
	larger := []string{"validation_f1", "validation_accuracy", "validation_accuracy_words", "validation_certified"}
	both := []string{"scores", "marginals"}
	return []models.Entry{
		{
			Name: "binary", About: "one weight vector for two classes, on sparse or dense rows",
			Losses: []string{"log", "hinge", "slack"}, Metrics: []string{"validation_error"},
			Revision: 1,
			PerLabel: both,
			Facts:    []string{"radius_sq"},
			New:      func() models.Builder { return multiclass.NewBinary() },
			Keyed:    func() models.Builder { return &multiclass.Binary{LossScale: 100} },
		},
		{
			Name: "multiclass", About: "one weight vector per class, on sparse or dense rows",
			Losses: []string{"log", "hinge", "slack"}, Metrics: []string{"validation_error"},
			Revision: 1,
			PerLabel: both,
			Facts:    []string{"radius_sq"},
			New:      func() models.Builder { return multiclass.New() },
		},
		{
			Name: "kernel", About: "classification with a kernel on the inputs, exact or on a random basis",
			Losses: []string{"log", "hinge", "slack"}, Metrics: []string{"validation_error"},
			Revision: 1,
			PerLabel: both,
			Facts:    []string{"kernel_evaluations", "radius_sq"},
			New:      func() models.Builder { return kernel.New() },
		},
		{
			Name: "chain", About: "linear chain over labelled sequences or sentences",
			Losses: []string{"log", "hinge", "slack"}, Metrics: sequence, Larger: larger[:1],
			Revision: 1,
			PerLabel: both,
			New:      func() models.Builder { return chain.New() },
		},
		{
			Name: "chain-kernel", About: "linear chain over labelled sequences with a kernel on the rows of the positions",
			Losses: []string{"log", "hinge", "slack"}, Metrics: sequence, Larger: larger[:1],
			Revision: 1,
			PerLabel: both,
			Facts:    []string{"kernel_evaluations", "positions"},
			New:      func() models.Builder { return kernel.NewChain() },
		},
		{
			Name: "same", About: "the model of an earlier problem (named by the key from) with its weights, on other data",
			Losses:      []string{"log", "hinge", "slack"},
			Revision:    1,
			NotRestored: "it uses the model of an earlier problem, whose settings the weights file does not contain",
			New:         func() models.Builder { return &models.Same{} },
		},
		{
			Name: "hmm", About: "hidden Markov model with log-probabilities as weights, on labelled sequences of symbols",
			Losses: []string{"hinge", "slack"}, Free: true,
			Metrics: []string{"validation_error", "validation_sequence_error", "validation_loss", "validation_hamming",
				"validation_ring"},
			Revision: 1,
			PerLabel: both,
			Facts:    []string{"dim", "vectors"},
			New:      func() models.Builder { return generative.NewHMM() },
		},
		{
			Name:   "bayes-net",
			About:  "Bayesian network that predicts a class, with log-probabilities as weights, on rows of discrete variables",
			Losses: []string{"hinge", "slack"}, Free: true, Metrics: []string{"validation_error"},
			Revision: 2,
			PerLabel: both,
			Facts:    []string{"dim", "variables", "vectors"},
			New:      func() models.Builder { return generative.NewBayesNet() },
		},
		{
			Name: "deptree", About: "projective dependency trees with first-order features, on sentences with heads",
			Losses:   []string{"log", "hinge", "slack"},
			Metrics:  []string{"validation_error", "validation_accuracy", "validation_accuracy_words"},
			Larger:   larger[1:3],
			Revision: 1,
			PerLabel: both[1:],
			New:      func() models.Builder { return deptree.New() },
		},
		{
			Name: "cfg", About: "weighted context-free grammar, on bracketed trees",
			Losses: []string{"log", "hinge", "slack"}, Metrics: []string{"validation_f1", "validation_error"},
			Larger:   larger[:1],
			Revision: 1,
			Facts:    []string{"lexical_rules", "rules"},
			New:      func() models.Builder { return cfg.New() },
			Keyed:    func() models.Builder { return &cfg.Model{LossScale: 100, Forests: 256} },
		},
		{
			Name:        "collective",
			About:       "collective graphical model: infers movements of a population from noisy counts; no training",
			Revision:    1,
			Facts:       []string{"cells", "population", "s"},
			NotRestored: "it infers marginals and has no weights",
			New:         func() models.Builder { return collective.New() },
		},
		{
			Name: "nonlocal", About: "an energy, which is a function of all marginals of a sequence, on top of a chain",
			Losses: []string{"log"}, Metrics: sequence, Larger: larger[:1],
			Revision:    1,
			Facts:       []string{"bandwidth", "energy_parameters", "measurements", "word_counts", "words"},
			NotRestored: onTop,
			New:         func() models.Builder { return nonlocal.New() },
		},
		{
			Name:   "soft-constraints",
			About:  "linear constraints with penalties on top of a chain, with dual decomposition",
			Losses: []string{"hinge"}, Metrics: append(slices.Clip(sequence), "validation_certified"),
			Larger:      []string{larger[0], larger[3]},
			Revision:    2,
			Facts:       []string{"constraints"},
			NotRestored: onTop,
			New:         func() models.Builder { return nonlocal.NewSoftConstraints() },
		},
		{
			Name:   "word-classifier",
			About:  "classifies whole sequences as known words, by the mean of random Fourier features",
			Losses: []string{"log", "hinge"}, Metrics: sequence[:2],
			Revision: 1,
			Facts:    []string{"bandwidth", "words"},
			New:      func() models.Builder { return nonlocal.NewWordClassifier() },
		},
		{
			Name: "inference", About: "inference alone, with the energies of a nonlocal problem",
			Metrics:     sequence,
			Larger:      larger[:1],
			Revision:    1,
			Facts:       []string{"energy_parameters", "measurements", "word_counts", "words"},
			NotRestored: "it infers marginals and has no weights",
			New:         func() models.Builder { return nonlocal.NewInference() },
		},
	}
}
