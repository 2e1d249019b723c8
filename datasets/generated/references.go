package generated

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// References is a generator of bibliographic references in the shape of UMassCitations: tokens with columns word and
// label, the fields in BIO form, punctuation between fields O. It replaces the real references at the smoke scale, and
// must never be presented as these.
//
// A reference is an article, a paper in proceedings, a book, a chapter, a thesis or a report, in one of twelve citation
// styles. The data are ambiguous: titles, journals and proceedings are made of the same words, family names occur in
// titles and in names of publishers, page numbers look like years, and punctuation is sometimes missing. So a chain
// makes mistakes that a constraint on the whole reference would prevent, such as two years or two titles. Trained on
// 250 references, a log-linear chain reaches about 93 % F1 of the segments with words, their shapes, affixes and pairs
// of these as features (87 % with single words and shapes), and finds two titles in 8 % of the references that have
// one.
//
// The same seed gives the same references: the first n of a longer set are the set of n, and the texts of validation
// references do not depend on Train.
type References struct {
	// whole: a person is one segment, author or editor, as in umass-citations; parts: person-first,
	// person-middle and person-last, or editor-first ..., as in umass-nested
	Names string `yaml:"names" jsonschema:"enum=whole,enum=parts"`
	// training references
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// validation references; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	referencesVersion = "1" // of the references that a seed gives
	namesWhole        = "whole"
	namesParts        = "parts"
)

// ReferencesEntry returns the catalogue entry of References.
func ReferencesEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "references",
		Title:    "Generated bibliographic references",
		About: "seeded generator of references in twelve styles, with columns word and label (fields in BIO form): a " +
			"stand-in for runs without data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 250, Validation: 150, Tokens: 6894, ValidationTokens: 4235},
		New:       func() datasets.Loader { return &References{Names: namesWhole, Train: 250, Validation: 150, Seed: 1} },
	}
}

// Stream implements datasets.Streamer, for files like the columns: word and label.
func (References) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	return parse.NewSentenceStream(path, r, []string{"word", "label"}, false, false, target)
}

// Validate implements Validator.
func (r References) Validate() error { return check.Settings(r) }

// Load implements Loader.
func (r References) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	g := generator{
		name: "references", version: referencesVersion,
		train: r.Train, validation: r.Validation, seed: r.Seed,
		shape: []any{r.Names},
	}
	words, labels := parse.NewLabelTable(), parse.NewLabelTable()
	set, err := g.load(ctx, func(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
		out := &datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{{Name: "word"}, {Name: "label"}}}
		w := referenceWriter{rng: rng, parts: r.Names == namesParts, styles: referenceStyles(), words: words, labels: labels,
			to: out}
		for i := range n {
			if err := stopped(ctx, i); err != nil {
				return nil, err
			}
			w.reference()
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	train := set.Train.(*datasets.Sentences)
	validation, _ := set.Validation.(*datasets.Sentences)
	train.Columns[0].Text, train.Columns[1].Text = words.Tokens, labels.Tokens
	parse.NumberTexts(train, validation)
	return set, nil
}
