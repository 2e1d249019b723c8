// Package check refuses settings of data sets that are out of range.
package check

import (
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Refuse is the error for a setting of that yaml key, with what would be right.
func Refuse(key string, value any, want string) error {
	return &datasets.SettingError{Key: key, Value: value, Want: want}
}

// Limit reports a limit beyond the n items that there are.
func Limit(key string, limit, n int, items string) error {
	if limit > n {
		return Refuse(key, limit, fmt.Sprintf("at most the %d %s", n, items))
	}
	return nil
}

// Count reports a count outside low..high.
func Count(key string, n, low, high int) error {
	if n < low || n > high {
		return Refuse(key, n, fmt.Sprintf("a count from %d to %d", low, high))
	}
	return nil
}

// Sizes reports train or validation counts that a set of those sizes cannot serve.
func Sizes(train, maxTrain, validation, maxValidation int) error {
	return errors.Join(
		Count("train", train, 1, maxTrain),
		Count("validation", validation, 0, maxValidation),
	)
}

// MaxWords reports a limit of words that is negative.
func MaxWords(n int) error {
	if n < 0 {
		return Refuse("max_words", n, "a count of words, or 0 for no limit")
	}
	return nil
}

// Scale reports a scale that is not known.
func Scale(scale string) error {
	if scale != "raw" && scale != "unit" {
		return Refuse("scale", scale, "raw or unit")
	}
	return nil
}
