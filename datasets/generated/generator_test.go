package generated

import (
	"context"
	"errors"
	"math/rand/v2"
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

// TestIdentity checks that each setting that changes the data changes the checksum.
func TestIdentity(t *testing.T) {
	seen := map[string]generator{}
	for _, g := range []generator{
		{name: "a", version: "1", train: 3, validation: 2, seed: 1, shape: []any{4}},
		{name: "b", version: "1", train: 3, validation: 2, seed: 1, shape: []any{4}},
		{name: "a", version: "2", train: 3, validation: 2, seed: 1, shape: []any{4}},
		{name: "a", version: "1", train: 4, validation: 2, seed: 1, shape: []any{4}},
		{name: "a", version: "1", train: 3, validation: 3, seed: 1, shape: []any{4}},
		{name: "a", version: "1", train: 3, validation: 2, seed: 2, shape: []any{4}},
		{name: "a", version: "1", train: 3, validation: 2, seed: 1, shape: []any{5}},
	} {
		set, err := g.load(context.Background(), func(_ context.Context, _ *rand.Rand, n int) (datasets.Data, error) {
			return &datasets.Labelled{X: datasets.Rows{N: n}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[set.Checksum]; ok {
			t.Errorf("%+v and %+v have one checksum", g, other)
		}
		seen[set.Checksum] = g
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
