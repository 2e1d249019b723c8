package models

import "github.com/gaplab/gaplab/datasets"

// Builder is a model with its settings: it makes a task of a data set. Exported fields are its keys in a spec.
type Builder interface {
	Build(train, validation datasets.Data) (*Task, error)
}

// Entry is one model of the list.
type Entry struct {
	Name    string
	About   string
	Losses  []string       // names of LossNamed that it supports
	Free    bool           // nothing is regularised: its weights have an objective of their own
	Metrics []string       // columns that its tasks report
	New     func() Builder // a pointer to its settings, defaults filled in
}

// All lists every model. To add one: write its file, and its line here.
func All() []Entry {
	return []Entry{
		{"binary", "one weight vector for two classes, on sparse or dense rows", []string{"log", "hinge", "slack"}, false,
			[]string{"validation_error"}, func() Builder { return &Binary{LossScale: 100} }},
		{"multiclass", "one weight vector per class, on sparse or dense rows", []string{"log", "hinge", "slack"}, false,
			[]string{"validation_error"}, func() Builder { return &Multiclass{LossScale: 1} }},
		{"kernel", "classification with a kernel on the inputs, exact or on a random basis",
			[]string{"log", "hinge", "slack"}, false, []string{"validation_error"}, newKernel},
		{"chain", "linear chain over labelled sequences or sentences", []string{"log", "hinge", "slack"}, false,
			[]string{"validation_error", "validation_sequence_error", "validation_f1"}, newChain},
		{"chain-kernel", "linear chain over labelled sequences with a kernel on the rows of the positions",
			[]string{"log", "hinge", "slack"}, false, []string{"validation_error", "validation_sequence_error", "validation_f1"},
			newChainKernel},
		{"same", "the model of an earlier problem (from) with its weights, on other data", []string{"log", "hinge", "slack"},
			false, nil, func() Builder { return &Same{} }},
		{"hmm", "hidden Markov model with log-probabilities as weights, on labelled sequences of symbols",
			[]string{"hinge", "slack"}, true,
			[]string{"validation_error", "validation_sequence_error", "validation_loss", "validation_hamming",
				"validation_ring"}, newHMM},
		{"bayes-net", "Bayesian network around a class with log-probabilities as weights, on rows of discrete variables",
			[]string{"hinge", "slack"}, true, []string{"validation_error"}, newBayesNet},
		{"deptree", "projective dependency trees with first-order features, on sentences with heads",
			[]string{"log", "hinge"}, false, []string{"validation_error", "validation_accuracy", "validation_accuracy_words"},
			func() Builder { return &DepTree{Arcs: "gold", Cutoff: 1, Between: "count", Roots: "single"} }},
		{"cfg", "weighted context-free grammar, on bracketed trees", []string{"log", "hinge", "slack"}, false,
			[]string{"validation_f1", "validation_error"}, func() Builder { return &CFG{LossScale: 100, Forests: 256} }},
	}
}

// LossNamed returns the loss that a spec names.
func LossNamed(name string) (Loss, bool) {
	switch name {
	case "log":
		return LogLoss(), true
	case "hinge":
		return Hinge(), true
	case "slack":
		return Slack(), true
	}
	return Loss{}, false
}
