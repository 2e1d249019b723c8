package solvertest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// grammarLoss is the label loss of every tree that is not the true tree.
const grammarLoss = 2

// treebank draws twelve random trees from a grammar. In this grammar, prepositional phrases attach to verbs more often
// than to nouns, and most words have two tags, one of which is more likely. So most sentences have several trees, and
// the rules contain information about the right tree.
func treebank() *datasets.Treebank {
	rng := rand.New(rand.NewPCG(8, 8))
	rules := map[string][]string{ // for each label, its right-hand sides, drawn with equal probability
		"S":  {"NP VP"},
		"NP": {"N", "N", "N", "D N", "A N", "A N", "N N", "NP PP", "NP C NP"},
		"VP": {"V", "V NP", "V NP", "V NP PP", "V NP PP", "V NP PP", "V A", "VP PP"},
		"PP": {"P NP", "P NP", "P A N"},
	}
	words := map[string][]string{
		"N": {"dog", "dog", "saw", "man", "light"}, "V": {"saw", "saw", "man", "light"},
		"A": {"light", "light", "old", "old"}, "D": {"a", "that"}, "P": {"with", "like"}, "C": {"and", "that"},
	}
	var draw func(label string) *datasets.Tree
	draw = func(label string) *datasets.Tree {
		if list := words[label]; list != nil {
			return &datasets.Tree{Label: label, Word: list[rng.IntN(len(list))]}
		}
		t := &datasets.Tree{Label: label}
		for _, child := range strings.Fields(rules[label][rng.IntN(len(rules[label]))]) {
			t.Children = append(t.Children, draw(child))
		}
		return t
	}
	bank := &datasets.Treebank{}
	for len(bank.Trees) < 12 {
		if t := draw("S"); len(t.Leaves(nil)) > 3 && len(t.Leaves(nil)) <= 7 {
			bank.Trees = append(bank.Trees, t)
		}
	}
	return bank
}

// parses returns all trees over each sentence, as labellings. It builds them by definition, without code of the model.
// The grammar has the rules that occur in the treebank. The features are the counts of rules, and of words with their
// tags.
func parses(bank *datasets.Treebank) [][]labelling {
	g := rulesOf{right: map[string][]string{}, tags: map[string][]string{}}
	for _, t := range bank.Trees {
		g.read(t)
	}
	out := make([][]labelling, len(bank.Trees))
	for i, t := range bank.Trees {
		var words []string
		for _, leaf := range t.Leaves(nil) {
			words = append(words, leaf.Word)
		}
		truth := bracketed(t)
		for _, y := range g.over(t.Label, words) { // all trees have the same label at the root
			l := labelling{features: map[string]float64{}, loss: grammarLoss}
			countRules(l.features, y)
			if bracketed(y) == truth {
				l.loss = 0
				out[i] = slices.Insert(out[i], 0, l)
				continue
			}
			out[i] = append(out[i], l)
		}
	}
	return out
}

// rulesOf contains the right-hand sides of each label, with spaces between the children, and the tags of each word.
type rulesOf struct{ right, tags map[string][]string }

// read adds the rules and tags that occur in a tree to g.
func (g rulesOf) read(t *datasets.Tree) {
	once := func(to map[string][]string, key, value string) {
		if !slices.Contains(to[key], value) {
			to[key] = append(to[key], value)
		}
	}
	if t.Children == nil {
		once(g.tags, t.Word, t.Label)
		return
	}
	once(g.right, t.Label, childLabels(t))
	for _, c := range t.Children {
		g.read(c)
	}
}

// over returns all trees over words with this label at the root. The recursion ends because no chain of rules with a
// single child leads from a label back to the same label.
func (g rulesOf) over(label string, words []string) (all []*datasets.Tree) {
	if len(words) == 1 && slices.Contains(g.tags[words[0]], label) {
		all = append(all, &datasets.Tree{Label: label, Word: words[0]})
	}
	for _, right := range g.right[label] {
		for _, children := range g.row(strings.Fields(right), words) {
			all = append(all, &datasets.Tree{Label: label, Children: children})
		}
	}
	return all
}

// row returns all lists of trees with the given labels at their roots that together cover the words.
func (g rulesOf) row(labels, words []string) (all [][]*datasets.Tree) {
	if len(labels) == 0 {
		if len(words) == 0 {
			all = [][]*datasets.Tree{nil}
		}
		return all
	}
	for n := 1; n <= len(words)-len(labels)+1; n++ {
		rest := g.row(labels[1:], words[n:])
		if rest == nil {
			continue
		}
		for _, first := range g.over(labels[0], words[:n]) {
			for _, others := range rest {
				all = append(all, append([]*datasets.Tree{first}, others...))
			}
		}
	}
	return all
}

// childLabels returns the labels of the children of t's root, separated by spaces.
func childLabels(t *datasets.Tree) string {
	var labels []string
	for _, c := range t.Children {
		labels = append(labels, c.Label)
	}
	return strings.Join(labels, " ")
}

// countRules adds the number of times that each rule occurs in a tree to the counts.
func countRules(to map[string]float64, t *datasets.Tree) {
	if t.Children == nil {
		to[t.Label+" → "+t.Word]++
		return
	}
	to[t.Label+" → "+childLabels(t)]++
	for _, c := range t.Children {
		countRules(to, c)
	}
}

// bracketed returns a tree as text with brackets.
func bracketed(t *datasets.Tree) string {
	if t.Children == nil {
		return "(" + t.Label + " " + t.Word + ")"
	}
	var b strings.Builder
	b.WriteString("(" + t.Label)
	for _, c := range t.Children {
		b.WriteString(" " + bracketed(c))
	}
	return b.String() + ")"
}
