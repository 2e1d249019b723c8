package datasets

import (
	"context"
	"fmt"
	"strings"
)

// Loader is a data set with its settings. Its exported fields, by their yaml tags, are the keys that `dataset:` takes
// in a spec besides name and format.
//
// Load returns ErrMissing if a file is not there, ErrCorrupt if a file is not what the catalogue says, and a
// *SettingError if a setting is out of range.
type Loader interface {
	Load(ctx context.Context, src Source) (*Set, error)
}

// Validator is a second interface of loaders: Check reports settings that are out of range as *SettingError, without
// touching a file. Load does the same check.
type Validator interface {
	Validate() error
}

// Entry is one line of the catalogue: a named data set, a generator, or (Format) a reader of the user's own file.
type Entry struct {
	Name      string        `json:"name"`
	Title     string        `json:"title"`
	About     string        `json:"about"`
	Licence   string        `json:"licence"`
	Synthetic bool          `json:"synthetic"` // made by a generator
	Format    bool          `json:"format"`    // named by `format:` in a spec, not by `name:`
	Revision  int           `json:"-"`         // from 1: raised with each change of the data that some settings give
	Files     []File        `json:"files"`
	Expect    Counts        `json:"expect"` // of the whole set, under the default settings
	New       func() Loader `json:"-"`      // a pointer to a loader with its defaults filled in
}

// Counts are the sizes of a data set; 0 is unknown. A test holds them against the files.
type Counts struct {
	Train            int `json:"train"`      // training examples
	Validation       int `json:"validation"` // validation examples
	Features         int `json:"features"`
	Classes          int `json:"classes"`
	NonZeros         int `json:"nonzeros"` // stored values of the training rows
	Tokens           int `json:"tokens"`   // positions of the training sequences, or words of the training sentences
	ValidationTokens int `json:"validation_tokens"`
}

// Find returns the entry of that name in a list. The error says which names there are.
func Find(list []Entry, name string) (Entry, error) {
	names := make([]string, len(list))
	for i, e := range list {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	return Entry{}, fmt.Errorf("no data set %q: there are %s", name, strings.Join(names, ", "))
}
