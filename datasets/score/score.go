// Package score compares predictions with the truth by the usual measures of each task: accuracy, F1 of spans by type
// as in conlleval, unlabelled attachment with and without punctuation, and F1 of brackets as in EVALB.
package score

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
)

// Score accumulates measures over examples. Its memory does not grow with the number of examples.
type Score struct {
	Examples int    // number of examples
	Unit     string // name of the objects that are counted: rows, positions, tokens, heads or trees
	Labels   int    // number of labels (of such objects) whose true value is known
	Wrong    int    // number of these labels that are predicted wrongly

	target  string
	class   func(string) (int, bool) // returns the class of a true label; false if the model does not have it
	spans   spans
	unknown datasets.Unknown // counts true labels that are never predicted, since the model does not have them

	heads    heads
	brackets brackets
}

// New returns an empty Score for predictions of a target (see datasets.Form for targets).
func New(target string) *Score { return &Score{target: target, spans: newSpans()} }

// Add compares the true labels of an example with the predicted ones. If the true labels are missing, Add only counts
// the example.
func (s *Score) Add(truth, predicted datasets.Data) {
	s.Examples++
	switch p := predicted.(type) {
	case *datasets.Labelled:
		s.row(truth.(*datasets.Labelled), p)
	case *datasets.Sequences:
		s.sequence(truth.(*datasets.Sequences), p)
	case *datasets.Discrete:
		s.discrete(truth.(*datasets.Discrete), p)
	case *datasets.Sentences:
		if s.target == datasets.Heads {
			s.head(truth.(*datasets.Sentences), p)
		} else {
			s.column(truth.(*datasets.Sentences), p)
		}
	case *datasets.Treebank:
		s.tree(truth.(*datasets.Treebank).Trees[0], p.Trees[0])
	}
}

// Doubts returns warnings about true labels that the model does not have, and that therefore count as errors.
func (s *Score) Doubts() []string { return s.unknown.Doubts("", strings.TrimSuffix(s.Unit, "s")) }

// Lines returns the measures as lines of text. It returns no lines if no true labels are known.
func (s *Score) Lines() []string {
	if s.Labels == 0 {
		return nil
	}
	switch s.Unit {
	case "heads":
		return s.heads.lines()
	case "trees":
		return s.brackets.lines()
	}
	accuracy := 100 * float64(s.Labels-s.Wrong) / float64(s.Labels)
	if s.spans.marked() {
		return s.spans.lines(s.Labels, accuracy)
	}
	return []string{fmt.Sprintf("accuracy: %6.2f%%; %d of %d %s are wrong", accuracy, s.Wrong, s.Labels, s.Unit)}
}

func (s *Score) count(right bool) {
	s.Labels++
	if !right {
		s.Wrong++
	}
}

// head compares the true and the predicted heads of all tokens.
func (s *Score) head(truth, predicted *datasets.Sentences) {
	s.Unit = "heads"
	s.heads.add(truth, predicted)
	s.Labels, s.Wrong = s.heads.all, s.heads.wrong
}

// tree compares a tree with the predicted tree, which is nil if there is none. A tree without labels is a sentence
// whose true tree is not known.
func (s *Score) tree(truth, predicted *datasets.Tree) {
	s.Unit = "trees"
	if truth.Leaves(nil)[0].Label == "" {
		return
	}
	s.count(predicted != nil && same(truth, predicted))
	s.brackets.add(truth, predicted)
}

// row compares the true and the predicted classes of rows.
func (s *Score) row(truth, predicted *datasets.Labelled) {
	s.Unit = "rows"
	for i, y := range truth.Y {
		s.compare(truth.Classes[y], predicted.Classes, predicted.Y[i])
	}
}

// sequence compares the true and the predicted labels of positions.
func (s *Score) sequence(truth, predicted *datasets.Sequences) {
	s.Unit = "positions"
	for t, y := range truth.Y {
		s.compare(truth.Labels[y], predicted.Labels, predicted.Y[t])
	}
}

// discrete compares the true and the predicted value of the variable that is the class.
func (s *Score) discrete(truth, predicted *datasets.Discrete) {
	s.Unit = "rows"
	if truth.Class < 0 {
		return
	}
	is := truth.Variables[truth.Class].Values[truth.Value[truth.Class]]
	classes, guess := predicted.Variables[predicted.Class].Values, predicted.Value[predicted.Class]
	if s.count(is == classes[guess]); !slices.Contains(classes, is) {
		s.unknown.Add(is)
	}
}

// compare compares a true class with a predicted class. If all classes are numbers, labels that are equal as numbers,
// such as 1 and +1, are one class.
func (s *Score) compare(is string, classes []string, guess int) {
	if s.class == nil {
		s.class = formats.ClassFinder(classes)
	}
	c, known := s.class(is)
	if !known {
		s.unknown.Add(is)
	}
	s.count(known && c == guess)
}

// column compares the true and the predicted labels of tokens in the target column.
func (s *Score) column(truth, predicted *datasets.Sentences) {
	s.Unit = "tokens"
	t, err := truth.Column(s.target)
	p, missing := predicted.Column(s.target)
	if err != nil || missing != nil {
		return
	}
	for i, id := range t.ID {
		is, guess := t.Text[id], p.Text[p.ID[i]]
		if s.count(is == guess); is != guess && !slices.Contains(p.Text, is) {
			s.unknown.Add(is)
		}
		s.spans.add(is, guess)
	}
	s.spans.add(datasets.Outside, datasets.Outside)
}
