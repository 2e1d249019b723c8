// Package firstspec writes the first spec of a user who has a file and a task: it recognises the form of the file, and
// chooses a model and initial settings.
//
//	form, err := firstspec.Recognise(firstspec.Tag, lines, "")
//	set, err := form.Loader("train.txt", "").Load(ctx, source)
//	text := form.Spec("my/train", "train.txt", "", set)
package firstspec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
)

// Tasks.
const (
	Tag      = "tag"      // label each token of a sentence
	Parse    = "parse"    // find the head of each token of a sentence
	Classify = "classify" // label each row
)

// Tasks returns the names of all tasks.
func Tasks() []string { return []string{Tag, Parse, Classify} }

// Form states how a file is read, and what is predicted.
type Form struct {
	Task      string
	Format    string   // name of the format in specs
	Columns   []string // conll: names of the columns
	Label     string   // tag: the column to predict; csv: the column of the classes
	Delimiter string   // csv: name of the delimiter
	Comments  bool     // conll: lines that begin with # are comments
	ZeroBased bool     // libsvm: indices count from 0
	Spans     bool     // tag: the labels mark the beginnings and insides of spans (BIO), which F1 counts
	Numbers   []string // csv: names of columns that are numbers; the first line may then be a row
}

// Recognise finds the form of a file from its first lines. The argument label names the column to predict, as the flag
// --label does; "" is the usual column. If the task does not accept the form, the error describes the accepted forms.
func Recognise(task string, lines []string, label string) (Form, error) {
	if strings.TrimSpace(strings.Join(lines, "")) == "" {
		return Form{}, fmt.Errorf("the file has no text; %s", accepted(task))
	}
	f, err := recognise(task, lines, label)
	if unknown := (*formError)(nil); errors.As(err, &unknown) {
		for _, other := range Tasks() {
			if _, no := recognise(other, lines, ""); other != task && no == nil {
				return f, fmt.Errorf("%w; the file looks like one for --task %s", err, other)
			}
		}
	}
	return f, err
}

// recognise finds the form of a file with a text for a task.
func recognise(task string, lines []string, label string) (Form, error) {
	switch task {
	case Tag:
		return tagging(lines, label)
	case Parse:
		return parsing(lines, label)
	}
	return classifying(lines, label)
}

// formError states why the form of a file is not recognised. Another task may accept the file.
type formError struct {
	why  string // "" if there is no more to say
	task string
}

// Error implements error.
func (e *formError) Error() string {
	if e.why == "" {
		return "the form of the file is not recognised; " + accepted(e.task)
	}
	return "the form of the file is not recognised, since " + e.why + "; " + accepted(e.task)
}

// accepted returns the forms that a task accepts, for messages.
func accepted(task string) string {
	switch task {
	case Tag:
		return "--task tag accepts one token per line, with the same number of columns (two or more, separated by tabs or " +
			"spaces) in each line, the label in the last column, and a blank line after each sentence; or CoNLL-U, or " +
			"CoNLL-X"
	case Parse:
		return "--task parse accepts CoNLL-U or CoNLL-X: one token per line, ten columns separated by tabs, the number of " +
			"the token in the first column, the number of its head in the seventh, and a blank line after each sentence"
	}
	return "--task classify accepts CSV (a line with the names of the columns, then rows; fields separated by commas, " +
		"tabs or semicolons), or LIBSVM format (LABEL INDEX:VALUE ... on each line)"
}

// Loader returns a loader of the file. The argument validation is the path of the validation file; if it is "", a fifth
// of the examples is held out.
func (f Form) Loader(path, validation string) datasets.Loader {
	held := formats.Held(validation)
	if validation == "" {
		held = share
	}
	switch f.Format {
	case "conll":
		return formats.CoNLL{Path: path, Columns: strings.Join(f.Columns, " "), Comments: f.Comments,
			Projective: f.Task == Parse, Validation: held, Seed: 1}
	case "conllu":
		return formats.CoNLLU{Path: path, Projective: f.Task == Parse, Validation: held, Seed: 1}
	case "csv":
		return formats.CSV{Path: path, Label: f.Label, Delimiter: f.Delimiter, Validation: held, Seed: 1}
	}
	return formats.LIBSVM{Path: path, ZeroBased: f.ZeroBased, Validation: held, Seed: 1}
}

// share is the share of the examples that is held out if there is no validation file.
const share = "0.2"

// oneOf returns an error unless label is one of the names. The argument what introduces the names in the error.
func oneOf(label string, names []string, what string) error {
	if slices.Contains(names, label) {
		return nil
	}
	return fmt.Errorf("--label %s is not a column; %s: %s", label, what, strings.Join(names, ", "))
}
