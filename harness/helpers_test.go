package harness

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// tiny is the head of a spec on 60 drawn digits: the tests add solvers and what else they need.
const tiny = `apiVersion: gaplab/v1
id: test/tiny
dataset: {name: digits, train: 60, validation: 40}
model: {name: multiclass, loss: log}
`

// atC is tiny with one value of C.
const atC = tiny + "regularisation: {convention: eg, C: 10}\n"

// readSpec writes a spec to a file of its own and reads it as a user's would be, at its largest scale.
func readSpec(t *testing.T, text string, set ...string) *lang.Spec {
	t.Helper()
	s, err := fileOf(t, text).At("", set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fileOf(t *testing.T, text string) *Experiment {
	t.Helper()
	file := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := ReadExperiment(file)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// runIn runs a spec with its results in dir.
func runIn(t *testing.T, dir string, s *lang.Spec, opts ...Option) *Result {
	t.Helper()
	r, err := Run(context.Background(), s, append([]Option{Root(dir)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// runText runs a spec in a folder of its own.
func runText(t *testing.T, text string, opts ...Option) *Result {
	t.Helper()
	return runIn(t, t.TempDir(), readSpec(t, text), opts...)
}

// only is the one file of a result.
func only(t *testing.T, r *Result) *trace.File {
	t.Helper()
	if len(r.Files) != 1 {
		t.Fatalf("%d runs, want 1", len(r.Files))
	}
	return r.Files[0]
}

// labelled is the one file whose labels have the given values, as FormatLabel prints them.
func labelled(t *testing.T, r *Result, pairs ...string) *trace.File {
	t.Helper()
	var found *trace.File
files:
	for _, f := range r.Files {
		for i := 0; i < len(pairs); i += 2 {
			if trace.FormatLabel(f.Manifest.Labels[pairs[i]]) != pairs[i+1] {
				continue files
			}
		}
		if found != nil {
			t.Fatalf("two runs with %v", pairs)
		}
		found = f
	}
	if found == nil {
		t.Fatalf("no run with %v", pairs)
	}
	return found
}

func lastRow(t *testing.T, f *trace.File) map[string]float64 {
	t.Helper()
	if len(f.Rows) == 0 {
		t.Fatalf("%s: no rows; it ended as %s: %v", f.Describe(), f.Status(), f.End)
	}
	return f.Rows[len(f.Rows)-1].Values
}

// wantStatus fails the test unless the run ended so.
func wantStatus(t *testing.T, f *trace.File, status trace.Status, rule string) {
	t.Helper()
	if f.Status() != status {
		t.Fatalf("%s: status %s (%+v), want %s", f.Describe(), f.Status(), f.End, status)
	}
	if f.End != nil && f.End.Rule != rule {
		t.Errorf("%s: rule %q, want %q", f.Describe(), f.End.Rule, rule)
	}
}

// sameRows fails the test unless two results have the same runs with the same rows, clocks aside.
func sameRows(t *testing.T, name string, a, b []*trace.File) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d runs against %d", name, len(a), len(b))
	}
	for i := range a {
		if a[i].Manifest.Key != b[i].Manifest.Key {
			t.Errorf("%s: run %d has key %s against %s", name, i, a[i].Manifest.Key, b[i].Manifest.Key)
		}
		if d := trace.Diff(a[i], b[i]); d != "" {
			t.Errorf("%s: %s: %s", name, a[i].Describe(), d)
		}
		if a[i].Status() != trace.Unsupported && len(a[i].Rows) < 2 {
			t.Errorf("%s: %s: %d rows say nothing", name, a[i].Describe(), len(a[i].Rows))
		}
	}
}

// journal gathers the ends of runs.
type journal struct {
	ended, reused []string
	last          Event
}

func (j *journal) option() Option {
	return OnEvent(func(e Event) {
		switch e.Kind {
		case Ended:
			j.ended = append(j.ended, e.Run.Solver.As)
		case Reused:
			j.reused = append(j.reused, e.Run.Solver.As)
		}
		j.last = e
	})
}

func (j *journal) want(t *testing.T, ended, reused []string) {
	t.Helper()
	slices.Sort(j.ended)
	slices.Sort(j.reused)
	if !slices.Equal(j.ended, ended) || !slices.Equal(j.reused, reused) {
		t.Errorf("ended %q and reused %q; want %q and %q", j.ended, j.reused, ended, reused)
	}
	if j.last.Done != j.last.Total {
		t.Errorf("the last event counts %d of %d runs", j.last.Done, j.last.Total)
	}
}

const three = `
solvers:
  - {as: a, name: eg, eta: 0.5}
  - {as: b, name: eg, eta: 0.25}
  - {as: c, name: lbfgs}
stop: {passes: 4}
`
