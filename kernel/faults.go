package kernel

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// shown converts an error to the form that a notebook shows. Each fault of a spec is shown with its line of the cell's
// code.
func shown(err error, code string) error {
	if err == nil {
		return nil
	}
	lines := strings.Split(code, "\n")
	e := &protocol.Error{Name: "Error", Value: err.Error()}
	for _, f := range faults(err) {
		e.Name = "SpecError"
		where := f.Key
		if f.Line > 0 {
			where = strings.TrimSuffix(fmt.Sprintf("line %d, %s", f.Line, f.Key), ", ")
		}
		e.Trace = append(e.Trace, strings.TrimPrefix(where+": ", ": ")+f.Reason)
		if f.Line > 0 && f.Line <= len(lines) {
			e.Trace = append(e.Trace, fmt.Sprintf("%4d | %s", f.Line, lines[f.Line-1]))
		}
	}
	if errors.As(err, new(*settingsError)) {
		e.Trace = append([]string{settingsNote}, e.Trace...)
	}
	if len(e.Trace) > 0 {
		e.Value = e.Trace[0]
	}
	return e
}

// settingsError is the error of a cell whose experiment does not accept the settings that the verb %set has made.
type settingsError struct{ err error }

const settingsNote = "the experiment does not accept the settings of %set; %set alone removes them:"

func (e *settingsError) Error() string   { return settingsNote + " " + e.err.Error() }
func (e *settingsError) Unwrap() []error { return []error{e.err} }

// faults returns the faults of a spec that are wrapped in err, in the order of the error.
func faults(err error) (out []*lang.Fault) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			out = append(out, faults(e)...)
		}
		return out
	}
	var f *lang.Fault
	if errors.As(err, &f) {
		out = append(out, f)
	}
	return out
}
