package sequence

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Check returns an error if the sequences are empty or inconsistent. part is "training" or "validation", for messages.
func Check(s *datasets.Sequences, part string) error {
	n := s.Len()
	if n < 1 {
		return fmt.Errorf("there are no %s sequences", part)
	}
	for i := range n {
		if s.Start[i] >= s.Start[i+1] {
			return fmt.Errorf("%s sequence %d is empty", part, i+1)
		}
	}
	if s.Start[n] != s.X.N || len(s.Y) != s.X.N {
		return fmt.Errorf("the %s sequences have %d positions, %d rows and %d labels: want equal numbers",
			part, s.Start[n], s.X.N, len(s.Y))
	}
	for t, y := range s.Y {
		if y < 0 || y >= len(s.Labels) {
			return fmt.Errorf("position %d of the %s sequences has label %d: want 0 to %d", t+1, part, y,
				len(s.Labels)-1)
		}
	}
	return nil
}

// SameKind returns the validation data as type D, or nil if there are none. If they have another type, it returns an
// error.
func SameKind[D datasets.Data](validation, train datasets.Data) (held D, err error) {
	if validation == nil {
		return held, nil
	}
	held, ok := validation.(D)
	if !ok {
		return held, fmt.Errorf("the training data have %s, but the validation data have %s: want the same kind",
			train.Kind(), validation.Kind())
	}
	return held, nil
}

// Rows checks that the data of a model are labelled sequences of rows, that they have at least as many labels as the
// argument labels, and that the validation data, if any, have no features and labels beyond the features and labels of
// the training data. Messages use the argument what as the name of the features.
func Rows(model, what string, labels int, train, validation datasets.Data) (d, held *datasets.Sequences, err error) {
	refuse := func(format string, args ...any) (d, held *datasets.Sequences, err error) {
		return nil, nil, fmt.Errorf("model "+model+format, args...)
	}
	d, ok := train.(*datasets.Sequences)
	if !ok {
		return refuse(" needs labelled sequences; the data set has %s", train.Kind())
	}
	if k := len(d.Labels); k < labels {
		return refuse(" needs at least %d labels; the training data have %d", labels, k)
	}
	if err := Check(d, "training"); err != nil {
		return refuse(": %w", err)
	}
	if validation == nil {
		return d, nil, nil
	}
	held, ok = validation.(*datasets.Sequences)
	if !ok {
		return refuse(" needs labelled sequences; the validation data have %s", validation.Kind())
	}
	if held.X.Dim > d.X.Dim || len(held.Labels) > len(d.Labels) {
		return refuse(": the validation data have %d %s and %d labels: want at most %d and %d, as in the training data",
			held.X.Dim, what, len(held.Labels), d.X.Dim, len(d.Labels))
	}
	if err := Check(held, "validation"); err != nil {
		return refuse(": %w", err)
	}
	return d, held, nil
}
