package generated

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func drawnTrees(t testing.TB, g GrammarTrees) (train, validation *datasets.Treebank, set *datasets.Set) {
	t.Helper()
	set, err := g.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	validation, _ = set.Validation.(*datasets.Treebank)
	return set.Train.(*datasets.Treebank), validation, set
}

func treesPrint(bank *datasets.Treebank, n int) string {
	var b strings.Builder
	for _, tree := range bank.Trees[:n] {
		b.WriteString(datasettest.Bracketed(tree) + "\n")
	}
	return b.String()
}

// TestTreesBits checks the bits of some trees, which are part of the gate's reference curves. A change of these bits
// needs a new grammarVersion.
func TestTreesBits(t *testing.T) {
	train, validation, _ := drawnTrees(t, GrammarTrees{Train: 100, Validation: 50, MaxWords: 15, Seed: 1})
	h := fnv.New64a()
	h.Write([]byte(treesPrint(train, 100) + treesPrint(validation, 50)))
	if got, want := fmt.Sprintf("%016x", h.Sum64()), "9eb17a3a2432be9e"; got != want {
		t.Errorf("the trees of seed 1 have the fingerprint %s: want %s", got, want)
	}
}

func TestTreesDependOnTheirSeedOnly(t *testing.T) {
	train, validation, set := drawnTrees(t, GrammarTrees{Train: 60, Validation: 20, MaxWords: 15, Seed: 7})
	longer, same, other := drawnTrees(t, GrammarTrees{Train: 90, Validation: 20, MaxWords: 15, Seed: 7})
	if treesPrint(validation, 20) != treesPrint(same, 20) {
		t.Error("validation trees change with the number of training trees")
	}
	if treesPrint(longer, 60) != treesPrint(train, 60) {
		t.Error("the first 60 of 90 trees are not the 60 trees")
	}
	if treesPrint(train, 20) == treesPrint(validation, 20) {
		t.Error("training and validation trees are the same")
	}
	reseeded, none, _ := drawnTrees(t, GrammarTrees{Train: 60, MaxWords: 15, Seed: 8})
	if treesPrint(reseeded, 20) == treesPrint(train, 20) || none != nil {
		t.Error("seeds 7 and 8 give the same trees, or validation: 0 gives some")
	}
	if !set.Synthetic || set.Checksum == other.Checksum {
		t.Error("not synthetic, or the checksum does not tell 60 from 90 trees")
	}
}

// TestTreesHaveTheWordsOfTheSentences checks that trees and sentences of one seed are views of the same derivations.
func TestTreesHaveTheWordsOfTheSentences(t *testing.T) {
	bank, _, _ := drawnTrees(t, GrammarTrees{Train: 300, MaxWords: 25, Seed: 4})
	s, _, _ := drawnSentences(t, GrammarSentences{Train: 300, MaxWords: 25, Seed: 4})
	words, pos := datasettest.Texts(t, s, "word"), datasettest.Texts(t, s, "pos")
	for i, tree := range bank.Trees {
		leaves := tree.Leaves(nil)
		if len(leaves) != s.Start[i+1]-s.Start[i] {
			t.Fatalf("tree %d has %d words, the sentence %d", i, len(leaves), s.Start[i+1]-s.Start[i])
		}
		for k, leaf := range leaves {
			if at := s.Start[i] + k; leaf.Word != words[at] || leaf.Label != pos[at] {
				t.Fatalf("tree %d has %s/%s for word %d, the sentence %s/%s", i, leaf.Word, leaf.Label, k, words[at], pos[at])
			}
		}
	}
}

// TestTreesHaveVariety checks that the difficulties of the Penn Treebank occur: unary chains, rules of three and four
// children and more, several symbols, lengths up to max_words; and no unary rule from a label to itself.
func TestTreesHaveVariety(t *testing.T) {
	bank, _, _ := drawnTrees(t, GrammarTrees{Train: 1000, MaxWords: 15, Seed: 1})
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
				t.Fatalf("unary rule %s", rule)
			}
			if only.Children != nil {
				chains++
			}
		}
	}
	for _, tree := range bank.Trees {
		if tree.Label != "S" {
			t.Fatalf("a tree has the root %s", tree.Label)
		}
		longest = max(longest, len(tree.Leaves(nil)))
		walk(tree)
	}
	for n := 1; n <= 5; n++ {
		if arity[n] < 100 {
			t.Errorf("%d rules of %d children in 1000 trees: want at least 100", arity[n], n)
		}
	}
	if chains < 60 || longest != 15 {
		t.Errorf("%d unary rules between phrases, longest sentence %d: want at least 60, and 15", chains, longest)
	}
	for _, label := range strings.Fields("S NP VP PP ADVP ADJP SBAR NX") {
		if labels[label] < 50 {
			t.Errorf("%d phrases %s: want at least 50", labels[label], label)
		}
	}
	if len(labels) != 8 || len(rules) < 80 || len(rules) > 400 {
		t.Errorf("%d labels, %d rules: want 8, and 80 to 400", len(labels), len(rules))
	}
	t.Logf("%d rules, %d unary between phrases, children %v, phrases %v", len(rules), chains, arity, labels)
}

func BenchmarkGrammarTrees(b *testing.B) {
	for b.Loop() {
		if _, err := (GrammarTrees{Train: 1000, MaxWords: 15, Seed: 1}).Load(context.Background(),
			datasets.Source{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "trees/s")
}
