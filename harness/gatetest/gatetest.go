// Package gatetest guards convergence curves in go test: it checks a team's own solver, on its own spec or on one of
// gaplab, against references in its own repository. The module examples/gate is an example.
//
//	func TestConvergence(t *testing.T) {
//		gatetest.Check(t, "letters.yaml", harness.Options{With: []solvers.Solver{&Momentum{Step: 0.1}}, Only: true})
//	}
//
// The references are committed as testdata/smoke/<paper>/<item>.jsonl. To write them, or to accept changed curves, with
// the difference in the log, run:
//
//	GAPLAB_UPDATE=1 go test -v -run TestConvergence
package gatetest

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/plots"
)

// variable names the environment variable that makes Check write the references.
const variable = "GAPLAB_UPDATE"

// Check runs the smoke scale of an experiment, named by its id or by the path of its file, and compares each curve with
// its reference, in a subtest of the curve's name: within the tolerances of docs/GATE.md or, with Options.Exact, bit by
// bit. A curve that differs is an error with the first point outside and the factor in work to reach the gap there.
// Check draws both curves as moved.svg in the test's artifact folder, which go test -artifacts keeps. A missing
// reference is fatal, and so is a primal below a dual.
//
// The references are below the folder testdata, unless Options.Root names another. If the variable GAPLAB_UPDATE is
// set, Check writes the references instead.
func Check(t *testing.T, experiment string, o harness.Options) {
	t.Helper()
	o.Root = cmp.Or(o.Root, "testdata")
	found, err := harness.Select(experiment)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("gatetest: %q names %d experiments; want one", experiment, len(found))
	}
	if os.Getenv(variable) != "" {
		update(t, found[0], o)
		return
	}
	compared, err := harness.Check(t.Context(), found, o)
	for _, c := range compared {
		t.Run(c.Curve, func(t *testing.T) { report(t, c) })
	}
	switch {
	case errors.Is(err, harness.ErrNoResults), errors.Is(err, trace.ErrDamaged), errors.Is(err, trace.ErrFormat):
		t.Fatalf("%v\nfrom go test: %s=1 go test -run '^%s$'", err, variable, t.Name())
	case err != nil:
		t.Fatal(err)
	}
}

// update writes the references of an experiment, and logs which curves changed.
func update(t *testing.T, e *harness.Experiment, o harness.Options) {
	t.Helper()
	moved, err := harness.Check(t.Context(), []*harness.Experiment{e}, o)
	if err != nil {
		t.Log(err) // no reference, or an unreadable one
	}
	for _, c := range moved {
		if !c.OK {
			t.Logf("%s: %s", c.Curve, c.Message)
		}
	}
	written, err := baseline.Update(t.Context(), []*harness.Experiment{e}, "smoke", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range written {
		t.Logf("wrote %s", path)
	}
}

// report fails the test of a curve that differs.
func report(t *testing.T, c gate.Comparison) {
	t.Helper()
	if c.OK {
		if c.Stale != "" {
			t.Logf("its reference is of other revisions, and the curve is the same: %s", c.Stale)
		}
		return
	}
	t.Errorf("%s, %s moved: %s", c.Experiment, c.Curve, c.Message)
	fig, ok := gate.Figure(c)
	if !ok {
		return
	}
	drawing, err := plots.Draw(fig)
	if err != nil {
		t.Errorf("its figure: %v", err)
		return
	}
	path := filepath.Join(artifacts(t), "moved.svg")
	if err := drawing.Save(path); err != nil {
		t.Error(err)
		return
	}
	t.Logf("both curves: %s (go test -artifacts keeps it)", path)
}

// artifacts returns the artifact folder of the test, or a temporary folder before Go 1.26.
func artifacts(t *testing.T) string {
	t.Helper()
	if a, ok := any(t).(interface{ ArtifactDir() string }); ok {
		return a.ArtifactDir()
	}
	return t.TempDir()
}
