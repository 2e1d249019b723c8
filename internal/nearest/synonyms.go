package nearest

// synonyms returns the words of gaplab for another word of machine learning, which must be in lower case. DidYouMean
// suggests the first of them that is accepted.
func synonyms(word string) []string {
	switch word {
	// words for models and losses
	case "crf":
		return []string{"chain", "log"}
	case "memm", "tagger":
		return []string{"chain"}
	case "m3n", "hm-svm":
		return []string{"chain", "hinge"}
	case "parser", "dependency":
		return []string{"deptree"}
	case "pcfg", "grammar":
		return []string{"cfg"}
	case "linear", "classifier":
		return []string{"multiclass"}
	case "svm":
		return []string{"multiclass", "hinge", "dcd"}
	case "ssvm":
		return []string{"hinge", "bcfw"}
	case "max-margin":
		return []string{"hinge"}
	case "logistic", "logreg", "softmax", "maxent":
		return []string{"log", "multiclass"}
	case "cross-entropy", "crossentropy", "nll":
		return []string{"log"}
	case "likelihood":
		return []string{"log", "ml"}
	case "rbf":
		return []string{"kernel"}
	// words for solvers
	case "coordinate-descent":
		return []string{"dcd"}
	case "liblinear":
		return []string{"dcd", "external"}
	case "crfsuite":
		return []string{"external"}
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
	case "iteration", "iterations":
		return []string{"epoch", "epochs", "passes"}
	case "objective", "loss":
		return []string{"primal"}
	case "memory":
		return []string{"peak_bytes"}
	case "oracles":
		return []string{"max_calls"}
	case "accuracy", "error":
		return []string{"validation_error"}
	case "f1":
		return []string{"validation_f1"}
	// words for keys of specs
	case "data":
		return []string{"dataset"}
	case "lam":
		return []string{"lambda"}
	case "reg", "regularization":
		return []string{"regularisation"}
	case "solver", "optimizer":
		return []string{"solvers"}
	case "seed":
		return []string{"seeds"}
	case "max_iter":
		return []string{"passes", "stop"}
	case "tol", "tolerance":
		return []string{"gap", "stop"}
	case "max_epochs":
		return []string{"epochs"}
	}
	return nil
}
