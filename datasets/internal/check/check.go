// Package check refuses settings of data sets that are out of range.
package check

import (
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/settings"
)

// Refuse returns the error for a setting with that yaml key, with the values that are accepted.
func Refuse(key string, value any, want string) error {
	return &datasets.SettingError{Key: key, Value: value, Want: want}
}

// Settings reports each setting of a loader that is out of the range of its struct tag.
func Settings(loader any) error {
	var errs []error
	for _, f := range settings.Faults(loader) {
		errs = append(errs, Refuse(f.Key, f.Value, f.Want))
	}
	return errors.Join(errs...)
}

// Limit returns an error if the limit is larger than n, the number of items.
func Limit(key string, limit, n int, items string) error {
	if limit > n {
		return Refuse(key, limit, fmt.Sprintf("at most the %d %s", n, items))
	}
	return nil
}
