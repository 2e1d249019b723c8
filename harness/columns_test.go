package harness

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// TestColumnsOfRuns checks which columns a run is expected to record, for each value of record.metrics.
func TestColumnsOfRuns(t *testing.T) {
	for metrics, want := range map[string]string{"": "dual gap gap_percent validation_error train_error",
		"record: {metrics: all}\n":      "dual gap gap_percent validation_error train_error",
		"record: {metrics: [primal]}\n": "", "record: {metrics: [dual]}\n": "dual gap gap_percent",
		"record: {metrics: [gap]}\n":              "dual gap gap_percent",
		"record: {metrics: [validation_error]}\n": "validation_error train_error"} {
		runs, err := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 1}\n"+metrics).Plan()
		if err != nil {
			t.Fatal(err)
		}
		list := Catalogue()
		got := columns(runs[0], list)
		for _, name := range []string{"dual", "gap", "gap_percent", "validation_error", "train_error"} {
			if _, ok := got[name]; ok != slices.Contains(strings.Fields(want), name) {
				t.Errorf("%q: column %s is expected: %v, want %q", metrics, name, ok, want)
			}
		}
		for _, name := range []string{"passes", "primal", "seconds", "opt", "eta_mean", "setup_seconds",
			"setup_cpu_seconds"} {
			if _, ok := got[name]; !ok && (name != "setup_seconds" && name != "setup_cpu_seconds" || hasSetup(list, runs[0])) {
				t.Errorf("%q: column %s is not expected: %v", metrics, name, slices.Sorted(maps.Keys(got)))
			}
		}
		other := runs[0]
		other.Solver.Name = "mine"
		if columns(other, list) != nil {
			t.Errorf("%q: the columns of a solver that is not in the catalogue are known, want nil", metrics)
		}
		left := unrecorded(append(runs, runs[0]), list)
		if slices.Contains(left, "validation_error") == strings.Contains(want, "validation") ||
			slices.Contains(left, "gap") == strings.Contains(want, "gap") {
			t.Errorf("%q: left out %q, recorded %q", metrics, left, want)
		}
	}
}

// hasSetup reports whether the catalogue lists the column setup_seconds for the solver of a run.
func hasSetup(list lang.Catalogue, r lang.Run) bool {
	s, _ := list.Solver(r.Solver)
	return slices.Contains(s.Columns, "setup_seconds")
}

// TestExploreMetrics checks that the data for the web page have the metrics of the models that ran, and that a result
// without rows has no such data.
func TestExploreMetrics(t *testing.T) {
	r := runText(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 1}\n",
		Options{With: []solvers.Solver{mine{&Walk{1}}}})
	data := r.Explore(figure.Figure{})
	if data == nil || len(data.Runs) != 2 || !slices.ContainsFunc(data.Columns, func(c explore.Column) bool {
		return c.Name == "validation_error"
	}) {
		t.Errorf("data %+v, want two runs and the column validation_error", data)
	}
	meta, err := r.meta()
	if err != nil || !slices.Equal(meta.Extra, []string{"mine"}) || len(meta.Bounds) == 0 {
		t.Errorf("the figure knows the caller's solvers %q and %d bounds, %v", meta.Extra, len(meta.Bounds), err)
	}
	for _, f := range r.Files {
		f.Rows = nil
	}
	if data := r.Explore(figure.Figure{}); data != nil {
		t.Errorf("data %+v of runs without rows, want none", data)
	}
}
