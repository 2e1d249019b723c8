package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// TestBadRunsDoNotStopTheOthers: each way to fail has its status and its reason, and the rest of the experiment runs.
func TestBadRunsDoNotStopTheOthers(t *testing.T) {
	w := func(p given) []float64 { return make([]float64, p.Dim) }
	panics := scripted{name: "panics", run: func(p given, yield func(solvers.Iterate, error) bool) {
		if yield(solvers.Iterate{W: w(p)}, nil) {
			visit(p, 0)
			panic("off by one")
		}
	}}
	errs := scripted{name: "errs", run: func(p given, yield func(solvers.Iterate, error) bool) {
		if yield(solvers.Iterate{W: w(p)}, nil) {
			visit(p, 0)
			if yield(solvers.Iterate{W: w(p), Epoch: 0}, nil) {
				yield(solvers.Iterate{}, errors.New("singular"))
			}
		}
	}}
	short := scripted{name: "short", run: func(_ given, yield func(solvers.Iterate, error) bool) {
		yield(solvers.Iterate{W: make([]float64, 3)}, nil)
	}}
	picky := scripted{name: "picky", supports: func(models.Objective) error {
		return fmt.Errorf("%w: picky has no taste for digits", solvers.ErrUnsupported)
	}}
	deaf := scripted{name: "deaf", run: func(p given, yield func(solvers.Iterate, error) bool) {
		for yield(solvers.Iterate{W: w(p)}, nil) || true { // goes on after the end
			visit(p, 0)
		}
	}}
	for _, workers := range []int{1, 2} {
		r := runText(t, atC+`
solvers:
  - {as: wild, name: sgd, eta0: 1e200}
  - {name: lbfgs}
  - {name: eg, eta: 0.5}
stop: {passes: 3}
`, With(panics), With(errs), With(short), With(picky), With(deaf), Workers(workers))
		for _, c := range []struct {
			as     string
			status trace.Status
			why    string
			rows   int // at least
		}{
			{"wild", trace.Diverged, "primal became", 2},
			{"lbfgs", trace.Done, "passes", 2},
			{"eg", trace.Done, "passes", 4},
			{"panics", trace.Failed, "panic: off by one", 1},
			{"errs", trace.Failed, "singular", 2},
			{"short", trace.Failed, "len(w) != Dim", 0},
			{"picky", trace.Unsupported, "no taste for digits", 0},
			{"deaf", trace.Failed, "continued iteration", 2},
		} {
			f := labelled(t, r, "as", c.as)
			if f.Status() != c.status || !strings.Contains(f.End.Why, c.why) || len(f.Rows) < c.rows {
				t.Errorf("%s: %s with %d rows: %s; want %s with at least %d: %s", c.as, f.Status(), len(f.Rows), f.End.Why,
					c.status, c.rows, c.why)
			}
		}
		failed := strings.Join(r.Failed(), "\n")
		for name, want := range map[string]bool{"wild": true, "panics": true, "errs": true, "picky": false, "lbfgs": false} {
			if strings.Contains(failed, name+" ") != want {
				t.Errorf("%s among the failures is %v, want %v:\n%s", name, !want, want, failed)
			}
		}
		if r.Interrupted() {
			t.Error("all runs have ended, yet the result calls itself interrupted")
		}
	}
}

// TestUnsupportedIsReported: L-BFGS on the hinge gives its reason; it fails the experiment only if nothing else ran.
func TestUnsupportedIsReported(t *testing.T) {
	text := strings.Replace(atC, "log", "hinge", 1)
	r := runText(t, text+"solvers: [{name: lbfgs}, {name: eg, eta: 0.5}]\nstop: {passes: 1}\n")
	if f := labelled(t, r, "as", "lbfgs"); f.Status() != trace.Unsupported || !strings.Contains(f.End.Why, "not") {
		t.Errorf("lbfgs on the hinge: %+v", f.End)
	}
	wantStatus(t, labelled(t, r, "as", "eg"), trace.Done, "passes")
	if failed := r.Failed(); len(failed) != 0 {
		t.Errorf("failures: %q", failed)
	}
	alone := runText(t, text+"solvers: [{name: lbfgs}]\nstop: {passes: 1}\n")
	if failed := alone.Failed(); len(failed) != 1 || !strings.Contains(failed[0], "unsupported") {
		t.Errorf("failures of an experiment that is unsupported as a whole: %q", failed)
	}
	if _, err := alone.Figure(); err == nil {
		t.Error("a figure of a spec without one")
	}
	path := runText(t, atC+"solvers: [{name: sgd, eta0: 0.1, path: {C: {from: 10, factor: 0.5, steps: 2}, until: {gap: "+
		"0.1}}}, {as: a, name: lbfgs, anneal: {from: 20, factor: 0.5}}]\nstop: {passes: 1}\n")
	for _, f := range path.Files {
		if f.Status() != trace.Unsupported || !strings.Contains(f.End.Why, "dual variables") {
			t.Errorf("%s without dual variables: %+v", f.Describe(), f.End)
		}
	}
}

// TestMissingData: the error can be told from others, and names what to do.
func TestMissingData(t *testing.T) {
	s := readSpec(t, strings.Replace(atC, "{name: digits, train: 60, validation: 40}", "{name: mnist}",
		1)+"solvers: [{name: lbfgs}]\nstop: {passes: 1}\n")
	nowhere := Source(datasets.Source{Data: t.TempDir(), Offline: true})
	if _, err := Run(context.Background(), s, Root(t.TempDir()), nowhere); !errors.Is(err, datasets.ErrMissing) ||
		!strings.Contains(err.Error(), "test/tiny") {
		t.Errorf("Run: %v; want an ErrMissing that names the experiment", err)
	}
	f, err := Estimate(context.Background(), s, Root(t.TempDir()), nowhere)
	if err != nil || f.Note == "" || len(f.Runs) != 1 || f.Memory != 0 || f.Seconds != 0 {
		t.Errorf("Estimate: %+v, %v; want a note and no numbers", f, err)
	}
}
