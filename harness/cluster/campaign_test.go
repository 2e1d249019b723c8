package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// TestCampaign checks that the tasks of a campaign, done by a queue, give the same results as one process. It tests
// several sizes of arrays and tasks. It also checks the counts of Status, and that a later plan has no tasks.
func TestCampaign(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test does three campaigns")
	}
	specs := []*lang.Spec{toy.Spec(t, toy.Choosing), toy.Spec(t, beginning),
		toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", "test/flat", 1)+toy.Three)}
	var wholes [][]*trace.File
	for _, spec := range specs {
		wholes = append(wholes, toy.Run(t, t.TempDir(), spec).Files)
	}
	for _, c := range []struct {
		perTask int
		how     cluster.How
		tasks   int
	}{
		{1, cluster.How{}, 12 + 4 + 2 + 2 + 3},
		{4, cluster.How{}, 4 + 1 + 2 + 1},
		{1, cluster.How{AtOnce: 2, Largest: 5}, 23},
	} {
		dir := t.TempDir()
		g := plan(t, dir, c.perTask, specs...)
		if len(g.Tasks) != c.tasks {
			t.Errorf("with %d units per task: %d tasks, want %d", c.perTask, len(g.Tasks), c.tasks)
		}
		again, err := cluster.Open(g.Dir)
		if err != nil {
			t.Fatal(err)
		}
		q := &queue{t: t, do: func(n int) error {
			return again.Do(t.Context(), n, func(i int) (*lang.Spec, error) { return specs[i], nil }, toy.Options("elsewhere"))
		}}
		jobs, err := g.Submit(t.Context(), q, c.how)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range q.sent {
			if c.how.Largest > 0 && (a.Count > c.how.Largest || i > 0 && !slices.Equal(a.AfterJobs, []string{fmt.Sprint(i)})) {
				t.Errorf("array %d = %+v, want at most %d jobs, and that it waits for the previous array", i, a, c.how.Largest)
			}
		}
		s, err := g.Status(t.Context(), q)
		if err != nil || s.Count(cluster.Queued) != c.tasks || s.Runs != 21 || s.Finished != 0 {
			t.Errorf("before the tasks: status %+v, %v, want %d tasks queued, 21 runs, none finished", s, err, c.tasks)
		}
		q.run()
		s, err = g.Status(t.Context(), q)
		if err != nil || s.Count(cluster.Done) != c.tasks || s.Finished != 21 || !s.Ended() {
			t.Errorf("after the tasks: status %+v, %v, want %d tasks done, 21 runs finished", s, err, c.tasks)
		}
		if missing, err := g.Missing(t.Context(), 0); err != nil || len(missing) > 0 {
			t.Errorf("after the tasks: missing runs %+v, %v, want none", missing, err)
		}
		for k, spec := range specs {
			made := toy.Read(t, dir, spec).Files
			for i, f := range made {
				if d := trace.Diff(f, wholes[k][i]); d != "" || f.Status() != wholes[k][i].Status() {
					t.Errorf("%s: it differs from the run of one process: %s; status %s", f.Describe(), d, f.Status())
				}
			}
			if len(made) != len(wholes[k]) {
				t.Errorf("%s: %d runs, want %d", spec.ID, len(made), len(wholes[k]))
			}
		}
		if next := plan(t, dir, 1, specs...); next != nil {
			t.Errorf("a new plan has %d tasks, want none", len(next.Tasks))
		}
		if got, err := g.Jobs(); err != nil || !slices.Equal(got, jobs) {
			t.Errorf("Jobs = %v, %v, want %v as Submit returned them", got, err, jobs)
		}
	}
}

// TestFailedAndLost checks that a task with a failed run has the phase Failed, with the reason. A task that has not
// ended must have the phase Lost if the queue does not know it. Missing must list the run of a lost task, but not a
// failed run.
func TestFailedAndLost(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", "test/fails", 1)+`
solvers:
  - {as: a, name: ascent}
  - {as: wild, name: descent, step: 0.1}
  - {as: c, name: whole}
stop: {passes: 4}
`)
	g := plan(t, dir, 1, s)
	o := toy.Options(dir)
	o.Wrap = func(s solvers.Solver) solvers.Solver {
		if _, wild := s.(*toy.Descent); !wild {
			return s
		}
		return toy.Scripted{Is: "wild", Do: func(_ toy.Given, yield func(solvers.Iterate, error) bool) {
			yield(solvers.Iterate{}, errors.New("this solver always fails"))
		}}
	}
	q := &queue{t: t}
	if _, err := g.Submit(t.Context(), q, cluster.How{}); err != nil {
		t.Fatal(err)
	}
	var failed *cluster.FailedError
	for n, task := range g.Tasks {
		err := g.Do(t.Context(), n, only(s), o)
		if wild := strings.HasPrefix(task.Shards[0].Runs[0].Name, "wild"); wild != errors.As(err, &failed) {
			t.Errorf("task of %s: error %v; want a FailedError for wild only", task.Shards[0].Runs[0].Name, err)
		}
	}
	at := slices.IndexFunc(g.Tasks, func(t cluster.Task) bool {
		return strings.HasPrefix(t.Shards[0].Runs[0].Name, "wild")
	})
	q.ran = map[string]int{"1": 3}
	status, err := g.Status(t.Context(), q)
	if err != nil || status.Tasks[at] != cluster.Failed || status.Count(cluster.Done) != 2 {
		t.Errorf("status = %+v, %v, want task %d failed, 2 done", status, err, at)
	}
	if why := g.Why(at, cluster.Failed); !strings.Contains(why, "test/fails: wild C=10 seed=1: failed: ") {
		t.Errorf("Why of the failed task = %q, want the run and its failure", why)
	}
	if missing, err := g.Missing(t.Context(), 0); err != nil || len(missing) > 0 {
		t.Errorf("with a failed run: missing runs %+v, %v, want none, because the run has ended", missing, err)
	}
	for _, pattern := range []string{"test/fails/own/*.jsonl", ".grids/*/tasks/*"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range found {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if status, err = g.Status(t.Context(), q); err != nil || status.Count(cluster.Lost) != 3 || !status.Ended() {
		t.Errorf("without the files of the tasks: status %+v, %v, want 3 tasks lost", status, err)
	}
	if err := os.WriteFile(filepath.Join(g.Dir, "log", cluster.LogName("1", fmt.Sprint(at))), []byte("a\n\nCANCELLED\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	if why := g.Why(at, cluster.Lost); why != "CANCELLED" {
		t.Errorf("Why of the lost task = %q, want the last line of its log, CANCELLED", why)
	}
	missing, err := g.Missing(t.Context(), 0)
	if err != nil || len(missing) != 3 || missing[at].Name != g.Tasks[at].Shards[0].Runs[0].Name {
		t.Errorf("with lost tasks: missing runs %+v, %v, want 3", missing, err)
	}
}

// TestInterruptedTask checks that an interrupted task counts as running, and that it can be resumed several times. Its
// rows must then be the same as without interruptions.
func TestInterruptedTask(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 30}\n")
	o := toy.Options(dir)
	o.SaveEvery = time.Nanosecond
	g := planWith(t, o, 1, s)
	over := errors.New("over")
	resumed := 0
	for range 5 {
		ctx, cancel := context.WithCancelCause(t.Context())
		rows := 0
		o.Event = func(e schedule.Event) {
			if rows++; rows == 6 {
				cancel(over)
			}
			if e.Kind == schedule.Noted && strings.Contains(e.Why, "resumed from ") {
				resumed++
			}
		}
		if err := g.Do(ctx, 0, only(s), o); !errors.Is(err, over) {
			t.Fatalf("interrupted task: error %v, want %v", err, over)
		}
		if status, err := g.Status(t.Context(), nil); err != nil || status.Tasks[0] != cluster.Running {
			t.Errorf("status of the interrupted task = %+v, %v, want running", status, err)
		}
	}
	if o.Event = nil; g.Do(t.Context(), 0, only(s), o) != nil || resumed != 4 {
		t.Errorf("the task failed or was resumed %d times, want 4", resumed)
	}
	toy.SameRows(t, "interrupted", toy.Run(t, t.TempDir(), s).Files, toy.Read(t, dir, s).Files)
}

// TestOtherProgram checks that Same returns an error, which names the difference, for a program with another revision,
// other code or another hash of all sources. It also checks that Do returns an error for other data.
func TestOtherProgram(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), toy.Spec(t, toy.AtC+toy.Three)
	g := plan(t, dir, 1, s)
	if err := g.Same(toy.Catalogue()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		says   string
		change func(cat *lang.Catalogue)
	}{
		{"solver ascent has revision 7 here, but 1 in the plan", func(cat *lang.Catalogue) { cat.Solvers[0].Revision = 7 }},
		{"the code of ", func(cat *lang.Catalogue) { cat.Sources = func(string) string { return "other" } }},
		{"the hash of all sources is abc here, but ", func(cat *lang.Catalogue) {
			cat.Program = func() string { return "abc" }
		}},
	} {
		cat := toy.Catalogue()
		c.change(&cat)
		if err := g.Same(cat); !errors.Is(err, cluster.ErrDiffers) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Same with another program: error %v, want %q", err, c.says)
		}
	}
	g.Tasks[0].Shards[0].Runs[0].Data = "another"
	if err := g.Do(t.Context(), 0, only(s), toy.Options(dir)); !errors.Is(err, cluster.ErrDiffers) ||
		!strings.Contains(err.Error(), "data set points has the checksum") {
		t.Errorf("Do with other data: error %v, want one that names the data set", err)
	}
	if why := g.Why(0, cluster.Failed); !strings.Contains(why, "want another") {
		t.Errorf("Why after other data = %q, want that the planned checksum was \"another\"", why)
	}
}

// TestSharedRuns checks that a run that two experiments of a paper share is made once, by one task, and that both
// experiments use its result. If one of the two experiments measures times, the run must have a machine to itself.
// Otherwise this experiment could not use the result. This must not depend on the order of the tasks: those of the
// other experiment come first if they need more memory.
func TestSharedRuns(t *testing.T) {
	t.Parallel()
	for _, bytes := range []int64{0, 5e9} {
		dir := t.TempDir()
		one, two := toy.Spec(t, toy.AtC+toy.Three), toy.Spec(t, toy.AtC+toy.Three+"figure: {x: seconds, y: primal}\n")
		two.ID = "test/clocked"
		other := toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", "another/tiny", 1)+toy.Three)
		specs := []*lang.Spec{one, two, other}
		o := toy.Options(dir)
		all := experiments(t, o, specs...)
		all[0].Known = []*trace.File{{Rows: make([]trace.Row, 1), End: &trace.End{Status: trace.Done, PeakBytes: bytes}}}
		g, err := cluster.Plan(t.Context(), all, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Tasks) != 6 {
			t.Errorf("%d tasks, want 3 for two experiments of a paper, and 3 for another paper", len(g.Tasks))
		}
		begun := 0
		o = toy.Options(dir, toy.OnEvent(func(e schedule.Event) {
			if e.Kind == schedule.Started {
				begun++
			}
		}))
		for n := range g.Tasks {
			if err := g.Do(t.Context(), n, func(i int) (*lang.Spec, error) { return specs[i], nil }, o); err != nil {
				t.Error(err)
			}
		}
		if s, err := g.Status(t.Context(), nil); err != nil || s.Finished != 9 || begun != 6 {
			t.Errorf("%d results from %d runs, %v, want 9 from 6", s.Finished, begun, err)
		}
		for _, f := range toy.Read(t, dir, one).Files {
			if !f.Manifest.Alone {
				t.Errorf("%s did not have the machine to itself", f.Describe())
			}
		}
		if next := plan(t, dir, 1, specs...); next != nil {
			t.Errorf("a new plan has %d tasks, want none", len(next.Tasks))
		}
	}
}
