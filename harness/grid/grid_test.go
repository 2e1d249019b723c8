package grid_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/grid"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

const choosing = toy.Tiny + `
regularisation: {convention: eg, C: [10000, 1]}
solvers:
  - {name: descent, step: {grid: [1e200, 0.1, 0.0001]}}
  - {name: ascent, rate: 0.5}
choose: [{solver: descent, over: step, by: primal, at: {passes: 2}, per: [C]}]
seeds: [1, 2]
stop: {passes: 5}
`

const beginning = `
apiVersion: gaplab/v1
id: own/from
dataset: {name: points, train: 30, validation: 20}
model: {name: classifier, loss: log}
regularisation: {convention: eg, C: 1}
stop: {passes: 5}
problems:
  first: {solvers: [{as: first, name: descent, step: 9}]}
  again: {from: first, model: {name: again, loss: log}, solvers: [{as: again, name: still}]}
`

// queue runs jobs in this process when it is told to, in the order of their submission.
type queue struct {
	t    *testing.T
	do   func(n int) error
	sent []grid.Submission
	ran  map[string]int // jobs of an array
}

func (q *queue) Submit(_ context.Context, a grid.Submission) (string, error) {
	q.sent = append(q.sent, a)
	return fmt.Sprint(len(q.sent)), nil
}

func (q *queue) States(context.Context, []string) (map[string]map[int]grid.State, error) {
	out := map[string]map[int]grid.State{}
	for i, a := range q.sent {
		name := fmt.Sprint(i + 1)
		out[name] = map[int]grid.State{}
		for n := q.ran[name]; n < a.Count; n++ {
			out[name][n] = grid.Queued
		}
	}
	return out, nil
}

func (q *queue) Cancel(_ context.Context, jobs []string) error {
	for _, j := range jobs {
		n, err := strconv.Atoi(j)
		if err != nil {
			return err
		}
		q.sent[n-1].Count = 0
	}
	return nil
}

// run runs all jobs, and fails the test where one begins before those that it waits for have ended.
func (q *queue) run() {
	q.ran = map[string]int{}
	for i, a := range q.sent {
		for _, b := range a.AfterJobs {
			if n, err := strconv.Atoi(b); err != nil || n > i {
				q.t.Errorf("array %d waits for %s, which comes later", i+1, b)
			}
		}
		if last := len(a.Command) - 1; a.Command[last-1] != "--first" || a.Command[last] != fmt.Sprint(a.First) {
			q.t.Errorf("command %q of tasks from %d", a.Command, a.First)
		}
		for n := range a.Count {
			if err := q.do(a.First + n); err != nil {
				q.t.Errorf("task %d: %v", a.First+n, err)
			}
			q.ran[fmt.Sprint(i+1)]++
		}
	}
}

// only reads the one experiment of a grid.
func only(s *lang.Spec) func(int) (*lang.Spec, error) {
	return func(int) (*lang.Spec, error) { return s, nil }
}

// plan plans a grid of specs in a folder.
func plan(t *testing.T, dir string, perTask int, specs ...*lang.Spec) *grid.Grid {
	t.Helper()
	var all []grid.Experiment
	for _, s := range specs {
		all = append(all, grid.Experiment{Spec: grid.Spec{ID: s.ID, Scale: s.Scale}, Now: s})
	}
	g, err := grid.Plan(t.Context(), all, toy.Options(dir), perTask)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGrid: the tasks of a grid, handed out by a queue, come to the results of one process, whatever the size of arrays
// and tasks. Status counts them, and nothing is left to plan.
func TestGrid(t *testing.T) {
	specs := []*lang.Spec{toy.Spec(t, choosing), toy.Spec(t, beginning), toy.Spec(t, strings.Replace(toy.AtC, "test/tiny",
		"test/flat", 1)+toy.Three)}
	for _, c := range []struct {
		perTask int
		how     grid.How
		tasks   int
	}{
		{1, grid.How{}, 12 + 4 + 2 + 2 + 3},
		{4, grid.How{}, 4 + 1 + 2 + 1},
		{1, grid.How{AtOnce: 2, Largest: 5}, 23},
	} {
		dir := t.TempDir()
		g := plan(t, dir, c.perTask, specs...)
		if len(g.Tasks) != c.tasks {
			t.Errorf("%d tasks with %d lines in each, want %d", len(g.Tasks), c.perTask, c.tasks)
		}
		again, err := grid.Open(g.Dir)
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
				t.Errorf("array %d: %+v", i, a)
			}
		}
		s, err := g.Status(t.Context(), q)
		if err != nil || s.Count(grid.Queued) != c.tasks || s.Runs != 21 || s.Finished != 0 {
			t.Errorf("before: %+v, %v", s, err)
		}
		q.run()
		s, err = g.Status(t.Context(), q)
		if err != nil || s.Count(grid.Done) != c.tasks || s.Finished != 21 || !s.Ended() {
			t.Errorf("after: %+v, %v", s, err)
		}
		if missing, err := g.Missing(t.Context(), 0); err != nil || len(missing) > 0 {
			t.Errorf("missing: %+v, %v", missing, err)
		}
		for _, spec := range specs {
			whole := toy.Run(t, t.TempDir(), spec)
			made := toy.Read(t, dir, spec)
			for i, f := range made.Files {
				if d := trace.Diff(f, whole.Files[i]); d != "" || f.Status() != whole.Files[i].Status() {
					t.Errorf("%s: %s, %s", f.Describe(), d, f.Status())
				}
			}
			if len(made.Files) != len(whole.Files) {
				t.Errorf("%s: %d runs, want %d", spec.ID, len(made.Files), len(whole.Files))
			}
		}
		if next := plan(t, dir, 1, specs...); next != nil {
			t.Errorf("%d tasks are left", len(next.Tasks))
		}
		if got, err := g.Jobs(); err != nil || !slices.Equal(got, jobs) {
			t.Errorf("jobs %v, kept %v: %v", jobs, got, err)
		}
	}
}

// TestFailedAndLost: a run that fails is a task that failed, with the reason; one that the queue does not know any more
// is lost. Both are told from results that are missing.
func TestFailedAndLost(t *testing.T) {
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
			yield(solvers.Iterate{}, errors.New("it cannot"))
		}}
	}
	q := &queue{t: t}
	if _, err := g.Submit(t.Context(), q, grid.How{}); err != nil {
		t.Fatal(err)
	}
	var failed *grid.FailedError
	for n, task := range g.Tasks {
		err := g.Do(t.Context(), n, only(s), o)
		if wild := strings.HasPrefix(task.Parts[0].Runs[0].Name, "wild"); wild != errors.As(err, &failed) {
			t.Errorf("%s: %v", task.Parts[0].Runs[0].Name, err)
		}
	}
	at := slices.IndexFunc(g.Tasks, func(t grid.Task) bool { return strings.HasPrefix(t.Parts[0].Runs[0].Name, "wild") })
	q.ran = map[string]int{"1": 3}
	status, err := g.Status(t.Context(), q)
	if err != nil || status.Tasks[at] != grid.Failed || status.Count(grid.Done) != 2 {
		t.Errorf("%+v, %v", status, err)
	}
	if why := g.Why(at, grid.Failed); !strings.Contains(why, "test/fails: wild C=10 seed=1: failed: ") {
		t.Errorf("why: %q", why)
	}
	if missing, err := g.Missing(t.Context(), 0); err != nil || len(missing) > 0 {
		t.Errorf("a failed run has ended, and is missing: %+v, %v", missing, err)
	}
	for _, pattern := range []string{"test/fails/own/*.jsonl", ".grids/*/tasks/*"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range found {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if status, err = g.Status(t.Context(), q); err != nil || status.Count(grid.Lost) != 3 || !status.Ended() {
		t.Errorf("%+v, %v", status, err)
	}
	if err := os.WriteFile(filepath.Join(g.Dir, "log", grid.LogName("1", fmt.Sprint(at))), []byte("a\n\nCANCELLED\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	if why := g.Why(at, grid.Lost); why != "CANCELLED" {
		t.Errorf("why: %q", why)
	}
	missing, err := g.Missing(t.Context(), 0)
	if err != nil || len(missing) != 3 || missing[at].Name != g.Tasks[at].Parts[0].Runs[0].Name {
		t.Errorf("missing: %+v, %v", missing, err)
	}
}

// TestInterruptedTask: a task that is interrupted is not over, and goes on with the same bits.
func TestInterruptedTask(t *testing.T) {
	dir, s := t.TempDir(), toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 30}\n")
	o := toy.Options(dir)
	o.SaveEvery = time.Nanosecond
	g, err := grid.Plan(t.Context(), []grid.Experiment{{Spec: grid.Spec{ID: s.ID, Scale: s.Scale}, Now: s}}, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	over := errors.New("over")
	resumed := 0
	for range 5 {
		ctx, cancel := context.WithCancelCause(t.Context())
		rows := 0
		o.Event = func(e schedule.Event) {
			if rows++; rows == 6 {
				cancel(over)
			}
			if e.Kind == schedule.Noted && strings.Contains(e.Why, "it goes on from") {
				resumed++
			}
		}
		if err := g.Do(ctx, 0, only(s), o); !errors.Is(err, over) {
			t.Fatalf("interrupted: %v", err)
		}
		if status, err := g.Status(t.Context(), nil); err != nil || status.Tasks[0] != grid.Running {
			t.Errorf("%+v, %v", status, err)
		}
	}
	if o.Event = nil; g.Do(t.Context(), 0, only(s), o) != nil || resumed != 4 {
		t.Errorf("it went on %d times", resumed)
	}
	toy.SameRows(t, "interrupted", toy.Run(t, t.TempDir(), s).Files, toy.Read(t, dir, s).Files)
}

// TestOtherProgram: a grid is refused by a program of other revisions, other code or other sources, which it names.
func TestOtherProgram(t *testing.T) {
	dir, s := t.TempDir(), toy.Spec(t, toy.AtC+toy.Three)
	g := plan(t, dir, 1, s)
	if err := g.Same(toy.Catalogue()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		says   string
		change func(cat *lang.Catalogue)
	}{
		{"solver ascent is of revision 7 here, and was of 1", func(cat *lang.Catalogue) { cat.Solvers[0].Revision = 7 }},
		{"the code of ", func(cat *lang.Catalogue) { cat.Sources = func(string) string { return "other" } }},
		{"the hash of all sources is abc here, and was ", func(cat *lang.Catalogue) {
			cat.Program = func() string { return "abc" }
		}},
	} {
		cat := toy.Catalogue()
		c.change(&cat)
		if err := g.Same(cat); !errors.Is(err, grid.ErrDiffers) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v; want %q", err, c.says)
		}
	}
	g.Tasks[0].Parts[0].Runs[0].Data = "another"
	if err := g.Do(t.Context(), 0, only(s), toy.Options(dir)); !errors.Is(err, grid.ErrDiffers) ||
		!strings.Contains(err.Error(), "data set points has the checksum") {
		t.Errorf("other data: %v", err)
	}
	if why := g.Why(0, grid.Failed); !strings.Contains(why, "and had another") {
		t.Errorf("why: %q", why)
	}
}

// TestLateResults: a result of a task that is done may be seen late.
func TestLateResults(t *testing.T) {
	dir, s := t.TempDir(), toy.Spec(t, toy.AtC+toy.Three)
	g := plan(t, dir, 3, s)
	if err := g.Do(t.Context(), 0, only(s), toy.Options(dir)); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(dir, "test/tiny/own")
	if err := os.Rename(results, results+".late"); err != nil {
		t.Fatal(err)
	}
	missing, err := g.Missing(t.Context(), 0)
	if err != nil || len(missing) != 3 {
		t.Fatalf("%v, %v", missing, err)
	}
	go func() {
		time.Sleep(300 * time.Millisecond)
		_ = os.Rename(results+".late", results)
	}()
	if missing, err := g.Missing(t.Context(), 30*time.Second); err != nil || len(missing) > 0 {
		t.Errorf("%v, %v", missing, err)
	}
}

// TestDamagedManifests: what is no manifest, or one whose numbers do not fit, is an error.
func TestDamagedManifests(t *testing.T) {
	for _, text := range []string{"", "{", `{"format":"other"}`,
		`{"format":"gaplab-grid/1","tasks":[{"parts":[{"spec":3,"runs":[{}]}]}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{}],"arrays":[{"count":1}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{}]}],"arrays":[{"count":1}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{"runs":[{}]}]}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{"runs":[{}]}]}],"arrays":[{"count":1,"after":[0]}]}`,
		`{"format":"gaplab-grid/1","specs":[{}],"tasks":[{"parts":[{"spec":-1,"runs":[{}]}]}],"arrays":[{"count":1}]}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := grid.Open(dir); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := grid.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "the folder of a grid") {
		t.Errorf("no manifest: %v", err)
	}
}

// TestStatusIsQuick: ten thousand results are counted by their names.
func TestStatusIsQuick(t *testing.T) {
	const many = 10_000
	dir := t.TempDir()
	var tasks []string
	results := filepath.Join(dir, "test/many/own")
	if err := os.MkdirAll(results, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range many {
		tasks = append(tasks, fmt.Sprintf(`{"parts":[{"spec":0,"runs":[{"plan":"%016x","key":"%016x","data":"%064x",
			"name":"eg C=10 seed=%d"}]}]}`, i, i, i, i))
		if i > 0 {
			if err := os.WriteFile(filepath.Join(results, fmt.Sprintf("%016x.jsonl", i)), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	g := filepath.Join(dir, ".grids/g")
	if err := os.MkdirAll(g, 0o777); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"format":"gaplab-grid/1","id":"g","specs":[{"id":"test/many","scale":"own"}],"tasks":[%s],
		"arrays":[{"count":%d}]}`, strings.Join(tasks, ","), many)
	if err := os.WriteFile(filepath.Join(g, "manifest.json"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	opened, err := grid.Open(g)
	if err != nil {
		t.Fatal(err)
	}
	s, err := opened.Status(t.Context(), nil)
	took := time.Since(begun)
	if err != nil || took > time.Second || s.Finished != many-1 || s.Count(grid.Done) != many-1 {
		t.Errorf("%d of %d results after %v: %v", s.Finished, many, took, err)
	} else {
		t.Logf("%d results in %v", many, took)
	}
}

// TestSharedRuns: a run that two experiments of a paper have in common is made once, by one task, and stands under
// both. One that had the machine to itself serves the other, which does not serve it.
func TestSharedRuns(t *testing.T) {
	dir := t.TempDir()
	one, two := toy.Spec(t, toy.AtC+toy.Three), toy.Spec(t, toy.AtC+toy.Three+"figure: {x: seconds, y: primal}\n")
	two.ID = "test/clocked"
	other := toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", "another/tiny", 1)+toy.Three)
	specs := []*lang.Spec{one, two, other}
	g := plan(t, dir, 1, specs...)
	if len(g.Tasks) != 6 {
		t.Errorf("%d tasks, want 3 of two experiments of a paper, and 3 of another paper", len(g.Tasks))
	}
	begun := 0
	o := toy.Options(dir, toy.OnEvent(func(e schedule.Event) {
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
		t.Errorf("%d results by %d runs, %v; want 9 by 6", s.Finished, begun, err)
	}
	for _, f := range toy.Read(t, dir, one).Files {
		if !f.Manifest.Alone {
			t.Errorf("%s was not alone", f.Describe())
		}
	}
	if next := plan(t, dir, 1, specs...); next != nil {
		t.Errorf("%d tasks are left", len(next.Tasks))
	}
}
