package schedule_test

import (
	"os"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestRunsAreSharedByExperiments: a run that another experiment of the paper has finished is one of this one as well,
// under its own labels, without a copy. One whose seconds matter is not taken from a run that shared the machine.
func TestRunsAreSharedByExperiments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := toy.Spec(t, toy.AtC+toy.Three), toy.Spec(t, toy.AtC+toy.Three)
	clocked := toy.Spec(t, toy.AtC+toy.Three+"figure: {x: seconds, y: primal}\n")
	two.ID, clocked.ID = "test/other", "test/clocked"
	var first, second, third toy.Journal
	toy.Run(t, dir, one, first.Option(), toy.Workers(2))
	first.Want(t, []string{"a", "b", "c"}, nil)
	r := toy.Run(t, dir, two, second.Option(), toy.Workers(2))
	second.Want(t, nil, []string{"a", "b", "c"})
	for _, f := range r.Files {
		if f.Manifest.Experiment != "test/other" || f.Status() != trace.Done || len(f.Rows) == 0 {
			t.Errorf("the run is of %s, ended as %s, and has %d rows", f.Manifest.Experiment, f.Status(), len(f.Rows))
		}
		if f.Manifest.Labels["as"] == nil || f.Manifest.Labels["n"] == nil {
			t.Errorf("the run has the labels %v", f.Manifest.Labels)
		}
	}
	one1, two1 := toy.Labelled(t, toy.Run(t, dir, one), "as", "a"), toy.Labelled(t, r, "as", "a")
	a, err := os.Stat(one1.Path)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.Stat(two1.Path); err != nil || !os.SameFile(a, b) {
		t.Errorf("%s is a copy of %s: %v", two1.Path, one1.Path, err)
	}
	toy.Run(t, dir, clocked, third.Option(), toy.Workers(2))
	third.Want(t, []string{"a", "b", "c"}, nil)
}

// TestPhasesAreColumns: the seconds of a solver's phases are columns, set-up and files among them.
func TestPhasesAreColumns(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, toy.AtC+`
solvers: [{name: ascent}]
stop: {passes: 2}
`)
	row := toy.Last(t, toy.Only(t, r))
	if _, ok := row["setup_seconds"]; !ok {
		t.Errorf("no setup_seconds among %v", row)
	}
}
