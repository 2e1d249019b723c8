package datasets

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMissing is wrapped by errors of Load and Fetch if a file of a data set was not found.
var ErrMissing = errors.New("data not found")

// ErrCorrupt is wrapped by errors of Load and Fetch if the content of a file differs from the published content.
var ErrCorrupt = errors.New("the content differs from the published content")

// MissingError names a missing file, the places where it was looked for, and a way to get it. It wraps ErrMissing.
type MissingError struct {
	Set     string   // name of the data set
	File    string   // name of the file in the catalogue
	Looked  []string // folders that were searched, or reasons why a folder was not searched
	Offline bool     // whether downloads were not allowed
	Tries   []error  // an error for each URL that was tried
	Advice  string   // what the user can do; if "", the message advises the command that fetches the data set
}

func (e *MissingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s not found; looked in %s", e.Set, e.File, strings.Join(e.Looked, ", "))
	for _, err := range e.Tries {
		fmt.Fprintf(&b, "; %v", err)
	}
	if e.Offline {
		b.WriteString("; downloads are off (offline)")
	}
	advice := e.Advice
	if advice == "" {
		advice = "get it with: gaplab data fetch " + e.Set
		if len(e.Tries) > 0 {
			advice = "if you have a copy in a folder: gaplab data fetch " + e.Set + " --from DIR"
		}
	}
	fmt.Fprintf(&b, "; %s", advice)
	return b.String()
}

// Unwrap returns ErrMissing and the errors of the downloads.
func (e *MissingError) Unwrap() []error { return append([]error{ErrMissing}, e.Tries...) }

// ContentError reports a file whose decompressed content has the wrong checksum. It wraps ErrCorrupt.
type ContentError struct {
	Path      string // path or URL of the file
	Got, Want string // SHA-256 of the decompressed content, and SHA-256 in the catalogue
	Err       error  // the error if the content could not be decompressed or read to its end, otherwise nil
}

func (e *ContentError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: cannot be unpacked: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s: decompressed content has SHA-256 %s, the catalogue has %s: not the published file, or "+
		"damaged", e.Path, e.Got, e.Want)
}

// Unwrap returns ErrCorrupt and, if decompression failed, the error of the decompression.
func (e *ContentError) Unwrap() []error {
	if e.Err != nil {
		return []error{ErrCorrupt, e.Err}
	}
	return []error{ErrCorrupt}
}

// SettingError reports a setting of a loader that is out of range, or that conflicts with another setting.
type SettingError struct {
	Key   string // yaml key of the setting
	Value any    // value of the setting
	Want  string // description of the accepted values
}

func (e *SettingError) Error() string {
	return fmt.Sprintf("dataset: %s is %#v: want %s", e.Key, e.Value, e.Want)
}

// SyntaxError reports a fault in a text file.
type SyntaxError struct {
	Path   string // path of the file
	Line   int    // line of the fault, from 1
	Column int    // column of the fault in bytes, from 1
	Msg    string // what is wrong, and what is accepted
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Msg)
}
