package generated

import (
	"context"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// Words generates handwritten words in the format of the OCR letters. A sequence is a word. Each position is the 16x8
// black-and-white image of a letter, and its label is the letter, a to z. At smoke scale these data replace the OCR
// letters. They must never be presented as the OCR letters.
//
// A word is drawn uniformly from a list of 56 words with 3 to 14 letters. All letters of a word have the same slant,
// pen and size. Position, distortion and noise are drawn for each letter. Their standard deviations were chosen so that
// a single letter is often ambiguous and its neighbours help to recognise it. After training on 400 words, a log-linear
// classifier of single letters has a validation error of about 25 %, and a chain 14 %. After training on 200 words,
// these errors are 28 % and 20 %.
//
// The same seed gives the same words. A smaller set consists of the first examples of a larger one, and validation
// words do not depend on Train.
type Words struct {
	// number of training words
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation words; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// largest number of letters of the words that are drawn
	MaxLetters int `yaml:"max_letters" jsonschema:"minimum=3,maximum=14"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	wordsVersion = "1" // must be raised when the same seed gives other images
	wordLongest  = 14  // number of letters of the longest word in the list
)

// WordsEntry returns the catalogue entry of Words.
func WordsEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "words",
		Title:    "Generated written words in the shape of the OCR letters",
		About: "seeded generator of words of 3 to 14 letters, each letter a 16x8 black and white image with a label " +
			"from a to z: a substitute for real data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect: datasets.Counts{Train: 400, Validation: 200, Features: letterPixels, Classes: letterCount, Tokens: 2989,
			ValidationTokens: 1492},
		New: func() datasets.Loader { return &Words{Train: 400, Validation: 200, MaxLetters: wordLongest, Seed: 1} },
	}
}

// Validate implements Validator.
func (w Words) Validate() error { return check.Settings(w) }

// Load implements Loader. It draws about 250,000 letters a second.
func (w Words) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	g := generator{
		name: "words", version: wordsVersion,
		train: w.Train, validation: w.Validation, seed: w.Seed,
		shape: []any{w.MaxLetters},
	}
	return g.load(ctx, w.draw)
}

// draw generates the first n words of a stream of random numbers.
func (w Words) draw(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
	var list []string
	for _, word := range wordList() {
		if len(word) <= w.MaxLetters {
			list = append(list, word)
		}
	}
	s := &datasets.Sequences{
		X:      datasets.Rows{Dim: letterPixels, Start: []int{0}, Index: []int32{}},
		Start:  []int{0},
		Labels: make([]string, letterCount),
	}
	for c := range s.Labels {
		s.Labels[c] = string(rune('a' + c))
	}
	glyphs := letterGlyphs()
	for i := range n {
		if err := stopped(ctx, i); err != nil {
			return nil, err
		}
		hand := newWriter(rng)
		for _, letter := range list[rng.IntN(len(list))] {
			image := hand.write(&glyphs[letter-'a'], rng)
			for j, black := range image {
				if black {
					s.X.Index = append(s.X.Index, int32(j))
					s.X.Value = append(s.X.Value, 1)
				}
			}
			s.X.Start = append(s.X.Start, len(s.X.Index))
			s.Y = append(s.Y, int(letter-'a'))
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s, nil
}
