package nonlocal

import (
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// classifierVocabulary is what predictions need from the training data besides the weights. The random features are
// drawn again with the same seed.
type classifierVocabulary struct {
	sequence.Vocabulary
	Bandwidth float64 `json:"bandwidth"`
	Words     [][]int `json:"words"` // known words as labels; words of equal length are in the order of their weights
}

func newClassifierVocabulary(s *datasets.Sequences, c *wordLists, bandwidth float64) classifierVocabulary {
	v := classifierVocabulary{Vocabulary: sequence.NewVocabulary(s), Bandwidth: bandwidth}
	for _, list := range c.order {
		v.Words = append(v.Words, list.words...)
	}
	return v
}
