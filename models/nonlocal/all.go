package nonlocal

import "github.com/gaplab/gaplab/models"

// All lists the models of this package, as models.All does those that stand by themselves.
func All() []models.Entry {
	metrics := []string{"validation_error", "validation_sequence_error", "validation_f1"}
	return []models.Entry{
		{Name: "nonlocal", About: "an energy of all marginals of a sequence together, on top of a chain",
			Losses: []string{"log"}, Metrics: metrics, New: newModel},
		{Name: "soft-constraints", About: "linear constraints with penalties on top of a chain, with dual decomposition",
			Losses: []string{"hinge"}, Metrics: metrics, New: newSoftConstraints},
		{Name: "word-classifier", About: "known words as classes of whole sequences, on the mean of random Fourier features",
			Losses: []string{"log", "hinge"}, Metrics: metrics[:2], New: newWordClassifier},
		{Name: "inference", About: "the objectives of inference with the energies of a nonlocal problem", Metrics: metrics,
			New: newInference},
	}
}
