package firstspec

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// Spec returns the text of a spec with comments that say what the user may change. The spec compares three values of λ
// on the validation data. The parameters path and validation are paths relative to the folder of the spec; set is the
// data set that Loader has loaded from these files.
func (f Form) Spec(id, path, validation string, set *datasets.Set) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("# A first spec for this file: gaplab train has written it. After a change, run it again with")
	say("#   gaplab run SPEC --save-weights")
	say("# Finished runs are not repeated: if you add a value of lambda, only its run is made.")
	say("apiVersion: gaplab/v1")
	say("id: %s", id)
	say("")
	say("# The data. validation: the share of the %s that is held out at random, or the path of a file.", unit(set))
	for _, line := range f.hints() {
		say("# %s", line)
	}
	say("dataset: {%s}", f.dataset(path, validation, set))
	say("")
	for _, line := range f.model(set) {
		say("%s", line)
	}
	say("")
	n := set.Train.Len()
	say("# The strength of regularisation; smaller values fit the training data more closely. With n = %d training", n)
	say("# examples, these are about %s. choose takes the value that is best on the validation data;",
		f.multiples())
	say("# if it is the first or the last one, add a value beyond it.")
	say("regularisation: {convention: lambda, lambda: [%s]}", strings.Join(f.lambdas(n), ", "))
	say("choose: {over: lambda, by: %s}", f.metric())
	say("")
	say("# auto is the solver that was best in measurements with this model and loss. `gaplab help solvers` lists all.")
	say("solvers: [{name: auto}]")
	say("# A run stops as soon as its objective is certified to be within this relative gap of the optimum, or after this")
	say("# number of passes over the data.")
	say("stop: {%s}", f.stop())
	return b.String()
}

// unit returns the name of the examples of a set.
func unit(set *datasets.Set) string {
	if _, ok := set.Train.(*datasets.Labelled); ok {
		return "rows"
	}
	return "sentences"
}

// hints returns comments about the data set.
func (f Form) hints() []string {
	switch {
	case f.Format == "csv":
		return []string{"label: the column with the classes. scale: max divides each column by its largest absolute value."}
	case f.Format == "libsvm":
		return []string{"scale: max divides each column by its largest absolute value; none keeps the values."}
	case f.Task == Parse:
		return []string{"projective: omits training sentences with crossing arcs, which the model cannot learn."}
	case f.Format == "conll":
		return []string{"columns: names for the columns of the file, from left to right; _ marks one that is not read."}
	}
	return nil
}

// dataset returns the settings of the data set.
func (f Form) dataset(path, validation string, set *datasets.Set) string {
	list := []string{"format: " + f.Format, "path: " + quoted(path)}
	add := func(needed bool, text string) {
		if needed {
			list = append(list, text)
		}
	}
	add(len(f.Columns) > 0, "columns: "+quoted(strings.Join(f.Columns, " ")))
	add(f.Comments, "comments: true")
	add(f.Format == "csv", "label: "+quoted(f.Label))
	add(f.Delimiter != "" && f.Delimiter != "comma", "delimiter: "+f.Delimiter)
	add(f.ZeroBased, "zero_based: true")
	add(f.Task == Parse, "projective: true")
	add(f.Format == "csv" || f.Task == Classify && set.ScaleAdvice() != "", "scale: max")
	if validation != "" {
		validation = quoted(validation)
	} else {
		validation = share
	}
	return strings.Join(append(list, "validation: "+validation), ", ")
}

// model returns the lines of the model, with comments.
func (f Form) model(set *datasets.Set) []string {
	loss := "# The model. loss: log gives probabilities (gaplab predict --marginals); hinge is the loss of support " +
		"vector machines."
	switch f.Task {
	case Tag:
		lines := []string{loss, "# features: templates of features of a token; `gaplab help features` explains them.",
			"model:", "  name: chain", "  loss: log", "  label: " + f.Label, "  features: >-"}
		for _, group := range f.templates() {
			lines = append(lines, "    "+group)
		}
		return lines
	case Parse:
		return []string{"# The model. loss: hinge is the loss of support vector machines; log gives probabilities, and " +
			"takes longer.",
			"# cutoff: 1 keeps the features that occur only once.", "model: {name: deptree, loss: hinge, cutoff: 2}"}
	}
	if rows, ok := set.Train.(*datasets.Labelled); ok && len(rows.Classes) == 2 {
		return []string{loss, "# bias: the value of a constant feature; 0 for none.",
			"model: {name: binary, loss: log, bias: 1}"}
	}
	return []string{loss, "# `gaplab help models kernel` describes a model with curved boundaries between the classes.",
		"model: {name: multiclass, loss: log}"}
}

// templates returns groups of feature templates: for words, for letters, for each other column, and the bias.
func (f Form) templates() []string {
	groups := []string{"word[-2] word[-1] word[0] word[1] word[2] word[-1]|word[0] word[0]|word[1]",
		"lower[0] shape[0] prefix2[0] prefix3[0] suffix1[0] suffix2[0] suffix3[0] suffix1[-1] suffix1[1]"}
	for _, c := range f.Columns {
		if c == "id" || c == "word" || c == f.Label || c == "_" || f.treebank() {
			continue
		}
		groups = append(groups, strings.ReplaceAll("c[-2] c[-1] c[0] c[1] c[2] c[-1]|c[0] c[0]|c[1] c[-1]|c[0]|c[1]", "c[",
			c+"["))
	}
	return append(groups, "bias")
}

// treebank reports whether the file is a treebank. The columns of a treebank beside the words are annotations to
// predict, as the label is, so they give no features.
func (f Form) treebank() bool {
	return f.Format == "conllu" || strings.HasPrefix(strings.Join(f.Columns, " "), "id word lemma cpos")
}

// metric returns the column by which values of λ are compared.
func (f Form) metric() string {
	switch {
	case f.Task == Parse:
		return "validation_accuracy"
	case f.Spans:
		return "validation_f1"
	}
	return "validation_error"
}

// stop returns the rule that ends the runs.
func (f Form) stop() string {
	switch f.Task {
	case Classify:
		return "gap: 1e-3, passes: 200"
	case Parse:
		return "gap: 1e-1, passes: 20"
	}
	return "gap: 1e-2, passes: 60"
}

// largest returns log10 of the largest of the three values of nλ. For a parser it is larger, since the hinge loss of a
// sentence is a sum over its words.
func (f Form) largest() int {
	if f.Task == Parse {
		return 2
	}
	return 1
}

// multiples returns a text with the three values of λ as multiples of 1/n.
func (f Form) multiples() string {
	if f.largest() == 2 {
		return "100/n, 10/n and 1/n"
	}
	return "10/n, 1/n and 0.1/n"
}

// lambdas returns the three values of λ for n examples, rounded to powers of ten.
func (f Form) lambdas(n int) []string {
	power := f.largest() - int(math.Round(math.Log10(float64(n))))
	var list []string
	for p := power; p > power-3; p-- {
		list = append(list, fmt.Sprintf("1e%d", p))
	}
	return list
}

// quoted returns a text as a value in YAML. It adds quotes if YAML could read the text as another value without them.
func quoted(text string) string {
	plain := regexp.MustCompile(`^([A-Za-z_]|\.{1,2}/)[A-Za-z0-9_./ -]*$`)
	reserved := regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$| $`)
	if _, err := strconv.ParseFloat(text, 64); err != nil && plain.MatchString(text) && !reserved.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}
