package schedule_test

import (
	"os"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestRunsAreSharedByExperiments checks that an experiment uses a finished run of another experiment of the same paper.
// The run gets the labels of the experiment that uses it, and its file is not copied. If the experiment shows seconds,
// it must not use a run that shared the machine with another.
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
			t.Errorf("shared run: experiment %s, status %s, %d rows; want test/other, done, some rows", f.Manifest.Experiment,
				f.Status(), len(f.Rows))
		}
		if f.Manifest.Labels["as"] == nil || f.Manifest.Labels["n"] == nil {
			t.Errorf("labels of the shared run = %v, want as and n among them", f.Manifest.Labels)
		}
	}
	one1, two1 := toy.Labelled(t, toy.Run(t, dir, one), "as", "a"), toy.Labelled(t, r, "as", "a")
	a, err := os.Stat(one1.Path)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.Stat(two1.Path); err != nil || !os.SameFile(a, b) {
		t.Errorf("%s is a copy of %s, want the same file: %v", two1.Path, one1.Path, err)
	}
	toy.Run(t, dir, clocked, third.Option(), toy.Workers(2))
	third.Want(t, []string{"a", "b", "c"}, nil)
}

// TestPhasesAreColumns checks that rows have a column with the seconds that the solver spent on its set-up.
func TestPhasesAreColumns(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, toy.AtC+`
solvers: [{name: ascent}]
stop: {passes: 2}
`)
	row := toy.Last(t, toy.Only(t, r))
	if _, ok := row["setup_seconds"]; !ok {
		t.Errorf("no column setup_seconds in the row %v", row)
	}
}
