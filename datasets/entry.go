package datasets

import (
	"context"
	"fmt"
	"strings"

	"github.com/gaplab/gaplab/internal/nearest"
)

// Loader is a data set with its settings. Its exported fields, by their yaml tags, are the keys that `dataset:` takes
// in an experiment besides name and format; their jsonschema tags say what is accepted, and the comments above them
// describe them to editors.
//
// Load returns an error that wraps ErrMissing if a file does not exist, or ErrCorrupt if its content differs from what
// the entry states; a *SettingError if a setting is out of range; a *SyntaxError if a text cannot be read; and the
// error of ctx once ctx is cancelled. The same settings and files give the same data, to the bit, because kept data
// (Parsed) may replace a later Load. For the same reason Load must read all files through src.
type Loader interface {
	Load(ctx context.Context, src Source) (*Set, error)
}

// Validator is an optional interface of loaders: Validate reports settings that are out of range as *SettingError,
// joined if there are several, without touching a file. Load makes the same check.
type Validator interface {
	Validate() error
}

// Owned is a loader of the user's own files.
type Owned interface {
	Loader
	Paths() []string // as the settings have them
}

// Entry describes a data set in the catalogue. It is published (and has Files), Synthetic, or a Format of users' own
// files.
type Entry struct {
	Name      string        `json:"name"`      // in experiments, such as ocr-letters
	Title     string        `json:"title"`     // one line, for listings
	About     string        `json:"about"`     // what it holds, in a line or two
	Licence   string        `json:"licence"`   // terms of use, and whose
	Synthetic bool          `json:"synthetic"` // drawn by a generator
	Format    bool          `json:"format"`    // named by `format:` in a spec, not by `name:`
	Revision  int           `json:"-"`         // from 1: raised with each change of the data under any settings
	Files     []File        `json:"files"`     // in the order in which they are listed and fetched
	Expect    Counts        `json:"expect"`    // of the whole set, under the default settings
	New       func() Loader `json:"-"`         // a pointer to a loader with its defaults filled in
}

// Counts are the sizes of a data set; 0: unknown. A test compares them with the files.
type Counts struct {
	Train            int `json:"train"`             // training examples
	Validation       int `json:"validation"`        // validation examples
	Features         int `json:"features"`          // or variables other than the class
	Classes          int `json:"classes"`           // or labels of positions
	NonZeros         int `json:"nonzeros"`          // stored values of the training rows
	Tokens           int `json:"tokens"`            // positions or words of the training sequences
	ValidationTokens int `json:"validation_tokens"` // the same of the validation data
}

// Find returns the entry of that name in a list. The error lists the names.
func Find(list []Entry, name string) (Entry, error) {
	names := make([]string, len(list))
	for i, e := range list {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	return Entry{}, fmt.Errorf("no data set %q%s; there are %s", name, nearest.DidYouMean(name, names),
		strings.Join(names, ", "))
}
