package datasets

import (
	"context"
	"fmt"

	"github.com/gaplab/gaplab/internal/nearest"
)

// Loader loads one data set. Its exported fields are the settings of the data set. The yaml tags of the fields are the
// keys that a spec may have under `dataset:`, besides name and format. The jsonschema tags state the accepted values.
// Editors show the comments above the fields.
//
// Load returns an error that wraps ErrMissing if a file does not exist, or ErrCorrupt if the content of a file does not
// have the checksum in the entry. It returns a *SettingError if a setting is out of range, a *SyntaxError if a text
// cannot be parsed, and the error of ctx if ctx is cancelled. The same settings and files must give the same data, to
// the bit. Load must read all files through src. The reason for both rules is that a later load may use the cache of
// parsed data instead of calling Load (see Parsed).
type Loader interface {
	Load(ctx context.Context, src Source) (*Set, error)
}

// Validator is an optional interface of loaders. Validate reports each setting that is out of range as a *SettingError,
// and joins several errors. It reads no file. Load checks the settings in the same way.
type Validator interface {
	Validate() error
}

// Owned is a loader of the user's own files.
type Owned interface {
	Loader
	Paths() []string // paths of the files, as written in the settings
}

// Entry describes a data set in the catalogue. There are three sorts: a published data set, which has Files; a
// generator, for which Synthetic is set; and a format of users' own files, for which Format is set.
type Entry struct {
	Name      string        `json:"name"`      // name in specs, such as ocr-letters
	Title     string        `json:"title"`     // one line, for listings
	About     string        `json:"about"`     // description of the content, in one or two lines
	Licence   string        `json:"licence"`   // terms of use, and who set them
	Synthetic bool          `json:"synthetic"` // whether a generator draws the data
	Format    bool          `json:"format"`    // whether a spec names the entry by `format:`, not by `name:`
	Revision  int           `json:"-"`         // from 1; must be raised when the data of any settings change
	Files     []File        `json:"files"`     // in the order in which they are listed and fetched
	Expect    Counts        `json:"expect"`    // sizes of the data set under the default settings
	New       func() Loader `json:"-"`         // returns a pointer to a loader with the default settings
}

// Counts are the sizes of a data set; a size of 0 is unknown. A test compares these sizes with the loaded data.
type Counts struct {
	Train            int `json:"train"`             // training examples
	Validation       int `json:"validation"`        // validation examples
	Features         int `json:"features"`          // features, or variables other than the class
	Classes          int `json:"classes"`           // classes, or labels of positions
	NonZeros         int `json:"nonzeros"`          // stored values of the training rows
	Tokens           int `json:"tokens"`            // positions or words of the training data
	ValidationTokens int `json:"validation_tokens"` // positions or words of the validation data
}

// Find returns the entry with the given name. If there is none, the error lists the names that exist.
func Find(list []Entry, name string) (Entry, error) {
	names := make([]string, len(list))
	for i, e := range list {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	return Entry{}, fmt.Errorf("no data set %q%s; `gaplab data list` prints all names", name, nearest.Names(name, names))
}
