package generated

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// GrammarSentences generates sentences with tags, chunks and heads from the grammar sentenceRules. At smoke scale these
// data replace CoNLL-2000 for tagging and chunking, and a CoNLL-X treebank for dependency parsing. They must never be
// presented as one of these.
//
// The columns are word, cpos, pos and chunk. Every dependency tree is projective and has a single root, since the
// generator derives it from a constituency tree. GrammarTrees has the same constituency trees for the same seed and
// MaxWords. The grammar was chosen so that the tasks are not too easy. Averaged perceptrons trained on 250 sentences
// have errors of about 12 % for heads (with an arc-factored model; 29 % for the heads of prepositions), 5 % for tags,
// and 1.6 % for chunk labels (8 % if the tags are not features).
//
// The same seed gives the same sentences. A smaller set consists of the first examples of a larger one, and validation
// sentences do not depend on Train.
type GrammarSentences struct {
	// number of training sentences
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation sentences; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// largest number of words in a sentence, punctuation included
	MaxWords int `yaml:"max_words" jsonschema:"minimum=6,maximum=100"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	grammarShortest = 4 // smallest number of words in a sentence, punctuation included
)

// grammarVersion is raised when the same seed gives other derivations.
const grammarVersion = "1"

// GrammarSentencesEntry returns the catalogue entry of GrammarSentences.
func GrammarSentencesEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "sentences",
		Title:    "Generated sentences with tags, chunks and heads",
		About: "seeded generator of sentences from a small grammar, with columns word, cpos, pos and chunk and " +
			"projective heads: a substitute for real data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 250, Validation: 150, Tokens: 3657, ValidationTokens: 2097},
		New:       func() datasets.Loader { return &GrammarSentences{Train: 250, Validation: 150, MaxWords: 25, Seed: 1} },
	}
}

// Stream implements datasets.Streamer, for files with the columns word, cpos, pos, chunk and head.
func (GrammarSentences) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	return parse.NewSentenceStream(path, r, []string{"word", "cpos", "pos", "chunk", parse.FieldHead}, false, false,
		target)
}

// Validate implements Validator.
func (s GrammarSentences) Validate() error { return check.Settings(s) }

// Load implements Loader. It draws about 80,000 sentences a second.
func (s GrammarSentences) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	g := generator{
		name: "sentences", version: grammarVersion,
		train: s.Train, validation: s.Validation, seed: s.Seed,
		shape: []any{s.MaxWords},
	}
	grammar := sentenceGrammar()
	texts := newTokenTexts(grammar)
	return g.load(ctx, func(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
		out := newAnnotator(texts)
		for i := range n {
			if err := stopped(ctx, i); err != nil {
				return nil, err
			}
			out.add(grammar.sentence(rng, grammarShortest, s.MaxWords))
		}
		return out.to, nil
	})
}
