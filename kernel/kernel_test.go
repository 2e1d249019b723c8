package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// screen is what a notebook would show.
type screen struct {
	mu    sync.Mutex
	texts []string // by media type
}

func (s *screen) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, text)
}

func (s *screen) Print(text string) { s.add("out " + text) }
func (s *screen) Warn(text string)  { s.add("err " + text) }
func (s *screen) Clear()            {}

func (s *screen) Display(_ string, data map[string]string) {
	for media, text := range data {
		s.add(media + " " + text)
	}
}

func (s *screen) Update(id string, data map[string]string) { s.Display(id, data) }

func (s *screen) String() string { return strings.Join(s.texts, "\n") }

func session(t *testing.T) *Kernel {
	t.Helper()
	k, err := New(Host{Version: "1", Verbs: []string{"claims"},
		Verb: func(_ context.Context, args []string, out, _ io.Writer) error {
			_, err := fmt.Fprintln(out, "verb", args)
			return err
		},
		Options: []harness.Option{harness.Root(t.TempDir())}})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// do executes a cell.
func do(t *testing.T, k *Kernel, code string) (string, error) {
	t.Helper()
	var s screen
	err := k.Execute(t.Context(), code, &s)
	return s.String(), err
}

const digits = `eg-digits:
  dataset: {name: digits, train: 80, validation: 20}
  model: {name: multiclass, loss: log}
  regularisation: {convention: lambda, lambda: 0.01}
  solvers: [{name: eg, eta: 0.5}]
  stop: {passes: 4}
  figure: {x: passes, y: gap, yscale: log, series: "{as}"}
`

func TestCells(t *testing.T) {
	k := session(t)
	for _, c := range []struct{ code, want, not string }{
		{digits, "text/html <div><svg", "sgd"},
		{`= len(series)`, "text/plain 1", ""},
		{"sgd: {base: eg-digits, solvers: [{name: sgd, eta0: 0.1}]}", "text/html <div><svg", ""},
		{`= len(series)`, "text/plain 2", ""},
		{"base: previous\nstop: {passes: 2}\nfigure: null", "| sgd ", "<svg"},
		{`= final(curve({as: "eg"}), "passes")`, "text/plain 2", ""},
		{"%set stop.passes=1", "out settings of all cells: stop.passes=1", ""},
		{"base: previous", "| 1 |", ""},
		{"%set\n%scale smoke", "out scale: smoke", ""},
		{"%claims 'a b'", "out verb [claims a b --scale smoke]", ""},
		{"%help", "text/markdown A cell is an experiment", "VERBS"},
	} {
		got, err := do(t, k, c.code)
		if err != nil || !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: %v\n%.600s\nwant %q", c.code, err, got, c.want)
		}
	}
}

// What is wrong is an error of the cell, with line, key and what would be right.
func TestFaults(t *testing.T) {
	k := session(t)
	for code, want := range map[string]string{
		"= len(series)":                          "no results yet",
		"= 1 +":                                  "no results yet",
		"%nothing":                               "no verb %nothing; accepted: %help, %run",
		"%scale big":                             "accepted: smoke, quick, paper",
		"%run eg/fig99":                          `no experiment "eg/fig99"`,
		"%run 'eg":                               "want a verb",
		"base: nowhere":                          `line 1, base: no cell "nowhere"`,
		"a: [1":                                  "not YAML",
		"plain text":                             "got",
		strings.Replace(digits, "eta", "ete", 1): "line 5, solvers.0.ete: unknown key, did you mean \"eta\"?",
	} {
		_, err := do(t, k, code)
		var e *protocol.Error
		if !errors.As(err, &e) || !strings.Contains(strings.Join(append(e.Trace, e.Value), "\n"), want) {
			t.Errorf("%s: %v, want %q", code, err, want)
		}
	}
	_, err := do(t, k, strings.Replace(digits, "eta", "ete", 1))
	var e *protocol.Error
	if !errors.As(err, &e) || e.Name != "SpecError" ||
		!slices.Contains(e.Trace, "   5 |   solvers: [{name: eg, ete: 0.5}]") {
		t.Errorf("the trace lacks the line of the cell: %+v", e)
	}
}

// An interrupted cell ends soon with that as its error.
func TestInterrupt(t *testing.T) {
	k := session(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(400*time.Millisecond, func() { cancel(protocol.ErrInterrupted) })
	begun := time.Now()
	var s screen
	code := strings.Replace(strings.Replace(digits, "passes: 4", "passes: 1000000", 1), "train: 80", "train: 2000", 1)
	if err := k.Execute(ctx, code, &s); !errors.Is(err, protocol.ErrInterrupted) || time.Since(begun) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
	if got, err := do(t, k, digits); err != nil {
		t.Errorf("the next cell: %v\n%s", err, got)
	}
}

func TestHelpWhileTyping(t *testing.T) {
	k := session(t)
	for code, want := range map[string]string{"%ru": "%run", "%run eg/fig0": "eg/fig06", "solvers: [{name: bcf": "bcfw",
		"= fin": "final", "dataset: {name: dig": "digits"} {
		got := k.Complete(code, len(code))
		if !slices.Contains(got.Matches, want) || !strings.HasPrefix(want, code[got.Start:got.End]) {
			t.Errorf("%s: %+v, want %s", code, got, want)
		}
	}
	if got := k.Inspect("name: bcfw", 8); !strings.Contains(got, "block-coordinate") {
		t.Errorf("bcfw: %q", got)
	}
	if whole, indent := k.Whole("a:\n  dataset:"); whole || indent != "    " {
		t.Errorf("whole %v, indent %q", whole, indent)
	}
}
