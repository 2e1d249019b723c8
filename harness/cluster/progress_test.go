package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/schedule"
)

// campaign returns a campaign with a run in each of n tasks, in a new folder.
func campaign(t *testing.T, n int) *Campaign {
	t.Helper()
	c := &Campaign{Dir: filepath.Join(t.TempDir(), campaignsFolder, "c"), ID: "c",
		Specs: []Spec{{ID: "p/a", Scale: "own"}}, Arrays: []Array{{Count: n}}}
	for i := range n {
		c.Tasks = append(c.Tasks, Task{Shards: []Shard{{Runs: []schedule.ShardRun{{Plan: fmt.Sprint("plan", i),
			Key: fmt.Sprint("key", i), Name: fmt.Sprint("run ", i)}}}}})
	}
	for _, name := range []string{"jobs", "tasks", "log"} {
		if err := os.MkdirAll(filepath.Join(c.Dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestMarks checks that a task that begins again or is done loses the record of its earlier failure, that other tasks
// keep theirs, and that other files in the folder do not count.
func TestMarks(t *testing.T) {
	c := campaign(t, 13)
	steps := func(n int, marks ...string) {
		for _, m := range marks {
			if err := c.mark(n, m, fmt.Sprint(m, " of ", n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	steps(1, begun, failure)
	steps(2, begun, failure, begun)
	steps(3, begun, failure, begun, done)
	steps(11, failure)
	steps(12, failure, done)
	for _, name := range []string{"x.done", "4.done.tmp", "5", "6.other"} {
		if err := os.WriteFile(filepath.Join(c.Dir, "tasks", name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := c.marks()
	want := map[string]map[int]bool{begun: {1: true, 2: true, 3: true}, done: {3: true, 12: true},
		failure: {1: true, 11: true}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("marks %v, %v; want %v", got, err, want)
	}
	if why := c.Why(11, Failed); why != failure+" of 11" {
		t.Errorf("task 11 has failed because of %q", why)
	}
	missing, err := c.Missing(t.Context(), 0)
	if err != nil || len(missing) != len(c.Tasks) {
		t.Fatalf("missing %+v, %v; want all runs", missing, err)
	}
	for i, m := range missing {
		why := ""
		if i == 1 || i == 11 {
			why = fmt.Sprint(failure, " of ", i)
		}
		if m != (Missing{Task: i, ID: "p/a", Name: fmt.Sprint("run ", i), Why: why}) {
			t.Errorf("missing run %d is %+v, want the reason %q", i, m, why)
		}
	}
}

// asked is a queue that knows the phases of jobs.
type asked struct {
	Queue
	phases map[string]map[int]Phase
	err    error
	jobs   []string
}

func (q *asked) Phases(_ context.Context, jobs []string) (map[string]map[int]Phase, error) {
	q.jobs = jobs
	return q.phases, q.err
}

// TestPhasesOfPieces checks that the phase of a job in the queue is that of its task, for arrays that were submitted in
// pieces, and that files count more than the queue: a task is done or failed whatever the queue says, and lost if the
// queue does not know it. It checks also that the log of a lost task is that of its job.
func TestPhasesOfPieces(t *testing.T) {
	c := campaign(t, 9)
	for i, text := range []string{`{"job":"70","first":0,"count":4}`, `{"job":"71","first":4,"count":4}`,
		`{"job":"72","first":8,"count":1}`} {
		if err := os.WriteFile(filepath.Join(c.Dir, "jobs", fmt.Sprint(i, ".json")), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for n, m := range map[int]string{1: done, 2: failure, 5: begun, 6: done, 7: begun} {
		if err := c.mark(n, m, "why"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(c.Out(), "p", "a", "own"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Out(), "p", "a", "own", "key3.jsonl"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	q := &asked{phases: map[string]map[int]Phase{"70": {0: Running, 1: Running, 2: Held, 3: Queued, 4: Held},
		"71": {0: Held, 1: Queued, 2: Queued, 9: Running}, "90": {0: Running}}}
	s, err := c.Status(t.Context(), q)
	want := []Phase{Running, Done, Failed, Done, Held, Queued, Done, Lost, Lost}
	if err != nil || !slices.Equal(s.Tasks, want) || !slices.Equal(q.jobs, []string{"72", "71", "70"}) || s.Runs != 9 ||
		s.Finished != 1 || s.Unasked != nil || s.Ended() {
		t.Errorf("status %+v, %v after asking for %v; want %v", s, err, q.jobs, want)
	}
	total := 0
	for _, p := range Phases() {
		total += s.Count(p)
	}
	if total != 9 {
		t.Errorf("the phases have %d tasks in all, want 9", total)
	}
	s, err = c.Status(t.Context(), nil)
	want = []Phase{Queued, Done, Failed, Done, Queued, Running, Done, Running, Queued}
	if err != nil || !slices.Equal(s.Tasks, want) {
		t.Errorf("status without a queue %v, %v; want %v", s.Tasks, err, want)
	}
	q.err = errors.New("away")
	if s, err = c.Status(t.Context(), q); err != nil || !errors.Is(s.Unasked, q.err) || !slices.Equal(s.Tasks, want) {
		t.Errorf("status if the queue is away %+v, %v; want %v", s, err, want)
	}
	for name, text := range map[string]string{"71_3": "one\ntwo\n\n", "72_0": strings.Repeat("x", 5000) + "\n",
		"70_0": "\n \n", "71_0": "no newline"} {
		if err := os.WriteFile(filepath.Join(c.Dir, "log", name+".log"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const nothing = "the task's job has printed nothing"
	for n, want := range map[int]string{7: "two", 8: strings.Repeat("x", 4095), 0: nothing, 3: nothing, 4: "no newline"} {
		if why := c.Why(n, Lost); why != want {
			t.Errorf("task %d is lost because of %.60q (%d bytes), want %.60q", n, why, len(why), want)
		}
	}
	if why := c.Why(4, Held); !strings.Contains(why, "the queue holds") {
		t.Errorf("task 4 is held because of %q", why)
	}
}

// TestList checks that the campaigns of a folder are listed from the oldest, those of one second too, without folders
// that are none.
func TestList(t *testing.T) {
	out := t.TempDir()
	if dirs, err := List(out); err != nil || dirs != nil {
		t.Errorf("campaigns of an empty folder: %v, %v", dirs, err)
	}
	var want []string
	at := time.Date(2026, 11, 28, 11, 0, 0, 0, time.FixedZone("", 3600)) // 10:00 in UTC
	for _, id := range []string{newID(at.Add(time.Microsecond)), newID(at), newID(at.Add(120 * time.Millisecond)),
		"20261127T235959-C", "20261128T100000-A", newID(at.Add(-time.Microsecond)), newID(at.Add(time.Second))} {
		dir := filepath.Join(out, campaignsFolder, id)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, manifestFile), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		want = append(want, dir)
	}
	if err := os.MkdirAll(filepath.Join(out, campaignsFolder, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	want = []string{want[3], want[5], want[4], want[1], want[0], want[2], want[6]} // the oldest first
	if dirs, err := List(out); err != nil || !slices.Equal(dirs, want) {
		t.Errorf("campaigns %v, %v; want %v", dirs, err, want)
	}
	if c := (&Campaign{Dir: want[0]}); c.Out() != out {
		t.Errorf("the folder of the runs is %s, want %s", c.Out(), out)
	}
}

// TestUnreadableMarks checks that the folder of the marks may be missing, but that it is an error of Status and Missing
// if the folder cannot be read: here because it is a file.
func TestUnreadableMarks(t *testing.T) {
	c := campaign(t, 2)
	folder := filepath.Join(c.Dir, "tasks")
	look := func() []error {
		_, status := c.Status(t.Context(), nil)
		_, missing := c.Missing(t.Context(), 0)
		return []error{status, missing}
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if errs := look(); errs[0] != nil || errs[1] != nil {
		t.Errorf("errors %v without the folder, want none", errs)
	}
	if err := os.WriteFile(folder, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if errs := look(); errs[0] == nil || errs[1] == nil {
		t.Errorf("errors %v of Status and Missing, want two", errs)
	}
}
