package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// Exit codes.
const (
	exitFine        = 0
	exitShort       = 1 // a claim or a curve fell short
	exitUsage       = 2 // the spec or the usage is wrong
	exitFailed      = 3 // a run failed
	exitMissing     = 4 // data or a reference is missing
	exitInterrupted = 130
)

// exitError is an error that knows its exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return exit(exitUsage, format, args...) }

func exit(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

// faults are what went wrong with several experiments, one line each. One fault does not hide or stop the others.
type faults []error

func (f *faults) add(err error) {
	if err != nil {
		*f = append(*f, err)
	}
}

// err is nil if there are no faults.
func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

func (f faults) Error() string {
	lines := make([]string, len(f))
	for i, err := range f {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// exitCode is that of the gravest fault: what the user must mend comes before what a computation brought to light.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitFine
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	list, ok := err.(faults)
	if !ok {
		list = faults{err}
	}
	for _, code := range []int{exitUsage, exitMissing, exitFailed, exitShort} {
		if slices.ContainsFunc(list, func(err error) bool { return codeOf(err) == code }) {
			return code
		}
	}
	return exitFailed
}

func codeOf(err error) int {
	var known *exitError
	var fault *lang.Fault
	var setting *datasets.SettingError
	var syntax *datasets.SyntaxError
	switch {
	case errors.As(err, &known):
		return known.code
	case errors.Is(err, datasets.ErrMissing), errors.Is(err, datasets.ErrCorrupt), errors.Is(err, harness.ErrNoResults):
		return exitMissing
	case errors.As(err, &fault), errors.As(err, &setting), errors.As(err, &syntax):
		return exitUsage
	}
	return exitFailed
}
