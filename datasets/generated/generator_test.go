package generated

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// sample loads a generated set, checks it, and returns its training and validation data. The validation data may be
// nil.
func sample[D datasets.Data](t testing.TB, l datasets.Loader) (train, validation D) {
	t.Helper()
	set, err := l.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	validation, _ = set.Validation.(D)
	return set.Train.(D), validation
}

// TestBits checks that the data (field bits) and the checksums of generated sets do not change. The reference curves of
// the gate depend on the data, and the keys of results depend on the checksums. If the data change, raise the version
// of the generator. The data of the sets whose bits begin with amd64 differ on machines with fused multiply-add.
func TestBits(t *testing.T) {
	for _, c := range []struct {
		loader         datasets.Loader
		bits, checksum string
	}{
		{Digits{Train: 300, Validation: 100, Seed: 1}, "762c0aa28b35925b", "804f0666328bc268"},
		{Words{Train: 100, Validation: 50, MaxLetters: 14, Seed: 1}, "4dc67b405b20aef7", "b71ef3d69d2819b1"},
		{GrammarSentences{Train: 100, Validation: 50, MaxWords: 25, Seed: 1}, "740f76bb39852a7a", "501594b6e5029bd9"},
		{GrammarTrees{Train: 100, Validation: 50, MaxWords: 15, Seed: 1}, "e657ad42c2c90580", "652908cdcdc23b69"},
		{References{Names: namesWhole, Train: 100, Validation: 50, Seed: 1}, "72af4c736b2ff17c", "8e5e46d7aa13b2ea"},
		{References{Names: namesParts, Train: 100, Validation: 50, Seed: 1}, "d0bfc7e0768eeb0f", "045797f054029c95"},
		{SparseText{Train: 400, Validation: 100, Features: 2000, Density: .01, Noise: .05, Seed: 7},
			"d462dc90c3e2e7e4", "348f10444b6adeff"},
		{Terrain{Train: 300, Validation: 100, Scale: "raw", Seed: 1}, "7e4a2c9423fffb6f", "f7642ceefd243510"},
		{RandomNetwork{Train: 300, Validation: 20, Variables: 4, Values: 3, Classes: 2, Contrast: 1, Seed: 1},
			"521ec65334843745", "42f882c68c48a3c3"},
		{Tracking{Train: 20, Validation: 3, Length: 50, States: 10, Observations: 7, P: 0.3, Q: 0.4, Seed: 1},
			"ded95787a0a6973c", "efafb98e4084d645"},
		{Markov{Train: 20, Validation: 3, Length: 7, Labels: 4, Stay: 0.8, Noise: 0.3, Seed: 1},
			"amd64 76ba30b80cadc6b7", "a831837030eb60aa"},
		{Migration{Side: 3, Steps: 6, Walkers: 500, Distance: 1, Drift: 0.5, Noise: 0.3, Rate: 0.5, Seed: 1},
			"amd64 b6187f563469ac3c", "2a2712ae90bbf8c0"},
		{Single{Classes: 3}, "0c0f5d103a5c411c", "b9fdd2ae3750e740"},
		// The settings below differ from the ones above, and the seed from every other number.
		{Digits{Train: 40, Validation: 90, Seed: 12, Scale: "max"}, "1a0b849de17eda29", "26a914e7ddb8cd26"},
		{Digits{Train: 40, Validation: 90, Seed: 12, Scale: "unit"}, "amd64 b5646180b9714a8b", "7f8900ba1583669c"},
		{Words{Train: 30, Validation: 70, MaxLetters: 5, Seed: 12}, "f87f2f0f3f4c8509", "74d1c00d32617d0b"},
		{GrammarSentences{Train: 30, Validation: 70, MaxWords: 8, Seed: 12}, "c5dba88e0aff9848", "d2ece7673f1c9d65"},
		{GrammarSentences{Train: 90, MaxWords: 60, Seed: 12}, "1fa788173ba4936b", "264d450775203c62"},
		{GrammarTrees{Train: 30, Validation: 70, MaxWords: 60, Seed: 12}, "18f8224cec44c28a", "f7bc00394a9578f5"},
		{References{Names: namesWhole, Train: 300, Validation: 700, Seed: 12}, "aeac8d16c9eea4b8", "5266348c4dd2abee"},
		{References{Names: namesParts, Train: 700, Validation: 300, Seed: 12}, "e029647202b447a5", "ee80005e6021b2e6"},
		{SparseText{Train: 100, Validation: 400, Features: 90, Density: .8, Noise: .5, Seed: 12, Scale: "max"},
			"amd64 01b2192d78a70507", "6974cd5289594068"},
		{SparseText{Train: 200, Validation: 10, Features: 11, Density: .1, Seed: 12},
			"amd64 f31a45c4744955bc", "5e8ccf9811d4702c"},
		{SparseText{Train: 30, Validation: 10, Features: 14, Density: 1, Noise: .1, Seed: 12},
			"amd64 3b165dbc064ae4a1", "2398bd7e09d82bc2"},
		{Terrain{Train: 900, Validation: 1300, Scale: "unit", Seed: 12}, "d7816ce681b426da", "93a78625110f5e4f"},
		{RandomNetwork{Train: 100, Validation: 200, Variables: 9, Values: 2, Classes: 7, Contrast: 3, Seed: 12},
			"b4d8a85f568efa18", "36b43c5221c64f5b"},
		{RandomNetwork{Train: 100, Variables: 1, Values: 20, Classes: 2, Seed: 12}, "a66b44be735be1ce", "b7ac0a518098732e"},
		{Tracking{Train: 5, Validation: 8, Length: 30, States: 3, Observations: 9, P: .9, Q: .1, Seed: 12},
			"de613f07f8d025c5", "3a434b8b83d3841b"},
		{Tracking{Train: 5, Validation: 8, Length: 30, States: 20, Observations: 2, Q: 1, Seed: 12},
			"fe0afa6bd2dbdf85", "d365bf6e799a7840"},
		{Markov{Train: 5, Validation: 8, Length: 20, Labels: 9, Stay: .1, Noise: 3, Seed: 12},
			"amd64 0e570d5552d3d97c", "9371f131459e21cd"},
		{Markov{Train: 5, Length: 20, Labels: 2, Seed: 12}, "19dd7b66c652384d", "dd983557b76c8ff9"},
		{Migration{Side: 4, Steps: 2, Walkers: 70, Distance: .2, Drift: 2, Noise: 1, Rate: 3, Seed: 12},
			"amd64 2dec7f6eb300ec6b", "b4f2c53500299157"},
		{Migration{Side: 2, Steps: 1, Walkers: 70, Distance: 3, Noise: 1, Rate: .1, Seed: 12},
			"amd64 b3a83b39c2d60a33", "8e6db9cd67891f27"},
	} {
		set, err := c.loader.Load(context.Background(), datasets.Source{})
		if err != nil {
			t.Fatal(err)
		}
		bits, want := datasettest.Bits(set), c.bits
		if only, found := strings.CutPrefix(want, "amd64 "); found {
			if want = only; runtime.GOARCH != "amd64" {
				want = bits
			}
		}
		if bits != want || set.Checksum[:16] != c.checksum {
			t.Errorf("%T: bits %q, checksum %q; want %q and %q", c.loader, bits, set.Checksum[:16], want, c.checksum)
		}
	}
}

// TestReferencesOfNameParts checks that references have the same words with "names: parts" as with "names: whole".
func TestReferencesOfNameParts(t *testing.T) {
	whole, _ := sample[*datasets.Sentences](t, References{Names: namesWhole, Train: 60, Seed: 7})
	parts, _ := sample[*datasets.Sentences](t, References{Names: namesParts, Train: 60, Seed: 7})
	a, b := datasettest.Texts(t, whole, "word"), datasettest.Texts(t, parts, "word")
	if !slices.Equal(a, b) {
		t.Error("the words with names: parts differ from those with names: whole")
	}
}

// TestLimitsOfTwoSettings checks limits that involve two settings. Package datasettest checks limits of single
// settings.
func TestLimitsOfTwoSettings(t *testing.T) {
	for _, c := range []struct {
		loader datasets.Validator
		want   string
	}{
		{SparseText{Train: 1, Features: 1000, Density: 1e-4},
			"density is 0.0001: want at least 0.001, that is a mean of one of the 1000 words in each row"},
		{SparseText{Train: 1000, Features: 1_000_000, Density: 1},
			"train is 1000: want at most 200 rows for training and validation together: a row has 1000000 values, " +
				"and all rows at most 200000000"},
		{Migration{Side: 30, Steps: 62, Walkers: 1, Rate: 1}, "steps is 62: want at most 61 steps with side 30"},
		{Tracking{Train: 10_000, Length: 10_000, States: 2, Observations: 2},
			"length is 10000: want at most 5000 positions with 10000 sequences"},
	} {
		if err := c.loader.Validate(); err == nil || err.Error() != "dataset: "+c.want {
			t.Errorf("%+v: error %v, want %s", c.loader, err, c.want)
		}
	}
	// accepted at the limit, and refused beyond it; the larger of Train and Validation counts, or their sum
	for _, c := range []struct{ at, beyond datasets.Validator }{
		{SparseText{Train: 1, Features: 1000, Density: 1e-3}, SparseText{Train: 1, Features: 999, Density: 1e-3}},
		{SparseText{Train: 150, Validation: 50, Features: 1_000_000, Density: 1},
			SparseText{Train: 150, Validation: 51, Features: 1_000_000, Density: 1}},
		{SparseText{Train: 50, Validation: 150, Features: 1_000_000, Density: 1},
			SparseText{Train: 51, Validation: 150, Features: 1_000_000, Density: 1}},
		{Migration{Side: 30, Steps: 61, Walkers: 1, Rate: 1}, Migration{Side: 30, Steps: 62, Walkers: 1, Rate: 1}},
		{Tracking{Train: 10_000, Length: 5000, States: 2, Observations: 2},
			Tracking{Train: 10_000, Length: 5001, States: 2, Observations: 2}},
		{Tracking{Train: 1, Validation: 10_000, Length: 5000, States: 2, Observations: 2},
			Tracking{Train: 1, Validation: 10_000, Length: 5001, States: 2, Observations: 2}},
		{Tracking{Train: 10_000, Validation: 10_000, Length: 5000, States: 2, Observations: 2},
			Tracking{Train: 10_001, Validation: 10_000, Length: 5000, States: 2, Observations: 2}},
	} {
		if err := c.at.Validate(); err != nil {
			t.Errorf("%+v is at the limit, but refused: %v", c.at, err)
		}
		var refused *datasets.SettingError
		if err := c.beyond.Validate(); !errors.As(err, &refused) {
			t.Errorf("%+v is beyond the limit: error %v, want a SettingError", c.beyond, err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for name, l := range map[string]datasets.Loader{
		"digits":      Digits{Train: 1000, Seed: 1},
		"words":       Words{Train: 1000, MaxLetters: 14, Seed: 1},
		"sentences":   GrammarSentences{Train: 1000, MaxWords: 25, Seed: 1},
		"trees":       GrammarTrees{Train: 1000, MaxWords: 15, Seed: 1},
		"sparse-text": SparseText{Train: 10_000, Features: 20_000, Density: .002, Seed: 1},
		"terrain":     Terrain{Train: 10_000, Scale: "unit", Seed: 1},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := l.Load(context.Background(), datasets.Source{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
