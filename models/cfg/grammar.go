package cfg

import (
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
)

// grammar is a context-free grammar read from trees: the phrase rules X → Y₁ ... Y_m and the lexical rules tag → word
// that occur in them. Phrase rules are numbered from 0. The number is the index of the rule's part and of its weight.
//
// Rules with three or more children are binarised to the left. Each prefix of a right-hand side becomes one symbol,
// which rules of different parents share. X → A B C becomes
//
//	A·B → A B   (no score),   X → A·B C   (the score of the rule),
//
// so that the trees of both grammars correspond one to one. A rule is scored and counted once, where it is completed.
// Few labels can follow a prefix symbol such as A·B, so the search by left child takes little time.
//
// Labels come first among the symbols, and phrase labels first among the labels: 0 ≤ phrases ≤ labels ≤ symbols.
type grammar struct {
	names    []string // names of the labels
	phrases  int      // number of labels that have phrase rules
	symbols  int      // number of labels and prefixes
	rules    int      // number of phrase rules
	roots    []int32  // root labels of the training trees
	steps    int      // largest number of unary rules in a row over one span
	cyclic   bool     // unary rules lead from some label back to itself
	rank     []int32  // for each label: the length of the longest chain of unary rules below it, if not cyclic
	binary   []binaryRule
	byLeft   []int32      // the binary rules with left child x are binary[byLeft[x]:byLeft[x+1]]
	follow   bitSet       // for each symbol as left child: the set of possible right children
	down, up []unaryRules // for each label: the unary rules whose parent (down) or child (up) is the label
	words    map[string]int32
	wordTags []int32 // the tags of word v are tagsOf[wordTags[v]:wordTags[v+1]]
	tagsOf   []int32 // tags that each word has in the training data
	anyTag   []int32 // all tags; a word that is not in the training data may have each of them

	pool scratch.Pool[working]
}

// binaryRule is the rule parent → left right. Its part is the phrase rule that it completes, or −1 if its parent is a
// prefix.
type binaryRule struct{ left, right, parent, part int32 }

// unaryRules lists the unary rules of one label in parallel slices: the label at the other end of each rule, and its
// part.
type unaryRules struct{ label, part []int32 }

// labels returns the number of labels. setWords returns the length of a set of labels, in 64-bit words. symbolWords
// returns the length of a set of symbols.
func (g *grammar) labels() int      { return len(g.names) }
func (g *grammar) setWords() int    { return (len(g.names) + 63) / 64 }
func (g *grammar) symbolWords() int { return (g.symbols + 63) / 64 }

// weights returns the length of w, which has a weight for each phrase rule, then for each lexical rule, word by word.
func (g *grammar) weights() int { return g.rules + len(g.tagsOf) }

// label returns the label with this name, or −1 if there is none.
func (g *grammar) label(name string) int32 { return int32(slices.Index(g.names, name)) }

// tags returns the tags that a word has in training, and the index of the weight of its first lexical rule. The weights
// of its other lexical rules follow. A word that is not in the training data may have any tag, and has no weights (−1).
func (g *grammar) tags(word string) (tags []int32, weight int32) {
	v, known := g.words[word]
	if !known {
		return g.anyTag, -1
	}
	return g.tagsOf[g.wordTags[v]:g.wordTags[v+1]], int32(g.rules) + g.wordTags[v]
}

// rule returns the part of a phrase rule, or −1 if the grammar does not have the rule.
func (g *grammar) rule(parent int32, children []int32) int32 {
	left, last := children[0], len(children)-1
	if last == 0 {
		d := g.down[parent]
		if i := slices.Index(d.label, left); i >= 0 {
			return d.part[i]
		}
		return -1
	}
	for _, c := range children[1:last] {
		rule := g.find(left, c, func(r binaryRule) bool { return r.part < 0 })
		if rule == nil {
			return -1
		}
		left = rule.parent
	}
	rule := g.find(left, children[last], func(r binaryRule) bool { return r.part >= 0 && r.parent == parent })
	if rule == nil {
		return -1
	}
	return rule.part
}

// find returns the first binary rule with these children for which wanted returns true, or nil if there is none.
func (g *grammar) find(left, right int32, wanted func(binaryRule) bool) *binaryRule {
	for i := g.byLeft[left]; i < g.byLeft[left+1]; i++ {
		if r := &g.binary[i]; r.right == right && wanted(*r) {
			return r
		}
	}
	return nil
}

// order computes the rank of each label, the length of the longest chain of unary rules below it. If the unary rules
// have a cycle, there are no ranks, and order sets cyclic.
func (g *grammar) order() {
	g.rank = make([]int32, g.labels())
	for range g.labels() + 1 { // without a cycle, a chain of unary rules has each label at most once
		changed := false
		for x, d := range g.down {
			for _, y := range d.label {
				if g.rank[x] <= g.rank[y] {
					g.rank[x], changed = g.rank[y]+1, true
				}
			}
		}
		if !changed {
			return
		}
	}
	g.cyclic = true
}
