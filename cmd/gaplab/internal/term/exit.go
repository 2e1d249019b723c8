package term

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/notebooks/jupyter"
)

// Exit codes of the program.
const (
	ExitFine        = 0   // success
	ExitShort       = 1   // a claim was not reproduced, or a curve differs from its reference
	ExitUsage       = 2   // the spec or the command line is wrong
	ExitFailed      = 3   // a run failed
	ExitMissing     = 4   // data, a result or a reference is missing or damaged, or a judged run failed
	ExitInterrupted = 130 // a signal stopped the program
	ExitTerminated  = 143 // a task of a campaign was terminated (TERM), and can be resumed on any machine
)

// exitError is an error with an exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// Usage returns an error for a fault in the command line or the spec. It ends the program with ExitUsage. The message
// is formatted as by fmt.Errorf.
func Usage(format string, args ...any) error { return Exit(ExitUsage, format, args...) }

// Exit returns an error that ends the program with the given exit code. The message is formatted as by fmt.Errorf.
func Exit(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

// Faults collects the errors of several experiments, so that an error in one experiment does not stop the others.
type Faults []error

// Add appends an error if it is not nil.
func (f *Faults) Add(err error) {
	if err != nil {
		*f = append(*f, err)
	}
}

// Err returns the faults as one error. If there are none, it returns nil.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Error returns one line per fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, err := range f {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// ExitCode returns the exit code for an error. Among several faults it chooses the most severe one: ExitUsage, then
// ExitMissing, ExitFailed and ExitShort. It returns ExitInterrupted if the context has ended, and ExitFailed for errors
// of unknown kind.
func ExitCode(ctx context.Context, err error) int {
	if err == nil {
		return ExitFine
	}
	if codeOf(err) == ExitTerminated {
		return ExitTerminated
	}
	if ctx.Err() != nil {
		return ExitInterrupted
	}
	list, ok := err.(Faults)
	if !ok {
		list = Faults{err}
	}
	for _, code := range []int{ExitUsage, ExitMissing, ExitFailed, ExitShort} {
		if slices.ContainsFunc(list, func(err error) bool { return codeOf(err) == code }) {
			return code
		}
	}
	return ExitFailed
}

// codeOf returns the exit code of one error.
func codeOf(err error) int {
	var known *exitError
	var fault *lang.Fault
	var setting *datasets.SettingError
	var syntax *datasets.SyntaxError
	switch {
	case errors.As(err, &known):
		return known.code
	case errors.Is(err, datasets.ErrMissing), errors.Is(err, datasets.ErrCorrupt), errors.Is(err, harness.ErrNoResults),
		errors.Is(err, harness.ErrPartial),
		errors.Is(err, trace.ErrDamaged), errors.Is(err, trace.ErrFormat), errors.Is(err, jupyter.ErrMissing):
		return ExitMissing
	case errors.Is(err, harness.ErrNotClean), errors.Is(err, cluster.ErrDiffers), errors.As(err, &fault),
		errors.As(err, &setting), errors.As(err, &syntax):
		return ExitUsage
	}
	return ExitFailed
}
