package catalogue

import (
	"context"
	"errors"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/datasets/real"
)

func TestSettingsOutOfRange(t *testing.T) {
	for _, c := range []struct {
		loader datasets.Loader
		key    string
	}{
		{real.MNIST{Train: 0}, "train"},
		{real.MNIST{Train: 60001}, "train"},
		{real.MNIST{Train: 1, Validation: -1}, "validation"},
		{real.MNIST{Train: 1, Validation: 10001}, "validation"},
		{generated.Digits{Train: -5}, "train"},
		{generated.Digits{Train: 1, Validation: 1 << 40}, "validation"},
		{formats.LIBSVM{}, "path"},
		{formats.LIBSVM{Path: "x", Train: -1}, "train"},
		{formats.LIBSVM{Path: "x", ValidationFraction: 1}, "validation_fraction"},
		{formats.LIBSVM{Path: "x", ValidationFraction: .2, Validation: "y"}, "validation_fraction"},
		{real.LIBSVMSet{}, "train"},
		{formats.CoNLL{Columns: "word"}, "path"},
		{formats.CoNLL{Path: "x"}, "columns"},
		{formats.CoNLL{Path: "x", Columns: "id head _"}, "columns"},
		{formats.CoNLL{Path: "x", Columns: "word pos word"}, "columns"},
		{formats.CoNLL{Path: "x", Columns: "word pos", Projective: true}, "projective"},
		{formats.CoNLL{Path: "x", Columns: "word", Train: -1}, "train"},
		{formats.CoNLLU{Path: "x", Validation: "y", ValidationFraction: .5}, "validation_fraction"},
		{formats.PTB{}, "path"},
		{formats.PTB{Path: "x", MaxWords: -1}, "max_words"},
		{real.OCRLetters{TrainOn: "others", Fold: 10}, "fold"},
		{real.OCRLetters{TrainOn: "all"}, "train_on"},
		{real.OCRLetters{TrainOn: "fold", TrainWords: 627}, "train_words"},
		{real.OCRLetters{TrainOn: "others", ValidationWords: 627}, "validation_words"},
		{real.CoNLL2000{Train: 8937}, "train"},
		{real.CoNLL2000{Train: 1, Validation: 2013}, "validation"},
		{real.CAST3LB{}, "split"},
		{real.CAST3LB{Split: "eg", Train: 2307}, "train"},
		{real.CAST3LB{Split: "conllx", Validation: 1001}, "validation"},
		{real.PTBSample{Train: 3915}, "train"},
		{real.PTBSample{Validation: 3914}, "validation"},
		{real.PTBSample{MaxWords: -1}, "max_words"},
	} {
		_, err := c.loader.Load(context.Background(), datasets.Source{})
		var setting *datasets.SettingError
		if !errors.As(err, &setting) || setting.Key != c.key {
			t.Errorf("%T%+v: %v: want a SettingError of %s", c.loader, c.loader, err, c.key)
		}
	}
}
