package score

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Brackets are compared by the rules of EVALB with the parameters of Collins: words that the true tree tags as one of
// , : `` ” . are left out of both trees, and so are constituents labelled TOP and those without words; ADVP and PRT are
// the same; what stands twice over a span counts twice. A sentence for which there is no tree has nothing predicted.
// EVALB leaves such sentences out, and those where the predicted tree tags other words as punctuation, as errors.

// bracket is a constituent: a label over the words from .. to−1 that count.
type bracket struct {
	label    string
	from, to int
}

// tree compares a tree with a predicted one, nil if there is none. A tree without labels is a sentence only.
func (s *Score) tree(truth, predicted *datasets.Tree) {
	s.Unit = "trees"
	leaves := truth.Leaves(nil)
	if leaves[0].Label == "" {
		return
	}
	s.count(predicted != nil && same(truth, predicted))
	counts := make([]bool, len(leaves))
	for i, leaf := range leaves {
		switch leaf.Label {
		case ",", ":", "``", "''", ".":
		default:
			counts[i] = true
			s.tagged++
		}
	}
	if predicted != nil {
		for i, leaf := range predicted.Leaves(nil) {
			if counts[i] && leaf.Label == leaves[i].Label {
				s.tags++
			}
		}
	}
	is, guess := brackets(truth, counts), brackets(predicted, counts)
	both := common(is, guess)
	s.labelled.add(len(is), len(guess), both)
	if both == len(is) && both == len(guess) {
		s.complete++
	}
	for _, list := range [][]bracket{is, guess} {
		for i := range list {
			list[i].label = ""
		}
	}
	s.unlabelled.add(len(is), len(guess), common(is, guess))
}

func (c *spanCounts) add(is, guess, both int) {
	c.is, c.guess, c.both = c.is+is, c.guess+guess, c.both+both
}

// same compares trees without the constituents that repeat the label of their only child.
func same(a, b *datasets.Tree) bool {
	for _, t := range []**datasets.Tree{&a, &b} {
		for len((*t).Children) == 1 && (*t).Children[0].Label == (*t).Label {
			*t = (*t).Children[0]
		}
	}
	if a.Label != b.Label || a.Word != b.Word || len(a.Children) != len(b.Children) {
		return false
	}
	for i := range a.Children {
		if !same(a.Children[i], b.Children[i]) {
			return false
		}
	}
	return true
}

// brackets are the constituents of a tree over the words that count; none of nil.
func brackets(t *datasets.Tree, counts []bool) (out []bracket) {
	word, at := 0, 0 // words so far, and those that count
	var walk func(t *datasets.Tree)
	walk = func(t *datasets.Tree) {
		if t.Children == nil {
			if counts[word] {
				at++
			}
			word++
			return
		}
		from := at
		for _, c := range t.Children {
			walk(c)
		}
		label := t.Label
		if label == "PRT" {
			label = "ADVP"
		}
		if label != "TOP" && at > from {
			out = append(out, bracket{label, from, at})
		}
	}
	if t != nil {
		walk(t)
	}
	return out
}

// common is the number of brackets in both lists.
func common(a, b []bracket) (n int) {
	left := map[bracket]int{}
	for _, x := range a {
		left[x]++
	}
	for _, x := range b {
		if left[x] > 0 {
			left[x]--
			n++
		}
	}
	return n
}

func (s *Score) treeLines() []string {
	return []string{
		"labelled brackets:   " + s.labelled.String(),
		"unlabelled brackets: " + s.unlabelled.String(),
		fmt.Sprintf("complete match: %6.2f%%; tags: %6.2f%%", percent(s.complete, s.Labels), percent(s.tags, s.tagged)),
	}
}
