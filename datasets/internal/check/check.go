// Package check returns errors for settings of data sets that are out of range.
package check

import (
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/settings"
)

// Refuse returns a *datasets.SettingError for the setting with the given yaml key. The argument want describes the
// accepted values.
func Refuse(key string, value any, want string) error {
	return &datasets.SettingError{Key: key, Value: value, Want: want}
}

// Settings returns an error for each setting of a loader that is outside the range in its struct tag.
func Settings(loader any) error {
	var errs []error
	for _, f := range settings.Faults(loader) {
		errs = append(errs, Refuse(f.Key, f.Value, f.Want))
	}
	return errors.Join(errs...)
}

// Limit returns an error if the setting limit is larger than the number n of items.
func Limit(key string, limit, n int, items string) error {
	if limit > n {
		return Refuse(key, limit, fmt.Sprintf("at most the %d %s", n, items))
	}
	return nil
}

// HeldOut returns an error unless the setting train, a number of training items, is at least 1 and leaves some of all
// items to be held out.
func HeldOut(key string, train, all int) error {
	if train < 1 || train >= all {
		return Refuse(key, train, fmt.Sprintf("1 to %d, since held_out is true", all-1))
	}
	return nil
}
