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
	ExitFine        = 0   // all is well
	ExitShort       = 1   // a claim or a curve fell short
	ExitUsage       = 2   // the spec or the usage is wrong
	ExitFailed      = 3   // a run failed
	ExitMissing     = 4   // data or a reference is missing or damaged
	ExitInterrupted = 130 // a signal stopped it
	ExitTerminated  = 143 // a task of a campaign was told to stop (TERM), and can go on elsewhere
)

// exitError is an error that knows its exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// Usage is an error in the command line or the spec, formatted as by fmt.Errorf.
func Usage(format string, args ...any) error { return Exit(ExitUsage, format, args...) }

// Exit is an error that ends the program with a code, formatted as by fmt.Errorf.
func Exit(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

// Faults are what went wrong with several experiments, one line each. One fault does not hide or stop the others.
type Faults []error

// Add appends an error, unless it is nil.
func (f *Faults) Add(err error) {
	if err != nil {
		*f = append(*f, err)
	}
}

// Err is nil if there are no faults.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Error has one line per fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, err := range f {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// ExitCode is that of the gravest fault: what the user must put right comes before what a computation found.
// It is ExitInterrupted if the context has ended, and ExitFailed for errors of no known kind.
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

func codeOf(err error) int {
	var known *exitError
	var fault *lang.Fault
	var setting *datasets.SettingError
	var syntax *datasets.SyntaxError
	switch {
	case errors.As(err, &known):
		return known.code
	case errors.Is(err, datasets.ErrMissing), errors.Is(err, datasets.ErrCorrupt), errors.Is(err, harness.ErrNoResults),
		errors.Is(err, trace.ErrDamaged), errors.Is(err, trace.ErrFormat), errors.Is(err, jupyter.ErrMissing):
		return ExitMissing
	case errors.Is(err, harness.ErrNotClean), errors.Is(err, cluster.ErrDiffers), errors.As(err, &fault),
		errors.As(err, &setting), errors.As(err, &syntax):
		return ExitUsage
	}
	return ExitFailed
}
