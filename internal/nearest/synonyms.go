package nearest

// synonyms returns the words of gaplab for another word of machine learning, which must be in the form of plain.
// DidYouMean suggests the first of them that is accepted.
func synonyms(word string) []string {
	if l, ok := learner(word); ok {
		return append([]string{l.model, l.loss}, l.solvers...)
	}
	switch word {
	// words for losses
	case "max-margin", "margin", "hinge-loss":
		return []string{"hinge"}
	case "cross-entropy", "crossentropy", "nll", "log-loss", "logloss", "ce", "bce", "negative-log-likelihood":
		return []string{"log"}
	case "likelihood":
		return []string{"log", "ml"}
	// words for models
	case "rbf":
		return []string{"kernel"}
	// words for solvers
	case "coordinate-descent":
		return []string{"dcd"}
	case "perceptron", "adam", "asgd", "momentum":
		return []string{"sgd"}
	case "liblinear", "libsvm":
		return []string{"dcd", "external"}
	case "frank-wolfe", "fw":
		return []string{"bcfw"}
	case "pegasos", "adagrad":
		return []string{"sgd"}
	case "sag":
		return []string{"saga"}
	case "bfgs":
		return []string{"lbfgs"}
	case "cutting-plane", "svm-struct", "1-slack":
		return []string{"one-slack"}
	case "exponentiated":
		return []string{"eg"}
	case "gd":
		return []string{"gradient"}
	// words for columns and metrics
	case "time":
		return []string{"cpu_seconds", "seconds"}
	case "wall":
		return []string{"seconds"}
	case "cpu":
		return []string{"cpu_seconds"}
	case "iteration", "iterations", "iter", "iters", "step", "steps":
		return []string{"epoch", "epochs", "passes"}
	case "objective", "loss":
		return []string{"primal"}
	case "memory":
		return []string{"peak_bytes"}
	case "oracles":
		return []string{"max_calls"}
	case "error", "test-error", "dev-error", "val-error", "valid-error":
		return []string{"validation_error"}
	case "accuracy", "acc", "uas", "las", "test-accuracy", "dev-accuracy":
		return []string{"validation_accuracy", "validation_error"}
	case "f1", "f-1", "f1-score", "fscore", "f-score", "f-measure", "fmeasure", "micro-f1", "macro-f1", "test-f1",
		"dev-f1",
		"val-f1", "span-f1", "chunk-f1":
		return []string{"validation_f1", "validation_error"}
	case "duality-gap", "primal-dual-gap":
		return []string{"gap"}
	// words for formats
	case "svmlight", "svm-light", "sparse":
		return []string{"libsvm"}
	case "conll2000", "conll2002", "conll2003", "conll-2003", "bio", "iob", "iob2", "columns", "crfsuite", "crfpp":
		return []string{"conll", "external"}
	case "conll-x", "conllx", "conll-u", "ud":
		return []string{"conllu", "conll"}
	case "penn", "mrg", "brackets", "trees":
		return []string{"ptb"}
	case "table", "spreadsheet":
		return []string{"csv"}
	// words for keys of specs
	case "data":
		return []string{"dataset"}
	case "lam", "alpha", "l2", "weight-decay":
		return []string{"lambda"}
	case "reg", "regularization":
		return []string{"regularisation"}
	case "solver", "optimizer":
		return []string{"solvers"}
	case "seed":
		return []string{"seeds"}
	case "max-iter", "max-iterations":
		return []string{"passes", "stop"}
	case "tol", "tolerance":
		return []string{"gap", "stop"}
	case "max-epochs":
		return []string{"epochs"}
	}
	return nil
}

// trained names what another word for a learner means: a model, its loss, and solvers of the same name.
type trained struct {
	model, loss string
	solvers     []string
}

// learner returns what a word for a learner means, such as crf for a chain with the log loss. The word must be in the
// form of plain.
func learner(word string) (trained, bool) {
	switch word {
	case "crf", "linear-chain", "linear-chain-crf", "memm", "tagger", "sequence", "ner":
		return trained{"chain", "log", nil}, true
	case "m3n", "hm-svm", "svm-hmm", "structured-perceptron", "structured-svm":
		return trained{"chain", "hinge", nil}, true
	case "ssvm":
		return trained{"chain", "hinge", []string{"bcfw"}}, true
	case "svm", "linear-svm", "linearsvc", "svc":
		return trained{"multiclass", "hinge", []string{"dcd"}}, true
	case "perceptron":
		return trained{"multiclass", "hinge", []string{"sgd"}}, true
	case "logistic", "logistic-regression", "logisticregression", "logreg", "lr", "softmax", "softmax-regression",
		"maxent",
		"maximum-entropy", "linear", "linear-classifier", "classifier", "glm":
		return trained{"multiclass", "log", nil}, true
	case "parser", "dependency", "dependency-parser", "mst":
		return trained{"deptree", "log", nil}, true
	case "pcfg", "grammar", "constituency", "scfg", "wcfg":
		return trained{"cfg", "log", nil}, true
	case "naive-bayes", "nb", "bn":
		return trained{"bayes-net", "hinge", nil}, true
	}
	return trained{}, false
}
