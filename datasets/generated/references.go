package generated

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// References generates bibliographic references in the format of UMassCitations. A reference is a list of tokens with
// the columns word and label. Labels are the fields in BIO form; punctuation between fields has the label O. At smoke
// scale these data replace the real references. They must never be presented as real references.
//
// A reference is an article, a paper in proceedings, a book, a chapter, a thesis or a report, in one of twelve citation
// styles. The data are ambiguous: titles, journals and proceedings consist of the same words, family names occur in
// titles and in names of publishers, page numbers look like years, and punctuation is sometimes missing. So a chain
// model makes errors that a constraint on the whole reference would prevent, such as two years or two titles. A
// log-linear chain trained on 250 references has a segment F1 of about 93 % if its features are words, their shapes,
// affixes and pairs of these, and 87 % with single words and shapes. The chain predicts two titles in 8 % of the
// references that have one title.
//
// The same seed gives the same references. A smaller set consists of the first examples of a larger one, and the texts
// of validation references do not depend on Train.
type References struct {
	// whole: a person is one segment, author or editor, as in umass-citations; parts: each part of a name is a segment,
	// person-first, person-middle and person-last, or editor-first ..., as in umass-nested
	Names string `yaml:"names" jsonschema:"enum=whole,enum=parts"`
	// number of training references
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation references; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	referencesVersion = "1" // must be raised when the same seed gives other references
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
			"substitute for real data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 250, Validation: 150, Tokens: 6894, ValidationTokens: 4235},
		New:       func() datasets.Loader { return &References{Names: namesWhole, Train: 250, Validation: 150, Seed: 1} },
	}
}

// Stream implements datasets.Streamer, for files with the columns word and label.
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
