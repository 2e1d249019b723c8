package testbed

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// OverlappingClasses returns n noisy rows of k classes that cannot be separated without error.
func OverlappingClasses(n, dim, k int) *datasets.Labelled {
	rng := rand.New(rand.NewPCG(3, 3))
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: dim}}
	for c := range k {
		d.Classes = append(d.Classes, strconv.Itoa(c))
	}
	for i := range n {
		for j := range dim {
			x := rng.NormFloat64()
			if j == i%k {
				x += 1.5
			}
			d.X.Value = append(d.X.Value, x)
		}
		d.Y = append(d.Y, i%k)
	}
	return d
}

// ShortSequences returns sequences of the given lengths, whose rows contain a little information about the labels.
func ShortSequences(dim, k int, lengths ...int) *datasets.Sequences {
	rng := rand.New(rand.NewPCG(4, 4))
	s := &datasets.Sequences{X: datasets.Rows{Dim: dim}, Start: []int{0}}
	for y := range k {
		s.Labels = append(s.Labels, strconv.Itoa(y))
	}
	for _, l := range lengths {
		for range l {
			y := rng.IntN(k)
			for j := range dim {
				x := rng.NormFloat64()
				if j == y {
					x++
				}
				s.X.Value = append(s.X.Value, x)
			}
			s.Y = append(s.Y, y)
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s
}

// AmbiguousTrees returns parse trees of sentences in which the phrase that begins with "with" attaches to the verb or
// to the noun.
func AmbiguousTrees() *datasets.Treebank {
	bank := &datasets.Treebank{}
	for _, text := range []string{
		"(S (NP (N I)) (VP (V saw) (NP (NP (N men)) (PP (P with) (NP (N dogs))))))",
		"(S (NP (N I)) (VP (V saw) (NP (N dogs)) (PP (P with) (NP (N men)))))",
		"(S (NP (N dogs)) (VP (V saw) (NP (N I)) (PP (P with) (NP (N I)))))",
		"(S (NP (N men)) (VP (V dogs) (NP (NP (N men)) (PP (P with) (NP (N dogs)))) (PP (P with) (NP (N I)))))",
		"(S (NP (N men)) (VP (V saw)))",
		"(S (NP (NP (N I)) (PP (P with) (NP (N dogs)))) (VP (V saw) (NP (N men)) (PP (P with) (NP (N men)))))",
	} {
		tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
		bank.Trees = append(bank.Trees, TreeOf(&tokens))
	}
	return bank
}

// TreeOf parses a tree from the first tokens, and removes these tokens.
func TreeOf(tokens *[]string) *datasets.Tree {
	next := func() string {
		token := (*tokens)[0]
		*tokens = (*tokens)[1:]
		return token
	}
	next() // skip the opening bracket
	tree := &datasets.Tree{Label: next()}
	for (*tokens)[0] == "(" {
		tree.Children = append(tree.Children, TreeOf(tokens))
	}
	if tree.Children == nil {
		tree.Word = next()
	}
	next()
	return tree
}
