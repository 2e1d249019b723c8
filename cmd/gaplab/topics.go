package main

import (
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/reference"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/nearest"
)

// topics lists the topics of gaplab help that are not commands.
func topics() []string {
	return []string{"columns", "datasets", "expressions", "features", "models", "solvers", "spec"}
}

const featureTopic = `Features of sentences, for the model chain: the setting "features" is a list of
templates, separated by spaces. A template has the form ATTRIBUTE[OFFSET]. It
reads the attribute of the token at this offset from the current token. Each
value that occurs in the training data is a feature. A template can join several
of this form by |: then each combination of their values is a feature. The
template bias has one feature, which every token has.

  dataset: {format: conll, path: train.txt, columns: word pos chunk}
  model:
    name: chain
    loss: log
    features: word[0] word[-1] word[1] word[-1]|word[0] suffix3[0] bias

Attributes:
  a column      the text in this column, such as word[0] or pos[-1]
  lower         the word in lower case
  length        the number of letters of the word
  shape         the word's kinds of characters
  prefixN       the first N letters of the word, N from 1 to 9
  suffixN       the last N letters of the word
  lexicon       the class of the word in a word list
  a pattern     yes or no: whether a regular expression matches in the word
  number:COLUMN not a value, but the number in this column

The setting "lexicon" names a file with a word on each line, and optionally its
class after a space; the class is yes if it is missing, and no for words that
are not in the list in this form or in lower case. "patterns" names regular
expressions, in the syntax of Go (RE2). A template with number:COLUMN has the
number as the value of its feature, where others have 1; it may be joined with
attributes, as in pos[0]|number:size[0]. An underscore, a token outside the
sentence and the number 0 give no feature. Divide large numbers beforehand.

  features: word[0] lexicon[0] lexicon[-1]|lexicon[0] year[0] number:size[0]
  patterns: {year: '^(19|20)[0-9]{2}$'}
  lexicon: closed-class.txt      # in the folder of the spec

Predictions use the patterns and the word list that the weights file contains.

Offsets go from -99 to 99; a token outside the sentence has a value of its own.
The column to predict is no attribute. The setting "cutoff" removes features
that occur less often in the training data. Without "features", there are 22
templates of words, or 19 of words and tags if the label is chunk and there is a
column pos.
`

// printTopic writes one of the topics. With a name, it writes only the keys or components whose names begin with it. If
// markdown is true, it writes the topic spec as the page docs/SPEC.md.
func printTopic(w io.Writer, topic, name string, markdown bool) error {
	switch topic {
	case "features":
		_, err := io.WriteString(w, featureTopic)
		return err
	case "columns":
		return reference.Columns(w, gaplab.Sources, helpWidth)
	case "expressions":
		reference.Expressions(w, helpWidth)
		return nil
	}
	text, err := lang.Schema(harness.Catalogue())
	if err != nil {
		return err
	}
	r, err := reference.New(text)
	if err != nil {
		return err
	}
	var names []string
	switch {
	case markdown:
	case topic == "spec":
		r.Components = nil
		for _, k := range r.Keys {
			names = append(names, k.Path)
		}
		r.Keys = slices.DeleteFunc(r.Keys, func(k reference.Key) bool {
			return name != "" && k.Path != name && !strings.HasPrefix(k.Path, name+".") && !strings.HasPrefix(k.Path, name+"[")
		})
	default:
		r.Keys = nil
		kinds := []string{strings.TrimSuffix(topic, "s")}
		if topic == "datasets" {
			kinds = append(kinds, "format")
		}
		for _, c := range r.Components {
			if slices.Contains(kinds, c.Kind) {
				names = append(names, c.Name)
			}
		}
		r.Components = slices.DeleteFunc(r.Components, func(c reference.Component) bool {
			return !slices.Contains(kinds, c.Kind) || name != "" && c.Name != name
		})
	}
	if len(r.Keys)+len(r.Components) == 0 {
		return term.Usage("gaplab help %s has no %s%s", topic, name, nearest.DidYouMean(name, names))
	}
	examples, err := r.Examples() // of the keys and components that are left: to find those of all takes most of the time
	if err != nil {
		return err
	}
	switch {
	case markdown:
		r.Markdown(w, examples)
	case topic == "spec":
		r.Spec(w, helpWidth, examples)
	default:
		r.List(w, helpWidth, examples)
	}
	return nil
}
