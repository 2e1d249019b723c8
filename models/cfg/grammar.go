package cfg

import (
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
)

// grammar is a context-free grammar read from trees: the phrase rules X → Y₁ ... Y_m and the lexical rules tag → word
// that occur in them. Phrase rules are numbered from 0; the number is the rule's part and its weight.
//
// Rules of three and more children are binarised to the left, with one symbol for each beginning of a right-hand side,
// whatever the parent. X → A B C becomes
//
//	A·B → A B   (no score),   X → A·B C   (the score of the rule),
//
// so that the trees of both grammars correspond one to one, rules of different parents share their beginnings, and a
// rule is scored and counted once, where it is completed. A prefix symbol such as A·B continues in few ways, which
// makes the search by left child cheap.
//
// Labels come first among the symbols, and phrase labels first among the labels: 0 ≤ phrases ≤ labels ≤ symbols.
type grammar struct {
	names    []string // of the labels
	phrases  int      // labels that have phrase rules
	symbols  int      // labels and prefixes
	rules    int      // phrase rules
	roots    []int32  // labels of whole trees
	steps    int      // most unary rules in a row over one span
	cyclic   bool     // unary rules lead from some label back to itself
	rank     []int32  // of a label: the longest way down by unary rules, if not cyclic
	binary   []binaryRule
	byLeft   []int32      // symbols+1 offsets into binary
	follow   bitSet       // per symbol a set of labels: the right children it goes with
	down, up []unaryRules // per label: unary rules with it as parent, as child
	words    map[string]int32
	wordTags []int32 // words+1 offsets into tagsOf
	tagsOf   []int32 // tags of each word, as seen in training
	anyTag   []int32 // all tags: those of a word that training has not seen

	pool scratch.Pool[working]
}

// binaryRule is parent → left right. Its part is the phrase rule that it completes, or −1 if it makes a prefix.
type binaryRule struct{ left, right, parent, part int32 }

// unaryRules are parallel lists: the label at the other end, and the part.
type unaryRules struct{ label, part []int32 }

// labels returns the number of labels. setWords returns the length of a set of labels, and symbolWords that of a set of
// symbols.
func (g *grammar) labels() int      { return len(g.names) }
func (g *grammar) setWords() int    { return (len(g.names) + 63) / 64 }
func (g *grammar) symbolWords() int { return (g.symbols + 63) / 64 }

// weights returns the length of w: phrase rules, then the lexical rules word by word.
func (g *grammar) weights() int { return g.rules + len(g.tagsOf) }

// label finds a label by name, or −1.
func (g *grammar) label(name string) int32 { return int32(slices.Index(g.names, name)) }

// tags returns the tags that a word may have, and the weight of the first of its lexical rules, the others following
// it: those seen in training, or for an unknown word all tags, without weights (−1).
func (g *grammar) tags(word string) (tags []int32, weight int32) {
	v, known := g.words[word]
	if !known {
		return g.anyTag, -1
	}
	return g.tagsOf[g.wordTags[v]:g.wordTags[v+1]], int32(g.rules) + g.wordTags[v]
}

// rule finds the part of a phrase rule, or −1.
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

// find returns the first binary rule with these children for which wanted returns true, or nil.
func (g *grammar) find(left, right int32, wanted func(binaryRule) bool) *binaryRule {
	for i := g.byLeft[left]; i < g.byLeft[left+1]; i++ {
		if r := &g.binary[i]; r.right == right && wanted(*r) {
			return r
		}
	}
	return nil
}

// order computes the rank of each label, or finds that the unary rules have a cycle.
func (g *grammar) order() {
	g.rank = make([]int32, g.labels())
	for range g.labels() + 1 { // without a cycle no way down is longer than there are labels
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
