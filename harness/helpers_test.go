package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
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

// specOn returns a spec without solvers on a data set and a model, as the fields of its maps, with more lines.
func specOn(dataset, model, more string) string {
	return "apiVersion: gaplab/v1\nid: test/own\ndataset: {" + dataset + "}\nmodel: {name: " + model + "}\n" + more
}

// passes returns the lines of a spec for a run of one solver at C = 10 for so many passes.
func passes(n int, solver string) string {
	return fmt.Sprintf("regularisation: {convention: eg, C: [10]}\nsolvers: [{name: %s}]\nstop: {passes: %d}\n", solver, n)
}

// readSpec writes a spec to a file of its own and reads it as a user's would be, at its largest scale.
func readSpec(t testing.TB, text string) *lang.Spec {
	t.Helper()
	return at(t, fileOf(t, text), "")
}

// at returns an experiment at a scale.
func at(t testing.TB, e *Experiment, scale string, set ...string) *lang.Spec {
	t.Helper()
	s, err := e.At(scale, set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fileOf(t testing.TB, text string) *Experiment {
	t.Helper()
	return found(t, fileWith(t, text))
}

// found returns the experiment with an id, or in a file.
func found(t testing.TB, id string) *Experiment {
	t.Helper()
	e, err := Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// fileWith writes a text to a file spec.yaml in a folder of its own.
func fileWith(t testing.TB, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// drawn returns the figure of a result.
func drawn(t testing.TB, r *Result) figure.Figure {
	t.Helper()
	fig, err := r.Figure()
	if err != nil {
		t.Fatal(err)
	}
	return fig
}

// reread returns the results in a folder.
func reread(t testing.TB, s *lang.Spec, o Options) *Result {
	t.Helper()
	r, err := Read(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refused checks that an error holds each of some texts.
func refused(t testing.TB, name string, err error, want ...string) {
	t.Helper()
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%s: the error is %v; want %q in it", name, err, w)
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

// in returns the options given, if any, with dir as the results folder.
func in(dir string, given ...Options) Options {
	var o Options
	for _, o = range given {
	}
	o.Root = dir
	return o
}

// runText runs a spec in a folder of its own.
func runText(t *testing.T, text string, o ...Options) *Result {
	t.Helper()
	return runIn(t, t.TempDir(), readSpec(t, text), o...)
}

// journal gathers the ends of runs.
type journal struct {
	ended, reused []string
	last          schedule.Event
}

func (j *journal) event(e schedule.Event) {
	switch e.Kind {
	case schedule.Ended:
		j.ended = append(j.ended, e.Run.Solver.As)
	case schedule.Reused:
		j.reused = append(j.reused, e.Run.Solver.As)
	}
	j.last = e
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

// only returns the single file of a result.
func only(t *testing.T, r *Result) *trace.File {
	t.Helper()
	return toy.Only(t, &toy.Result{Files: r.Files})
}

// labelled returns the single file whose labels have the given values, as trace.FormatLabel prints them.
func labelled(t *testing.T, r *Result, pairs ...string) *trace.File {
	t.Helper()
	return toy.Labelled(t, &toy.Result{Files: r.Files}, pairs...)
}
