package generated

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// GrammarTrees generates constituency trees from the grammar sentenceRules. The trees have unary chains and nodes with
// up to six children, and many sentences have several possible trees. At smoke scale these data replace the Penn
// Treebank. They must never be presented as the Penn Treebank.
//
// GrammarSentences has the same words for the same seed and MaxWords. The same seed gives the same trees. A smaller set
// consists of the first trees of a larger one, and validation trees do not depend on Train.
type GrammarTrees struct {
	// number of training trees
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation trees; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// largest number of words in a sentence, punctuation included
	MaxWords int `yaml:"max_words" jsonschema:"minimum=6,maximum=100"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

// GrammarTreesEntry returns the catalogue entry of GrammarTrees.
func GrammarTreesEntry() datasets.Entry {
	return datasets.Entry{
		Revision:  1,
		Name:      "grammar",
		Title:     "Generated constituency trees",
		About:     "seeded generator of phrase-structure trees from a small grammar: a substitute for real data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 250, Validation: 150, Tokens: 2586, ValidationTokens: 1443},
		New:       func() datasets.Loader { return &GrammarTrees{Train: 250, Validation: 150, MaxWords: 15, Seed: 1} },
	}
}

// Validate implements Validator.
func (t GrammarTrees) Validate() error { return check.Settings(t) }

// Load implements Loader. It draws about 70,000 trees a second.
func (t GrammarTrees) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	g := generator{
		name: "grammar", version: grammarVersion,
		train: t.Train, validation: t.Validation, seed: t.Seed,
		shape: []any{t.MaxWords},
	}
	grammar := sentenceGrammar()
	return g.load(ctx, func(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
		bank := &datasets.Treebank{}
		for i := range n {
			if err := stopped(ctx, i); err != nil {
				return nil, err
			}
			bank.Trees = append(bank.Trees, grammar.sentence(rng, grammarShortest, t.MaxWords).tree())
		}
		return bank, nil
	})
}

// tree returns the constituency tree of a derivation.
func (n *node) tree() *datasets.Tree {
	t := &datasets.Tree{Label: n.label, Word: n.word}
	for _, c := range n.children {
		t.Children = append(t.Children, c.tree())
	}
	return t
}

// Stream implements datasets.Streamer, for bracketed trees and for lines of words.
func (GrammarTrees) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	return parse.NewTreeStream(path, r, parse.TreeForm{}), nil
}
