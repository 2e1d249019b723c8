// Package session checks, completes and runs the specs of the playground. It uses the same language, plan and harness
// as the program, but none of its figures, tables and claims, so that it is small as WebAssembly. It also works outside
// a browser, where tests use it.
package session

import (
	"errors"
	"reflect"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/entries"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/editor"
	"github.com/gaplab/gaplab/harness/record"
)

// Descriptions returns the description of a setting, whose key DescriptionKey returns; "" if it has none.
type Descriptions func(key string) string

// DescriptionKey returns the key of the description of a field of a type.
func DescriptionKey(t reflect.Type, field string) string {
	return t.PkgPath() + "." + t.Name() + "." + field
}

// Session is a playground with a folder for the files of its runs.
type Session struct {
	parser *lang.Parser
	folder string
}

// Name is the name of the spec in messages, and the default name of the exported file.
const Name = "playground.yaml"

// New returns a session with a folder, which must exist. Completions show the descriptions; d may be nil.
func New(folder string, d Descriptions) (*Session, error) {
	c := entries.All()
	c.Rows = record.Component()
	if d != nil {
		c.Describe = func(t reflect.Type, field string) string { return d(DescriptionKey(t, field)) }
	}
	// Expressions of figures, tables and claims are not checked: the playground does not evaluate them.
	c.CheckExpr = func(kind, text string) error { return nil }
	parser, err := lang.NewParser(c)
	if err != nil {
		return nil, err
	}
	return &Session{parser: parser, folder: folder}, nil
}

// Fault is a fault of a spec.
type Fault struct {
	Line int    `json:"line"` // 0 if the fault has no line
	Key  string `json:"key"`  // dotted path; "" if the fault has none
	Text string `json:"text"` // the message as the program prints it
}

// Report is the result of a check.
type Report struct {
	Faults []Fault        `json:"faults"`
	Spec   map[string]any `json:"spec"` // the keys of the spec; nil if the spec has faults
	Runs   int            `json:"runs"` // number of planned runs
}

// Check checks a spec at its largest scale and at all others.
func (s *Session) Check(text string) Report {
	f, err := s.parser.Parse(Name, []byte(text))
	if err != nil {
		return Report{Faults: faultsOf(err)}
	}
	runs, err := plan(f)
	if err != nil {
		return Report{Faults: faultsOf(err)}
	}
	out := Report{Faults: []Fault{}, Runs: runs}
	if err := yaml.Unmarshal([]byte(text), &out.Spec); err != nil {
		return Report{Faults: faultsOf(err)}
	}
	return out
}

// plan returns the number of runs of a spec.
func plan(f *lang.File) (int, error) {
	spec, err := f.At("", nil)
	if err != nil {
		return 0, err
	}
	runs, err := spec.Plan()
	return len(runs), err
}

// faultsOf lists the faults in an error of the parser.
func faultsOf(err error) []Fault {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var out []Fault
		for _, e := range joined.Unwrap() {
			out = append(out, faultsOf(e)...)
		}
		return out
	}
	var fault *lang.Fault
	if errors.As(err, &fault) {
		return []Fault{{fault.Line, fault.Key, err.Error()}}
	}
	return []Fault{{Text: err.Error()}}
}

// Word is a word that may be written at a cursor.
type Word struct {
	Word string `json:"word"`
	Key  bool   `json:"key"`
	Says string `json:"says"` // description, accepted values and default
}

// Completion lists the words that may replace the bytes Start to End of a text.
type Completion struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Words []Word `json:"words"`
}

// Complete lists the words that are accepted at a cursor, which is an offset in bytes.
func (s *Session) Complete(text string, cursor int) Completion {
	p := editor.Hints(s.parser, text, min(max(cursor, 0), len(text)))
	out := Completion{Start: p.Start, End: p.End, Words: []Word{}}
	for _, h := range p.Hints {
		says := h.Says
		for _, more := range []struct{ name, text string }{{"accepted", h.Accepts}, {"default", h.Default}} {
			if more.text == "" {
				continue
			}
			if says != "" {
				says += "; "
			}
			says += more.name + ": " + more.text
		}
		out.Words = append(out.Words, Word{h.Word, h.Key, says})
	}
	return out
}
