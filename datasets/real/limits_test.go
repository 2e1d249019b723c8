package real

import (
	"errors"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// refusedKeys returns the keys of the settings that an error of Validate names, in order.
func refusedKeys(t *testing.T, err error) (keys []string) {
	t.Helper()
	var one *datasets.SettingError
	switch joined, ok := err.(interface{ Unwrap() []error }); {
	case err == nil:
	case ok:
		for _, e := range joined.Unwrap() {
			keys = append(keys, refusedKeys(t, e)...)
		}
	case errors.As(err, &one):
		keys = append(keys, one.Key)
	default:
		t.Errorf("error %v, want a SettingError", err)
	}
	return keys
}

// TestLimitsOfSplits checks limits that depend on several settings or on the split: the largest number is accepted, and
// one more is refused.
func TestLimitsOfSplits(t *testing.T) {
	check := func(v datasets.Validator, keys ...string) {
		t.Helper()
		if got := refusedKeys(t, v.Validate()); !slices.Equal(got, keys) {
			t.Errorf("%T%+v: the refused settings are %q, want %q", v, v, got, keys)
		}
	}
	const train, validation = "train", "validation"
	check(MNIST{Train: 59000, Validation: 1000, HeldOut: true})
	check(MNIST{Train: 59000, Validation: 1001, HeldOut: true}, validation)
	check(MNIST{Train: 59999, HeldOut: true})
	check(MNIST{Train: 60000, HeldOut: true}, train)
	check(MNIST{Train: 60000, Validation: 1, HeldOut: true}, train, validation)
	check(MNIST{Train: 60000, Validation: 10000})
	check(CoNLL2000{Train: 8000, Validation: 936, HeldOut: true})
	check(CoNLL2000{Train: 8000, Validation: 937, HeldOut: true}, validation)
	check(CoNLL2000{Train: 8935, Validation: 1, HeldOut: true})
	check(CoNLL2000{Train: 8936, HeldOut: true}, train)
	check(CoNLL2000{Train: 8936, Validation: 2012})
	check(CAST3LB{Split: "eg", Train: 2306})
	check(CAST3LB{Split: "eg", Train: 2307}, train)
	check(CAST3LB{Split: "conllx", Train: 3306, Validation: 1000})
	check(CAST3LB{Split: "conllx", Train: 3307}, train)
	check(Connect4{Train: 67557})
	check(Connect4{Train: 67557, Validation: 1}, validation)
	check(Connect4{Train: 1, Validation: 67556})
	check(Connect4{Train: 2, Validation: 67556}, validation)

	const words, held = "train_words", "validation_words"
	check(OCRLetters{Fold: 6, TrainOn: "others", TrainWords: 6138, ValidationWords: 739})
	check(OCRLetters{Fold: 6, TrainOn: "others", TrainWords: 6139, ValidationWords: 740}, words, held)
	check(OCRLetters{Fold: 6, TrainOn: "fold", TrainWords: 739, ValidationWords: 6138})
	check(OCRLetters{Fold: 6, TrainOn: "fold", TrainWords: 740, ValidationWords: 6139}, words, held)
	check(OCRLetters{Fold: 9, TrainOn: "fold", TrainWords: 675})
	check(OCRLetters{Fold: 9, TrainOn: "fold", TrainWords: 676}, words)
	check(OCRLetters{Fold: 6, TrainOn: "fold", TrainWords: 700, ValidationWords: 39, HeldOut: true})
	check(OCRLetters{Fold: 6, TrainOn: "fold", TrainWords: 700, ValidationWords: 40, HeldOut: true}, held)
	check(OCRLetters{Fold: 6, TrainOn: "others", TrainWords: 6000, ValidationWords: 138, HeldOut: true})
	check(OCRLetters{Fold: 6, TrainOn: "others", TrainWords: 6000, ValidationWords: 139, HeldOut: true}, held)
	check(OCRLetters{Fold: 6, TrainOn: "fold", TrainWords: 738, HeldOut: true})
	check(OCRLetters{Fold: 6, TrainOn: "fold", TrainWords: 739, HeldOut: true}, words)
	check(OCRLetters{Fold: 6, TrainOn: "fold", HeldOut: true}, words)

	for _, e := range LIBSVMSets() {
		l := e.New().(*LIBSVMSet)
		if l.Train != e.Expect.Train || l.Validation != e.Expect.Validation {
			t.Errorf("%s: by default %d and %d rows, want all %+v", e.Name, l.Train, l.Validation, e.Expect)
		}
		check(l)
		l.Train++
		check(l, train)
		l.Validation++
		check(l, train, validation)
		l.Train--
		check(l, validation)
		if n := len(e.Files); !slices.EqualFunc(e.Files[:n-1], l.train, sameFile) || !sameFile(e.Files[n-1], l.test) {
			t.Errorf("%s: the files of the entry are not the training files and then the test file of the loader", e.Name)
		}
	}

	const trainSentences, heldSentences = "train_sentences", "validation_sentences"
	flat := map[string]int{"train": 1454, "dev": 651, "train+dev": 2105, "dev-1": 325, "dev-2": 326, "test": 367}
	nested := map[string]int{"train": 1457, "dev": 660, "train+dev": 2117, "dev-1": 330, "dev-2": 330, "test": 367}
	for _, c := range []struct{ on, held string }{{"train", "dev"}, {"train", "dev-1"}, {"train", "dev-2"},
		{"train", "test"}, {"dev", "test"}, {"train+dev", "test"}, {"dev-1", "dev-2"}, {"dev-2", "dev-1"}} {
		check(UMassCitations{TrainOn: c.on, Validation: c.held, TrainSentences: flat[c.on],
			ValidationSentences: flat[c.held]})
		check(UMassNested{Segments: segmentsFields, TrainOn: c.on, Validation: c.held, TrainSentences: nested[c.on],
			ValidationSentences: nested[c.held]})
		if c.on != "train+dev" { // for these, the limit is that of the tag
			check(UMassCitations{TrainOn: c.on, Validation: c.held, TrainSentences: flat[c.on] + 1}, trainSentences)
			check(UMassNested{Segments: segmentsFields, TrainOn: c.on, Validation: c.held,
				TrainSentences: nested[c.on] + 1}, trainSentences)
		}
		if c.held != "dev" {
			check(UMassCitations{TrainOn: c.on, Validation: c.held, ValidationSentences: flat[c.held] + 1}, heldSentences)
			check(UMassNested{Segments: segmentsFields, TrainOn: c.on, Validation: c.held,
				ValidationSentences: nested[c.held] + 1}, heldSentences)
		}
	}
	for _, c := range []struct{ on, held string }{{"dev", "dev"}, {"dev", "dev-1"}, {"dev", "dev-2"}, {"dev-1", "dev"},
		{"dev-2", "dev"}, {"dev-1", "dev-1"}, {"dev-2", "dev-2"}, {"train+dev", "dev-2"}, {"train+dev", "dev"}} {
		check(UMassCitations{TrainOn: c.on, Validation: c.held}, validation)
		check(UMassNested{Segments: segmentsFields, TrainOn: c.on, Validation: c.held}, validation)
	}
}

func sameFile(a, b datasets.File) bool {
	return a.Name == b.Name && a.SHA256 == b.SHA256 && a.Bytes == b.Bytes
}
