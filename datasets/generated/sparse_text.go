package generated

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// SparseText generates sparse rows that resemble text, in two classes. Apart from noise, a hyperplane through 0
// separates the classes. With these data one can measure how the time of a solver depends on the number of rows and on
// their density. The data do not imitate a particular corpus.
//
// Feature j = 0, 1, ... is the word of rank j+1. It occurs in a row with probability π_j, independently of the others:
//
//	π_j = min(1, c/(j+1+10)),   with the c for which Σ_j π_j = Density · Features   (Zipf and Mandelbrot's law)
//
// The value of a word that occurs is (1 + e)(1 − ln π_j), where e is exponentially distributed. This value is like a
// count times an inverse document frequency. Rows are then scaled to unit norm. One word in four has a nonzero weight
// in the hyperplane. The weight is Gaussian with variance π_j, so frequent words have larger weights and are learned
// from few rows. A constant is added to these weights such that the mean score of a row is 0. The class of a row is the
// sign of its score, or is drawn with equal probabilities if no word of the row has a weight. With probability Noise,
// the class is flipped. The error of a linear classifier on other rows is about 24 % after 2,000 training rows with the
// default settings, and 18 % after 10,000.
//
// If a drawn row has no words, it is drawn again. So the density of rows is slightly above Density if Density ·
// Features is below about 5.
//
// The same seed gives the same rows. A smaller set consists of the first examples of a larger one, and validation rows
// do not depend on Train. Other settings of Density or Features give other rows.
type SparseText struct {
	// number of training rows
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation rows; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// number of features; each feature is a word
	Features int `yaml:"features" jsonschema:"minimum=10,maximum=1000000"`
	// mean share of the features of a row that are not 0; density times features must be at least 1
	Density float64 `yaml:"density" jsonschema:"minimum=0.0001,maximum=1"`
	// probability that the class of a row is flipped
	Noise float64 `yaml:"noise" jsonschema:"minimum=0,maximum=0.5"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
	// scaling of the labelled rows; unit: each row is divided by its Euclidean norm; max: each column is divided by its
	// largest absolute value in the training rows
	Scale string `yaml:"scale" jsonschema:"enum=none,enum=unit,enum=max" settings:"optional"`
}

const (
	sparseTextVersion = "1"         // must be raised when the same seed gives other rows
	sparseTextMost    = 200_000_000 // largest expected number of values, of 12 bytes each
)

// SparseTextEntry returns the catalogue entry of SparseText.
func SparseTextEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "sparse-text",
		Title:    "Generated rows in the shape of text",
		About: "seeded generator of sparse rows of unit norm with word frequencies as in text; apart from noise, a sparse " +
			"hyperplane separates the two classes; rows, features and density can be set",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 2000, Validation: 1000, Features: 10000, Classes: 2},
		New: func() datasets.Loader {
			return &SparseText{Train: 2000, Validation: 1000, Features: 10000, Density: .004, Noise: .05, Seed: 1,
				Scale: datasets.ScaleNone}
		},
	}
}

// Validate implements Validator.
func (s SparseText) Validate() error {
	if err := check.Settings(s); err != nil {
		return err
	}
	words := s.Density * float64(s.Features)
	var few, many error
	if words < 1 {
		few = check.Refuse("density", s.Density,
			fmt.Sprintf("at least %.4g, that is a mean of one of the %d words in each row", 1/float64(s.Features), s.Features))
	}
	if rows := s.Train + s.Validation; float64(rows)*words > sparseTextMost {
		many = check.Refuse("train", s.Train,
			fmt.Sprintf("at most %d rows for training and validation together: a row has %.0f values, and all rows at most %d",
				int(sparseTextMost/words), words, sparseTextMost))
	}
	return errors.Join(few, many)
}

// Load implements Loader. It draws about 20 million values a second.
func (s SparseText) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	g := generator{
		name: "sparse-text", version: sparseTextVersion,
		train: s.Train, validation: s.Validation, seed: s.Seed,
		shape: []any{s.Features, s.Density, s.Noise},
	}
	words := sync.OnceValue(func() *textWords {
		return newTextWords(s.Features, s.Density, rand.New(rand.NewPCG(s.Seed, 3)))
	})
	set, err := g.load(ctx, func(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
		mean := float64(n) * s.Density * float64(s.Features)
		room := int(mean + 4*math.Sqrt(mean))
		l := &datasets.Labelled{
			X: datasets.Rows{
				N: n, Dim: s.Features, Start: make([]int, 1, n+1),
				Index: make([]int32, 0, room), Value: make([]float64, 0, room),
			},
			Y:       make([]int, n),
			Classes: []string{"-1", "+1"},
		}
		for i := range n {
			if err := stopped(ctx, i); err != nil {
				return nil, err
			}
			score := words().appendRow(&l.X, rng)
			if score > 0 || score == 0 && rng.IntN(2) == 0 {
				l.Y[i] = 1
			}
			if rng.Float64() < s.Noise {
				l.Y[i] = 1 - l.Y[i]
			}
		}
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	return set, set.Scale(s.Scale)
}

// textWords holds the words from which rows are drawn, the most frequent first.
type textWords struct {
	chance []float64 // probability π of each word, in decreasing order
	rate   []float64 // −ln(1−π), +Inf if π is 1
	value  []float64 // 1 − ln π
	weight []float64 // weight of each word in the hyperplane
}

func newTextWords(features int, density float64, rng *rand.Rand) *textWords {
	const shift = 10
	w := &textWords{
		chance: zipfChances(features, shift, density*float64(features)),
		rate:   make([]float64, features),
		value:  make([]float64, features),
		weight: make([]float64, features),
	}
	for j, p := range w.chance {
		w.rate[j], w.value[j] = -math.Log1p(-p), 1-math.Log(p)
	}
	score, mass := 0.0, 0.0 // mean score of a row, and the increase of that mean if all weights increase by 1
	var weighted []int
	for block := 0; block < features; block += 4 {
		j, u := block+rng.IntN(4), rng.NormFloat64()
		if j < features {
			weighted = append(weighted, j)
			w.weight[j] = u * math.Sqrt(w.chance[j])
			score += w.weight[j] * w.chance[j] * w.value[j]
			mass += w.chance[j] * w.value[j]
		}
	}
	for _, j := range weighted {
		w.weight[j] -= score / mass
	}
	return w
}

// zipfChances returns the probabilities π_j = min(1, c/(j+1+shift)), with the c for which their sum is words. It
// requires 0 < words ≤ features.
func zipfChances(features int, shift, words float64) []float64 {
	p := make([]float64, features)
	rest := 0.0 // sum of 1/(j+1+shift) over the words with π < 1
	for j := features - 1; j >= 0; j-- {
		p[j] = 1 / (float64(j+1) + shift)
		rest += p[j]
	}
	certain := 0
	for certain < features && (words-float64(certain))*p[certain] >= rest {
		rest -= p[certain]
		p[certain] = 1
		certain++
	}
	for j := certain; j < features; j++ {
		p[j] = min(1, max(0, words-float64(certain))*p[j]/rest)
	}
	return p
}

// appendRow draws a row, appends it to x, and returns the score of the row before scaling. It does not test every word.
// If p is the probability of the last tested word, the number of words to skip is drawn from a geometric distribution
// with parameter p. The word after the skipped words has a probability q ≤ p, and then occurs in the row with
// probability q/p. So the time is proportional to the number of tested words.
func (w *textWords) appendRow(x *datasets.Rows, rng *rand.Rand) (score float64) {
	start := len(x.Index)
	square := 0.0
	for len(x.Index) == start {
		for at, last := 0, 0; at < len(w.chance); at++ {
			skip := rng.ExpFloat64() / w.rate[last]
			if skip >= float64(len(w.chance)-at) {
				break
			}
			at += int(skip)
			p := w.chance[last]
			last = at
			if q := w.chance[at]; q < p && rng.Float64()*p >= q {
				continue
			}
			v := (1 + rng.ExpFloat64()) * w.value[at]
			x.Index, x.Value = append(x.Index, int32(at)), append(x.Value, v)
			score += v * w.weight[at]
			square += v * v
		}
	}
	norm := math.Sqrt(square)
	for k := start; k < len(x.Value); k++ {
		x.Value[k] /= norm
	}
	x.Start = append(x.Start, len(x.Index))
	return score
}
