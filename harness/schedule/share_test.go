package schedule_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
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

// TestOnceWithForce checks that with the options Force and Once a run is made again, unless this process has made it
// for another experiment. A result in the experiment's own folder is replaced in both cases.
func TestOnceWithForce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	once := func(sitting string) toy.Option {
		return func(o *schedule.Options) { o.Force, o.Once, o.Sitting = true, true, sitting }
	}
	sitting := func(name string) toy.Option { return func(o *schedule.Options) { o.Sitting = name } }
	one, two := toy.Spec(t, toy.AtC+toy.Three), toy.Spec(t, toy.AtC+toy.Three)
	two.ID = "test/other"
	toy.Run(t, dir, one, sitting("earlier"))
	toy.Run(t, dir, two, sitting("earlier"))
	var first, second, third toy.Journal
	all := []string{"a", "b", "c"}
	toy.Run(t, dir, one, first.Option(), once("now"))
	first.Want(t, all, nil) // nothing else is of this process
	r := toy.Run(t, dir, two, second.Option(), once("now"))
	second.Want(t, nil, all)
	for _, f := range r.Files {
		if f.Manifest.Sitting != "now" {
			t.Errorf("%s is of the sitting %q, want the new result", f.Describe(), f.Manifest.Sitting)
		}
	}
	toy.Run(t, dir, one, third.Option(), once(""))
	third.Want(t, all, nil) // a process without a name cannot know what it has made
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

// TestResultWhileWaiting checks that a process that has waited for the lock of a run uses the result that another
// process has published meanwhile, and does not make the run again: a plain run, and one that is compared with another
// before it ends.
func TestResultWhileWaiting(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test waits")
	}
	for _, text := range []string{
		toy.AtC + "solvers: [{name: ascent}]\nstop: {passes: 3}\n",
		toy.AtC + "solvers: [{name: descent, step: {grid: [0.1, 0.0001]}}]\n" +
			"choose: [{solver: descent, over: step, by: primal, at: {passes: 2}}]\nstop: {passes: 5}\n",
	} {
		dir, s := t.TempDir(), toy.Spec(t, text)
		first := toy.Run(t, t.TempDir(), s).Files[0]
		lock, err := store.Open(dir).Lock(t.Context(), first.Manifest.Key, false)
		if err != nil {
			t.Fatal(err)
		}
		begun, reused, waited := false, false, false
		toy.Run(t, dir, s, toy.OnEvent(func(e schedule.Event) {
			if own := origin.PlanKey(e.Run) == first.Manifest.Plan; own {
				begun, reused = begun || e.Kind == schedule.Started, reused || e.Kind == schedule.Reused
			}
			if e.Kind == schedule.Noted && strings.Contains(e.Why, "another process, which has begun 1 of") && !waited {
				waited = true
				go func() {
					time.Sleep(100 * time.Millisecond) // the process has looked for a result before, and waits for the lock
					to := filepath.Join(dir, "test/tiny/own", filepath.Base(first.Path))
					if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.Rename(first.Path, to)); err != nil {
						t.Error(err)
					}
					lock.Unlock()
				}()
			}
		}))
		if begun || !reused || !waited {
			t.Errorf("%s: made %v, reused %v, waited %v; want it reused after it has waited", first.Describe(), begun, reused,
				waited)
		}
	}
}
