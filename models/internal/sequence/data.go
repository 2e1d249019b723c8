package sequence

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Check refuses what would panic later.
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
		return fmt.Errorf("the %s sequences have %d positions, %d rows and %d labels: want as many of each",
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

// SameKind returns the validation data, or nil if there are none.
func SameKind[D datasets.Data](validation, train datasets.Data) (held D, err error) {
	if validation == nil {
		return held, nil
	}
	held, ok := validation.(D)
	if !ok {
		return held, fmt.Errorf("the training data have %s, the validation data %s: want the same", train.Kind(),
			validation.Kind())
	}
	return held, nil
}
