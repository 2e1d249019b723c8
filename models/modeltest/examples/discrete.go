package examples

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
)

// Discrete returns generated rows with six variables and a class, which have three values each.
func Discrete(t testing.TB, train, validation int) *datasets.Discrete {
	t.Helper()
	return load(t, generated.RandomNetwork{Train: train, Validation: validation, Variables: 6, Values: 3, Classes: 3,
		Contrast: 1, Seed: 2}).(*datasets.Discrete)
}
