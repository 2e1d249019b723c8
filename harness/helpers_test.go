package harness

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
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

// column is a column of all rows; it fails the test where a row lacks it.
func column(t *testing.T, f *trace.File, name string) []float64 {
	t.Helper()
	var out []float64
	for i, r := range f.Rows {
		v, ok := r.Values[name]
		if !ok {
			t.Fatalf("%s: row %d has no %s", f.Describe(), i, name)
		}
		out = append(out, v)
	}
	return out
}

// scripted is a solver that a test writes.
type scripted struct {
	name     string
	supports func(models.Objective) error
	run      func(p given, yield func(solvers.Iterate, error) bool)
}

func (s scripted) Name() string { return s.name }

func (s scripted) Needs() solvers.Needs { return solvers.Needs{} }

func (s scripted) Check(o models.Objective) error {
	if s.supports == nil {
		return nil
	}
	return s.supports(o)
}

func (s scripted) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) { s.run(given{p, env}, yield) }
}

// given is what a run is given.
type given struct {
	*models.Risk
	solvers.Env
}

// visit makes one call that counts as a visit of example i.
func visit(p given, i int) {
	e := &p.Examples[i%len(p.Examples)]
	theta := make([]float64, e.Features.Parts())
	e.Max.Max(nil, theta)
}

// steady yields w = 0 after every so many visits, for ever.
func steady(every int) func(given, func(solvers.Iterate, error) bool) {
	return func(p given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := 0; yield(solvers.Iterate{W: w, Epoch: k / len(p.Examples)}, nil); {
			for range every {
				visit(p, k)
				k++
			}
		}
	}
}

// quickly is a spec with one solver that ends at once, for tests whose own solver counts.
func quickly(stop string) string {
	return atC + fmt.Sprintf("solvers: [{name: sgd, eta0: 0.01, stop: {epochs: 1}}]\nstop: %s\n", stop)
}
