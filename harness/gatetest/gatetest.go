// Package gatetest checks convergence curves in go test. A team can check its own solver, on its own spec or on one of
// gaplab's specs, against references in its own repository. The module examples/gate is an example.
//
//	func TestConvergence(t *testing.T) {
//		gatetest.Check(t, "letters.yaml", harness.Options{With: []solvers.Solver{&Momentum{Step: 0.1}}, Only: true})
//	}
//
// The references are committed as testdata/smoke/<paper>/<item>.jsonl. To write them, or to accept changed curves, run
// the following command. It also logs the differences.
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

// variable is the name of the environment variable. If it is set, Check writes the references.
const variable = "GAPLAB_UPDATE"

// Check runs an experiment at smoke scale and compares each curve with its reference. The experiment is given by its id
// or the path of its file. The comparison uses the tolerances of docs/GATE.md or, with Options.Exact, is bit by bit.
// Each curve has a subtest with its name. If a curve differs, the subtest fails. Its message contains the first point
// outside the tolerance, and the ratio of the work that both curves need to reach the gap at this point. Check then
// draws both curves in the file moved.svg in the test's artifact folder, which go test -artifacts keeps. If a reference
// is missing, or a primal is below a dual, the test fails at once.
//
// The references are in the folder testdata, or in Options.Root if that is set. If the environment variable
// GAPLAB_UPDATE is set, Check writes the references instead.
func Check(t *testing.T, experiment string, o harness.Options) {
	t.Helper()
	o.Root = cmp.Or(o.Root, "testdata")
	found, err := harness.Select(experiment)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("gatetest: %q names %d experiments, want one", experiment, len(found))
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
		t.Fatalf("%v\nto create it from go test, run: %s=1 go test -run '^%s$'", err, variable, t.Name())
	case err != nil:
		t.Fatal(err)
	}
}

// update writes the references of an experiment and logs which curves differ from the old ones.
func update(t *testing.T, e *harness.Experiment, o harness.Options) {
	t.Helper()
	moved, err := harness.Check(t.Context(), []*harness.Experiment{e}, o)
	if err != nil {
		t.Log(err) // there is no old reference, or it cannot be read
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

// report fails the test if a new curve differs from its reference, and draws both.
func report(t *testing.T, c gate.Comparison) {
	t.Helper()
	if c.OK {
		if c.Stale != "" {
			t.Logf("the reference has other revisions, but the curve is the same: %s", c.Stale)
		}
		return
	}
	t.Errorf("%s, %s differs from its reference: %s", c.Experiment, c.Curve, c.Message)
	fig, ok := gate.Figure(c)
	if !ok {
		return
	}
	drawing, err := plots.Draw(fig)
	if err != nil {
		t.Errorf("cannot draw both curves: %v", err)
		return
	}
	path := filepath.Join(artifacts(t), "moved.svg")
	if err := drawing.Save(path); err != nil {
		t.Error(err)
		return
	}
	t.Logf("drew both curves in %s (go test -artifacts keeps it)", path)
}

// artifacts returns the artifact folder of the test. With Go before 1.26 there is no such folder, so it returns a
// temporary one.
func artifacts(t *testing.T) string {
	t.Helper()
	if a, ok := any(t).(interface{ ArtifactDir() string }); ok {
		return a.ArtifactDir()
	}
	return t.TempDir()
}
