package nonlocal

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// classifierVocabulary is what predictions need of the training sequences. The random features are drawn again.
type classifierVocabulary struct {
	sequence.Vocabulary
	Bandwidth float64 `json:"bandwidth"`
	Words     [][]int `json:"words"` // the known ones, as labels; those of a length in the order of their weights
}

func newClassifierVocabulary(s *datasets.Sequences, c *wordLists, bandwidth float64) classifierVocabulary {
	v := classifierVocabulary{Vocabulary: sequence.NewVocabulary(s), Bandwidth: bandwidth}
	for _, list := range c.order {
		v.Words = append(v.Words, list.words...)
	}
	return v
}

// Restore implements models.Restorer. Labels of a sequence as long as no known word are not predicted.
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
			return nil, fmt.Errorf("word %d is empty, or has labels that are not among the %d", i+1, len(v.Labels))
		}
	}
	if !(v.Bandwidth > 0) {
		return nil, errors.New("want a positive bandwidth")
	}
	fourier, err := energy.NewFourier(m.Features, v.Features, v.Bandwidth, m.Seed)
	if err != nil {
		return nil, err
	}
	c := classifierWords(slices.Values(v.Words), m)
	return &sequence.Decoder{Vocabulary: v.Vocabulary, Weights: c.dim,
		Of: func(s *datasets.Sequences) (models.Example, error) {
			return models.Example{Features: c.mean(s, 0, s.X.N, fourier), Max: oneWord{}, Exp: oneWord{}}, nil
		},
		Read: func(to []int, e models.Example, y models.Vertex) []int {
			f := e.Features.(*meanFeatures)
			if len(f.words) == 0 {
				return append(to, slices.Repeat([]int{len(v.Labels)}, f.length)...)
			}
			return append(to, f.words[y[0]]...)
		}}, nil
}
