package generated

import (
	"context"
	"errors"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

func TestGrammarGeneratorsRefuseSettings(t *testing.T) {
	for _, c := range []struct {
		loader datasets.Loader
		key    string
	}{
		{GrammarSentences{MaxWords: 25}, "train"},
		{GrammarSentences{Train: 1, Validation: 1 << 40, MaxWords: 25}, "validation"},
		{GrammarSentences{Train: 1, MaxWords: 5}, "max_words"},
		{GrammarSentences{Train: 1, MaxWords: 101}, "max_words"},
		{GrammarTrees{MaxWords: 25}, "train"},
		{GrammarTrees{Train: 1, MaxWords: 0}, "max_words"},
	} {
		_, err := c.loader.Load(context.Background(), datasets.Source{})
		var setting *datasets.SettingError
		if !errors.As(err, &setting) || setting.Key != c.key {
			t.Errorf("%T%+v: %v: want a SettingError of %s", c.loader, c.loader, err, c.key)
		}
	}
}

func TestGeneratorsStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, l := range []datasets.Loader{
		Words{Train: 1000, MaxLetters: 14, Seed: 1},
		GrammarSentences{Train: 1000, MaxWords: 25, Seed: 1},
		GrammarTrees{Train: 1000, MaxWords: 15, Seed: 1},
	} {
		if set, err := l.Load(ctx, datasets.Source{}); !errors.Is(err, context.Canceled) || set != nil {
			t.Errorf("%T under a cancelled context: %v, %v", l, set, err)
		}
	}
}
