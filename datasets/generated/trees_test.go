package generated

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// TestTreesHaveTheWordsOfTheSentences checks that GrammarTrees and GrammarSentences generate the same words and tags
// for the same seed.
func TestTreesHaveTheWordsOfTheSentences(t *testing.T) {
	bank, _ := sample[*datasets.Treebank](t, GrammarTrees{Train: 300, MaxWords: 25, Seed: 4})
	s, _ := sample[*datasets.Sentences](t, GrammarSentences{Train: 300, MaxWords: 25, Seed: 4})
	words, pos := datasettest.Texts(t, s, "word"), datasettest.Texts(t, s, "pos")
	for i, tree := range bank.Trees {
		leaves := tree.Leaves(nil)
		if len(leaves) != s.Start[i+1]-s.Start[i] {
			t.Fatalf("tree %d has %d words, want %d as in the sentence", i, len(leaves), s.Start[i+1]-s.Start[i])
		}
		for k, leaf := range leaves {
			if at := s.Start[i] + k; leaf.Word != words[at] || leaf.Label != pos[at] {
				t.Fatalf("tree %d has %s/%s for word %d, want %s/%s as in the sentence", i, leaf.Word, leaf.Label, k,
					words[at], pos[at])
			}
		}
	}
}

// TestTreesHaveVariety checks that the trees are varied like those of the Penn Treebank: they have unary chains, nodes
// with three, four and more children, several symbols, and lengths up to max_words. No unary rule may have the same
// label on both sides.
func TestTreesHaveVariety(t *testing.T) {
	bank, _ := sample[*datasets.Treebank](t, GrammarTrees{Train: 1000, MaxWords: 15, Seed: 1})
	arity, labels, rules := map[int]int{}, map[string]int{}, map[string]int{}
	chains, longest := 0, 0
	var walk func(tree *datasets.Tree)
	walk = func(tree *datasets.Tree) {
		if tree.Children == nil {
			return
		}
		arity[len(tree.Children)]++
		labels[tree.Label]++
		rule := tree.Label + " →"
		for _, c := range tree.Children {
			rule += " " + c.Label
			walk(c)
		}
		rules[rule]++
		if only := tree.Children[0]; len(tree.Children) == 1 {
			if only.Label == tree.Label {
				t.Fatalf("a tree has the unary rule %s, want different labels on both sides", rule)
			}
			if only.Children != nil {
				chains++
			}
		}
	}
	for _, tree := range bank.Trees {
		if tree.Label != "S" {
			t.Fatalf("label of the root = %s, want S", tree.Label)
		}
		longest = max(longest, len(tree.Leaves(nil)))
		walk(tree)
	}
	for n := 1; n <= 5; n++ {
		if arity[n] < 100 {
			t.Errorf("nodes with %d children in 1000 trees = %d, want at least 100", n, arity[n])
		}
	}
	if chains < 60 || longest != 15 {
		t.Errorf("unary nodes above a phrase = %d, longest sentence = %d; want at least 60, and 15", chains, longest)
	}
	for _, label := range strings.Fields("S NP VP PP ADVP ADJP SBAR NX") {
		if labels[label] < 50 {
			t.Errorf("there are %d phrases with the label %s, want at least 50", labels[label], label)
		}
	}
	if len(labels) != 8 || len(rules) < 80 || len(rules) > 400 {
		t.Errorf("%d labels, %d rules; want 8, and 80 to 400", len(labels), len(rules))
	}
	t.Logf("%d rules, %d unary between phrases, children %v, phrases %v", len(rules), chains, arity, labels)
}
