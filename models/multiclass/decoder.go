package multiclass

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
)

// Restore implements models.Restorer.
func (Model) Restore(vocabulary []byte) (models.Decoder, error) {
	v, err := classes.ReadVocabulary(vocabulary)
	if err != nil {
		return nil, err
	}
	k := len(v.Classes)
	dim := v.Features * k
	return &classes.Decoder{Vocabulary: v, Weights: dim, Map: func(x *datasets.Rows) models.FeatureMap {
		return &features{index: x.Index, value: x.Value, k: k, dim: dim}
	}}, nil
}

// Restore implements models.Restorer.
func (m Binary) Restore(vocabulary []byte) (models.Decoder, error) {
	v, err := classes.ReadVocabulary(vocabulary)
	if err != nil {
		return nil, err
	}
	if len(v.Classes) != 2 {
		return nil, fmt.Errorf("the vocabulary has %d classes: want 2", len(v.Classes))
	}
	dim, half := v.Features, 0.5
	if m.Bias > 0 {
		dim++
	}
	if descending(v.Classes) {
		half = -half
	}
	return &classes.Decoder{Vocabulary: v, Weights: dim, Map: func(x *datasets.Rows) models.FeatureMap {
		return &binaryFeatures{x: models.Row{Index: x.Index, Value: x.Value}, dim: dim, half: half, bias: m.Bias}
	}}, nil
}
