package score

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Brackets are compared by the rules of EVALB with the parameters of Collins. Punctuation is omitted from both trees:
// the words whose tag in the true tree is that of a comma, colon, quotation mark or full stop. Constituents labelled
// TOP and constituents without words are also omitted. ADVP and PRT are the same label. If the same constituent occurs
// twice over the same words, it counts twice. A sentence without a predicted tree has no predicted brackets. EVALB, in
// contrast, reports such a sentence as an error and does not count it. EVALB also does so if punctuation tags are at
// other words in the predicted tree than in the true tree.

// bracket is a constituent: a label over the words from .. to−1, where punctuation does not count as a word.
type bracket struct {
	label    string
	from, to int
}

// brackets counts the constituents and tags of trees.
type brackets struct {
	labelled, unlabelled spanCounts
	trees, complete      int // numbers of trees, and of trees whose brackets are all right
	words, tags          int // numbers of words without punctuation, and of such words whose tags are right
}

// add compares a tree with the predicted tree, which is nil if there is none.
func (b *brackets) add(truth, predicted *datasets.Tree) {
	b.trees++
	leaves := truth.Leaves(nil)
	counts := make([]bool, len(leaves))
	for i, leaf := range leaves {
		switch leaf.Label {
		case ",", ":", "``", "''", ".":
		default:
			counts[i] = true
			b.words++
		}
	}
	if predicted != nil {
		for i, leaf := range predicted.Leaves(nil) {
			if counts[i] && leaf.Label == leaves[i].Label {
				b.tags++
			}
		}
	}
	is, guess := bracketsOf(truth, counts), bracketsOf(predicted, counts)
	both := common(is, guess)
	b.labelled.add(len(is), len(guess), both)
	if both == len(is) && both == len(guess) {
		b.complete++
	}
	for _, list := range [][]bracket{is, guess} {
		for i := range list {
			list[i].label = ""
		}
	}
	b.unlabelled.add(len(is), len(guess), common(is, guess))
}

// same reports whether two trees are equal. It ignores constituents that have the same label as their only child.
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

// bracketsOf returns the constituents of a tree. Only the words i for which counts[i] is true are counted. A nil tree
// has no constituents.
func bracketsOf(t *datasets.Tree, counts []bool) (out []bracket) {
	word, at := 0, 0 // numbers of words so far, and of counted words so far
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

// common returns the number of brackets that are in both lists. A bracket that occurs m times in one list and n times
// in the other counts min(m, n) times.
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

func (b *brackets) lines() []string {
	return []string{
		"labelled brackets:   " + b.labelled.String(),
		"unlabelled brackets: " + b.unlabelled.String(),
		fmt.Sprintf("complete match: %6.2f%%; tags: %6.2f%%", percent(b.complete, b.trees), percent(b.tags, b.words)),
	}
}
