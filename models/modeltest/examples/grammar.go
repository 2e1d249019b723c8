package examples

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Grammar lists every tree of a grammar for a sentence by applying the rules recursively. Its rules are the rules of a
// treebank and may have any number of children. It uses neither binarisation nor a chart.
type Grammar struct {
	Rules  map[string][][]string // the right-hand sides of each phrase label
	tags   map[string][]string   // the tags of each word
	every  []string              // all tags, which unknown words can have
	roots  []string
	unary  int // the maximal number of unary rules in a row
	budget int // how many more trees, over any span, may be listed; once it is 0, trees are left out
}

// GrammarOf returns the grammar with the rules of a treebank. The argument unary is the largest number of unary rules
// in a row that its trees may have.
func GrammarOf(bank *datasets.Treebank, unary int) *Grammar {
	g := &Grammar{Rules: map[string][][]string{}, tags: map[string][]string{}, unary: unary}
	once := func(list []string, s string) []string {
		if slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	var read func(t *datasets.Tree)
	read = func(t *datasets.Tree) {
		if t.Children == nil {
			g.tags[t.Word] = once(g.tags[t.Word], t.Label)
			g.every = once(g.every, t.Label)
			return
		}
		var right []string
		for _, c := range t.Children {
			right = append(right, c.Label)
			read(c)
		}
		if !slices.ContainsFunc(g.Rules[t.Label], func(r []string) bool { return slices.Equal(r, right) }) {
			g.Rules[t.Label] = append(g.Rules[t.Label], right)
		}
	}
	for _, t := range bank.Trees {
		t = DropRepeats(t)
		read(t)
		g.roots = once(g.roots, t.Label)
	}
	return g
}

// Parses lists the trees for a sentence. If there are more trees than the argument most, or too many trees over spans
// of the sentence, ok is false.
func (g *Grammar) Parses(words []string, most int) (all []*datasets.Tree, ok bool) {
	g.budget = most
	for _, x := range g.roots {
		all = append(all, g.over(x, words, g.unary)...)
	}
	return all, g.budget > 0 && len(all) <= most
}

// over lists the trees for words whose root has the label x. The argument unary is the largest number of unary rules in
// a row at the top.
func (g *Grammar) over(x string, words []string, unary int) (all []*datasets.Tree) {
	if g.budget <= 0 {
		return nil
	}
	if len(words) == 1 {
		tags, known := g.tags[words[0]]
		if !known {
			tags = g.every
		}
		if slices.Contains(tags, x) {
			all = append(all, &datasets.Tree{Label: x, Word: words[0]})
		}
	}
	for _, right := range g.Rules[x] {
		below := g.unary
		if len(right) == 1 {
			if below = unary - 1; below < 0 {
				continue
			}
		}
		for _, children := range g.list(right, words, below) {
			all = append(all, &datasets.Tree{Label: x, Children: children})
		}
	}
	g.budget -= len(all)
	return all
}

// list lists the sequences of trees that together cover words. The roots of the trees have the labels in the argument
// right, in this order.
func (g *Grammar) list(right, words []string, unary int) (all [][]*datasets.Tree) {
	if len(right) == 1 {
		for _, t := range g.over(right[0], words, unary) {
			all = append(all, []*datasets.Tree{t})
		}
		return all
	}
	for split := 1; split <= len(words)-len(right)+1; split++ {
		heads := g.over(right[0], words[:split], unary)
		if len(heads) == 0 {
			continue
		}
		for _, tail := range g.list(right[1:], words[split:], unary) {
			for _, head := range heads {
				all = append(all, append([]*datasets.Tree{head}, tail...))
			}
		}
	}
	return all
}

// Cyclic reports whether unary rules lead from some label back to itself.
func (g *Grammar) Cyclic() bool {
	for x := range g.Rules {
		reached := []string{x}
		for i := 0; i < len(reached); i++ {
			for _, right := range g.Rules[reached[i]] {
				switch {
				case len(right) > 1:
				case right[0] == x:
					return true
				case !slices.Contains(reached, right[0]):
					reached = append(reached, right[0])
				}
			}
		}
	}
	return false
}

// RandomTree draws a tree with the given number of words. Phrases have one to four children, and a child may have the
// label of its parent.
func RandomTree(rng *rand.Rand, words, labels, unary int) *datasets.Tree {
	pick := func(from string, n int) string { i := rng.IntN(n); return from[i : i+1] }
	if words == 1 && (unary == 0 || rng.IntN(3) > 0) {
		return &datasets.Tree{Label: pick("xyz", labels), Word: pick("abcdef", 2*labels)}
	}
	t := &datasets.Tree{Label: pick("ABC", labels)}
	if words == 1 || unary > 0 && rng.IntN(4) == 0 {
		t.Children = []*datasets.Tree{RandomTree(rng, words, labels, unary-1)}
		return t
	}
	for children := 2 + rng.IntN(min(words-1, 3)); children > 0; children-- {
		n := words
		if children > 1 {
			n = 1 + rng.IntN(words-children+1)
		}
		t.Children = append(t.Children, RandomTree(rng, n, labels, unary))
		words -= n
	}
	return t
}

// Words returns the words of a tree.
func Words(t *datasets.Tree) (words []string) {
	for _, leaf := range t.Leaves(nil) {
		words = append(words, leaf.Word)
	}
	return words
}

// Bracketed writes a tree as text, such as (S (N I) (V saw)).
func Bracketed(t *datasets.Tree) string {
	if t.Children == nil {
		return fmt.Sprintf("(%s %s)", t.Label, t.Word)
	}
	var b strings.Builder
	for _, c := range t.Children {
		b.WriteString(" " + Bracketed(c))
	}
	return fmt.Sprintf("(%s%s)", t.Label, b.String())
}

// Tree reads one tree in the format of Bracketed.
func Tree(text string) *datasets.Tree {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	var read func() *datasets.Tree
	read = func() *datasets.Tree {
		t := &datasets.Tree{Label: tokens[1]}
		for tokens = tokens[2:]; tokens[0] != ")"; {
			if tokens[0] != "(" {
				t.Word, tokens = tokens[0], tokens[1:]
				continue
			}
			t.Children = append(t.Children, read())
		}
		tokens = tokens[1:]
		return t
	}
	return read()
}

// Trees returns a treebank. Each text is a tree in the format of Bracketed.
func Trees(texts ...string) *datasets.Treebank {
	bank := &datasets.Treebank{}
	for _, text := range texts {
		bank.Trees = append(bank.Trees, Tree(text))
	}
	return bank
}

// RuleCounts returns how often a tree uses each rule. The keys are the rules as text.
func RuleCounts(t *datasets.Tree) map[string]int {
	counts := map[string]int{}
	var walk func(t *datasets.Tree)
	walk = func(t *datasets.Tree) {
		rule := t.Label + " → " + t.Word
		for _, c := range t.Children {
			rule += " (" + c.Label + ")"
			walk(c)
		}
		counts[rule]++
	}
	walk(t)
	return counts
}

// SameTree reports whether two trees are equal.
func SameTree(a, b *datasets.Tree) bool { return reflect.DeepEqual(a, b) }

// DropRepeats removes constituents that have one child with the same label.
func DropRepeats(t *datasets.Tree) *datasets.Tree {
	for len(t.Children) == 1 && t.Children[0].Label == t.Label {
		t = t.Children[0]
	}
	if t.Children == nil {
		return t
	}
	out := &datasets.Tree{Label: t.Label}
	for _, c := range t.Children {
		out.Children = append(out.Children, DropRepeats(c))
	}
	return out
}

// Ambiguous returns a treebank whose grammar is ambiguous. A phrase with "with" attaches to the verb or to the noun,
// and two such phrases attach in five ways.
func Ambiguous() *datasets.Treebank {
	return Trees(
		"(S (NP (N I)) (VP (V saw) (NP (NP (N men)) (PP (P with) (NP (N dogs))))))",
		"(S (NP (N I)) (VP (V saw) (NP (N dogs)) (PP (P with) (NP (N men)))))",
		"(S (NP (N men)) (VP (V saw)))",
		"(S (NP (N dogs)) (VP (V dogs) (NP (N I))))",
	)
}

// TreeMap has the methods of package cfg's feature maps that convert trees to labellings and back.
type TreeMap interface {
	Vertex(*datasets.Tree) models.Vertex
	Tree(models.Vertex) *datasets.Tree
}
