package harness

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestRunsOfOtherExperimentsAreTakenOver: a run that another experiment of the paper has finished is copied under its
// own labels. One whose seconds matter is not taken from a run that shared the machine.
func TestRunsOfOtherExperimentsAreTakenOver(t *testing.T) {
	dir := t.TempDir()
	one, two, clocked := readSpec(t, atC+three), readSpec(t, atC+three), readSpec(t, atC+three)
	two.ID, clocked.ID = "test/other", "test/clocked"
	var first, second journal
	runIn(t, dir, one, first.option(), Workers(2))
	first.want(t, []string{"a", "b", "c"}, nil)
	r := runIn(t, dir, two, second.option(), Workers(2))
	second.want(t, nil, []string{"a", "b", "c"})
	for _, f := range r.Files {
		if f.Manifest.Experiment != "test/other" || f.Status() != trace.Done || len(f.Rows) == 0 {
			t.Errorf("the copy is of %s, ended as %s, and has %d rows", f.Manifest.Experiment, f.Status(), len(f.Rows))
		}
		if f.Manifest.Labels["as"] == nil || f.Manifest.Labels["n"] == nil {
			t.Errorf("the copy has the labels %v", f.Manifest.Labels)
		}
	}
	x, err := newExperiment(clocked, newOptions([]Option{Root(dir), Workers(2)}))
	if err != nil {
		t.Fatal(err)
	}
	x.alone = true
	for _, j := range x.jobs {
		_, f, err := x.finished(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if f != nil {
			t.Errorf("%s was taken from a run that shared the machine", j.Solver.As)
		}
	}
}

// TestPhasesAreColumns: the seconds of a solver's phases are columns, set-up and files among them.
func TestPhasesAreColumns(t *testing.T) {
	r := runText(t, atC+`
solvers: [{name: eg}]
stop: {passes: 2}
`)
	row := lastRow(t, only(t, r))
	if _, ok := row["setup_seconds"]; !ok {
		t.Errorf("no setup_seconds among %v", row)
	}
}
