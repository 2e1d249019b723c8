package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

func TestExitCode(t *testing.T) {
	missing := fmt.Errorf("eg/fig06: %w", datasets.ErrMissing)
	short := exit(exitShort, "not reproduced: eg/fig06/c1")
	failed := exit(exitFailed, "eg/fig06: sgd: diverged")
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want int
	}{
		{"fine", t.Context(), nil, exitFine},
		{"fine, although interrupted at the end", cut, nil, exitFine},
		{"interrupted", cut, short, exitInterrupted},
		{"short", t.Context(), faults{short}, exitShort},
		{"failed before short", t.Context(), faults{short, failed}, exitFailed},
		{"missing before failed", t.Context(), faults{short, failed, missing}, exitMissing},
		{"spec before missing", t.Context(), faults{missing, &lang.Fault{}, failed}, exitUsage},
		{"wrapped spec", t.Context(), fmt.Errorf("x: %w", &lang.Fault{}), exitUsage},
		{"joined spec", t.Context(), errors.Join(&lang.Fault{}, &lang.Fault{}), exitUsage},
		{"setting", t.Context(), fmt.Errorf("x: %w", &datasets.SettingError{}), exitUsage},
		{"malformed line", t.Context(), fmt.Errorf("x: %w", &datasets.SyntaxError{}), exitUsage},
		{"corrupt", t.Context(), fmt.Errorf("x: %w", datasets.ErrCorrupt), exitMissing},
		{"no results", t.Context(), fmt.Errorf("x: %w", harness.ErrNoResults), exitMissing},
		{"disk full", t.Context(), errors.New("no space left on device"), exitFailed},
	}
	for _, test := range tests {
		if got := exitCode(test.ctx, test.err); got != test.want {
			t.Errorf("%s: exit code %d; want %d", test.name, got, test.want)
		}
	}
	if err := (faults{}).err(); err != nil {
		t.Errorf("no faults are the error %v", err)
	}
}

// fullDisk refuses what is written to it.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestLostOutput(t *testing.T) {
	var stderr bytes.Buffer
	sys := system{out: fullDisk{}, err: &stderr, getenv: func(string) string { return "" }}
	for _, args := range [][]string{{"version"}, {"list"}, {"list", "--format", "json"}, {"list", "--format", "csv"},
		{"schema"}, {"--help"}} {
		stderr.Reset()
		if code := run(t.Context(), sys, args); code != exitFailed {
			t.Errorf("%v on a full disk: exit code %d; want %d", args, code, exitFailed)
		}
		if want := "gaplab: standard output: no space left on device\n"; stderr.String() != want {
			t.Errorf("%v on a full disk: %q; want %q", args, stderr.String(), want)
		}
	}
}
