package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// tiny is the beginning of a spec on a generated data set of 60 digits. The tests add solvers and other sections.
const tiny = `apiVersion: gaplab/v1
id: test/tiny
dataset: {name: digits, train: 60, validation: 40}
model: {name: multiclass, loss: log}
`

// atC is the spec tiny with a single value of C.
const atC = tiny + "regularisation: {convention: eg, C: 10}\n"

// specOn returns a spec with a data set and a model, each given as the fields of a YAML map, followed by more lines.
func specOn(dataset, model, more string) string {
	return "apiVersion: gaplab/v1\nid: test/own\ndataset: {" + dataset + "}\nmodel: {name: " + model + "}\n" + more
}

// passes returns the lines of a spec for a run of one solver at C = 10 for n passes.
func passes(n int, solver string) string {
	return fmt.Sprintf("regularisation: {convention: eg, C: [10]}\nsolvers: [{name: %s}]\nstop: {passes: %d}\n", solver, n)
}

// readSpec writes a spec to a new file and reads it as a user's spec, at its default scale.
func readSpec(t testing.TB, text string) *lang.Spec {
	t.Helper()
	return at(t, fileOf(t, text), "")
}

// at returns the spec of an experiment at a scale, with changed settings.
func at(t testing.TB, e *Experiment, scale string, set ...string) *lang.Spec {
	t.Helper()
	s, err := e.At(scale, set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fileOf writes a spec to a new file and reads it as an experiment.
func fileOf(t testing.TB, text string) *Experiment {
	t.Helper()
	return found(t, fileWith(t, text))
}

// found returns an experiment, given its id or its file.
func found(t testing.TB, id string) *Experiment {
	t.Helper()
	e, err := Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// fileWith writes a text to a file spec.yaml in a new folder and returns its path.
func fileWith(t testing.TB, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// drawn returns the figure of a result, as data.
func drawn(t testing.TB, r *Result) figure.Figure {
	t.Helper()
	fig, err := r.Figure()
	if err != nil {
		t.Fatal(err)
	}
	return fig
}

// reread reads the results of a spec without running it.
func reread(t testing.TB, s *lang.Spec, o Options) *Result {
	t.Helper()
	r, err := Read(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refused checks that an error contains each of the texts in want.
func refused(t testing.TB, name string, err error, want ...string) {
	t.Helper()
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %v, want one that contains %q", name, err, w)
		}
	}
}

// runIn runs a spec with its results in dir.
func runIn(t testing.TB, dir string, s *lang.Spec, o ...Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), s, in(dir, o...))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// in returns the last of the given options, if any, with dir as the results folder.
func in(dir string, given ...Options) Options {
	var o Options
	for _, o = range given {
	}
	o.Root = dir
	return o
}

// runText runs a spec, given as text, in a new folder.
func runText(t *testing.T, text string, o ...Options) *Result {
	t.Helper()
	return runIn(t, t.TempDir(), readSpec(t, text), o...)
}

// three is the end of a spec: three solvers (a, b, c) and a stop rule.
const three = `
solvers:
  - {as: a, name: eg, eta: 0.5}
  - {as: b, name: eg, eta: 0.25}
  - {as: c, name: lbfgs}
stop: {passes: 4}
`

// only returns the file of a result that has exactly one.
func only(t *testing.T, r *Result) *trace.File {
	t.Helper()
	return toy.Only(t, &toy.Result{Files: r.Files})
}

// labelled returns the only file of r whose labels have the given values. pairs alternates names and values; values are
// written as trace.FormatLabel writes them.
func labelled(t *testing.T, r *Result, pairs ...string) *trace.File {
	t.Helper()
	return toy.Labelled(t, &toy.Result{Files: r.Files}, pairs...)
}
