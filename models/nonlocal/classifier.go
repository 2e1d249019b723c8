package nonlocal

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gaplab/gaplab/internal/settings"
	"github.com/gaplab/gaplab/models/internal/classes"
	"github.com/gaplab/gaplab/models/internal/sequence"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// WordClassifier classifies a sequence as one of the words of the training data. A word is the sequence of all labels
// of a training sequence. The model is multinomial logistic regression on f(x), the mean of the random Fourier features
// of the sequence's rows:
//
//	θ_c = f(x)·w_c,   for the words c that are as long as the sequence.
//
// The model is the baseline for energies whose strength depends on f(x): it shows how well f(x) alone predicts (Vilnis
// et al. 2015, section 8.2). The parts of a sequence are the words of its length, in order of appearance, and a
// labelling is one of them. Each word has D weights, or D + 1 with a bias. For the words of one length, the weights of
// a feature are neighbours in w. The label loss is the number of wrong labels. The metrics are the same as for a chain.
//
// Score and AddAdjoint cost D times the number of words of the length. A sequence stores D floats.
type WordClassifier struct {
	// number of random Fourier features
	Features int `yaml:"features" jsonschema:"minimum=1"`
	// bandwidth of the Gaussian kernel that the features approximate; 0: the median distance between training rows
	Bandwidth float64 `yaml:"bandwidth" jsonschema:"minimum=0"`
	// seed for drawing the random features
	Seed uint64 `yaml:"seed"`
	// add a feature that is always 1
	Bias bool `yaml:"bias"`
}

// NewWordClassifier returns the model with its default settings.
func NewWordClassifier() *WordClassifier { return &WordClassifier{Features: 1000, Seed: 1, Bias: true} }

const wordClassifier = "word-classifier"

// Build implements models.Builder for labelled sequences.
func (m WordClassifier) Build(train, validation datasets.Data) (*models.Task, error) {
	if err := settings.Check(m); err != nil {
		return nil, fmt.Errorf("model %s: %w", wordClassifier, err)
	}
	rows, held, err := sequence.Rows(wordClassifier, "features", 1, train, validation)
	if err != nil {
		return nil, err
	}
	if m.Bandwidth == 0 {
		m.Bandwidth = energy.MedianDistance(&rows.X, m.Seed)
	}
	fourier, err := energy.NewFourier(m.Features, rows.X.Dim, m.Bandwidth, m.Seed)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", wordClassifier, err)
	}
	c := classifierWords(labelWords(rows), m)
	t := &models.Task{
		Model:    wordClassifier,
		Unknowns: models.Weights{Dim: c.dim},
		Train:    c.examples(rows, fourier),
		Metrics: []models.Metric{{Name: "validation_error", Of: wrongLetters},
			{Name: "validation_sequence_error", Of: wrongWord}},
		Facts:      map[string]float64{"words": float64(c.words), "bandwidth": m.Bandwidth},
		Vocabulary: func() any { return newClassifierVocabulary(rows, c, m.Bandwidth) },
	}
	if held == nil {
		return t, nil
	}
	t.Validation = c.examples(held, fourier)
	strange := 0
	for i := range t.Validation {
		if t.Validation[i].Features.(*meanFeatures).words == nil {
			strange++
		}
	}
	if strange > 0 {
		t.Warnings = append(t.Warnings,
			fmt.Sprintf("model %s: %d validation sequences have a length that no training sequence has, so they count as wrong",
				wordClassifier, strange))
	}
	return t, nil
}

// labelWords yields the labels of each sequence.
func labelWords(s *datasets.Sequences) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for i := range s.Len() {
			if !yield(s.Y[s.Start[i]:s.Start[i+1]]) {
				return
			}
		}
	}
}

// examples returns the examples of sequences. If the labels of a sequence are not a known word, the truth of the
// example is the nearest known word, which then has a cost above 0. If no known word has the length of the sequence,
// the example has a single part, which represents a word with only wrong labels.
func (c *wordLists) examples(s *datasets.Sequences, fourier *energy.Fourier) []models.Example {
	examples := make([]models.Example, s.Len())
	for i := range examples {
		lo, hi := s.Start[i], s.Start[i+1]
		word := s.Y[lo:hi]
		f := c.mean(s, lo, hi, fourier)
		e := models.Example{Features: f, Max: classes.Oracle{}, Exp: classes.Oracle{}, Truth: models.Vertex{0},
			Cost: []float64{float64(hi - lo)}}
		if list := c.ofLength[hi-lo]; list != nil {
			e.Truth[0], _ = list.nearest(word)
			e.Cost = make([]float64, len(list.words))
			for r, other := range list.words {
				e.Cost[r] = float64(wordDistance(word, other))
			}
		}
		examples[i] = e
	}
	return examples
}

// wrongLetters returns the number of wrong labels, and the number of labels.
func wrongLetters(prediction models.Vertex, e *models.Example) (num, den float64) {
	return e.Cost[prediction[0]], float64(e.Features.(*meanFeatures).length)
}

// wrongWord returns 1/1 if a label is wrong, otherwise 0/1.
func wrongWord(prediction models.Vertex, e *models.Example) (num, den float64) {
	if e.Cost[prediction[0]] > 0 {
		return 1, 1
	}
	return 0, 1
}

// Restore implements models.Restorer. If no known word has the length of a sequence, its labels are not predicted.
func (m WordClassifier) Restore(text []byte) (models.Decoder, error) {
	var v classifierVocabulary
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	if _, err := sequence.ReadVocabulary(text); err != nil {
		return nil, err
	}
	for i, word := range v.Words {
		if len(word) == 0 || slices.Min(word) < 0 || slices.Max(word) >= len(v.Labels) {
			return nil, fmt.Errorf("word %d is empty, or has labels that are not among the %d of the vocabulary", i+1,
				len(v.Labels))
		}
	}
	if !(v.Bandwidth > 0) {
		return nil, errors.New("the bandwidth is not positive")
	}
	fourier, err := energy.NewFourier(m.Features, v.Features, v.Bandwidth, m.Seed)
	if err != nil {
		return nil, err
	}
	c := classifierWords(slices.Values(v.Words), m)
	return &sequence.Decoder{Vocabulary: v.Vocabulary, Weights: c.dim,
		Of: func(s *datasets.Sequences) (models.Example, error) {
			return models.Example{Features: c.mean(s, 0, s.X.N, fourier), Max: classes.Oracle{}, Exp: classes.Oracle{}}, nil
		},
		Read: func(to []int, e models.Example, y models.Vertex) []int {
			f := e.Features.(*meanFeatures)
			if len(f.words) == 0 {
				return append(to, slices.Repeat([]int{len(v.Labels)}, f.length)...)
			}
			return append(to, f.words[y[0]]...)
		}}, nil
}
