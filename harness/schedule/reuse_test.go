package schedule_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestFinishedKeysAreReused checks that a second Run makes no run, that a changed setting repeats only its own run, and
// that the option Force repeats all runs.
func TestFinishedKeysAreReused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var first, second, changed, forced toy.Journal
	s := toy.Spec(t, toy.AtC+toy.Three)
	toy.Run(t, dir, s, first.Option(), toy.Workers(2))
	first.Want(t, []string{"a", "b", "c"}, nil)
	before := toy.BytesOf(t, dir)
	if len(before) != 3 {
		t.Fatalf("%d files, want 3, one per run", len(before))
	}
	toy.Run(t, dir, s, second.Option())
	second.Want(t, nil, []string{"a", "b", "c"})
	for path, text := range toy.BytesOf(t, dir) {
		if before[path] != text {
			t.Errorf("the second Run changed %s", filepath.Base(path))
		}
	}
	r := toy.Run(t, dir, toy.Spec(t, toy.AtC+toy.Three, "solvers.b.rate=0.125"), changed.Option())
	changed.Want(t, []string{"b"}, []string{"a", "c"})
	if len(r.Files) != 3 {
		t.Errorf("%d runs in the result, want the 3 of the changed spec", len(r.Files))
	}
	toy.Run(t, dir, s, forced.Option(), toy.Force())
	forced.Want(t, []string{"a", "b", "c"}, nil)
}

// TestChecksumIsPartOfTheKey checks that a changed data file gives new results, and that the old results are reused
// once the file has its old content again.
func TestChecksumIsPartOfTheKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "rows.csv")
	write := func(text string) {
		if err := os.WriteFile(data, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := toy.Spec(t, `apiVersion: gaplab/v1
id: test/own
dataset: {format: rows, path: `+data+`}
model: {name: classifier, loss: log}
regularisation: {convention: lambda, lambda: [0.1]}
solvers: [{name: ascent, rate: 0.5}]
stop: {passes: 2}
`)
	const one, two = "a,1,0\nb,0,1\na,0.5,0\n", "a,1,0\nb,0,1\na,0.7,0\n"
	var log1, log2, log3 toy.Journal
	write(one)
	a := toy.Run(t, dir, s, log1.Option())
	write(two)
	b := toy.Run(t, dir, s, log2.Option())
	write(one)
	c := toy.Run(t, dir, s, log3.Option())
	log2.Want(t, []string{"ascent"}, nil)
	log3.Want(t, nil, []string{"ascent"})
	if toy.Only(t, a).Manifest.Key == toy.Only(t, b).Manifest.Key {
		t.Error("two contents of the file give the same key")
	}
	if trace.Diff(toy.Only(t, a), toy.Only(t, b)) == "" {
		t.Error("two contents of the file give the same rows")
	}
	if got := toy.Only(t, c).Manifest.Key; got != toy.Only(t, a).Manifest.Key {
		t.Errorf("key of the result = %s, want %s, the key for the first content", got, toy.Only(t, a).Manifest.Key)
	}
	later := *toy.Only(t, b) // starts in the future, as if the clock were wrong
	later.Manifest.Start = "2099-01-01T00:00:00Z"
	if err := later.Save(later.Path); err != nil {
		t.Fatal(err)
	}
	if got := toy.Only(t, toy.Read(t, dir, s)).Manifest.Key; got != toy.Only(t, c).Manifest.Key {
		t.Errorf("key that Read returns = %s, want %s, the key of the last Run", got, toy.Only(t, c).Manifest.Key)
	}
	if name := toy.Only(t, a).Manifest.Data.Name; name != "rows.csv" {
		t.Errorf("name of the data in the manifest = %q, want rows.csv", name)
	}
}

// TestInterrupt checks that the rows of an interrupted run stay in a file, and that the next Run repeats this run but
// no finished run.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2} {
		dir := t.TempDir()
		s := toy.Spec(t, toy.AtC+toy.Three)
		ctx, cancel := context.WithCancel(context.Background())
		var once sync.Once
		r := toy.RunIn(t, ctx, dir, s, toy.Workers(workers), toy.OnEvent(func(e schedule.Event) {
			if e.Kind == schedule.Recorded && e.Run.Solver.As == "b" && e.Passes >= 2 {
				once.Do(cancel)
			}
		}))
		b := toy.Labelled(t, r, "as", "b")
		toy.WantStatus(t, b, trace.Interrupted, "")
		if b.End == nil || len(b.Rows) < 2 || len(b.Rows) > 4 {
			t.Errorf("the interrupted run has %d rows and the end %+v, want 2 to 4 rows and an end", len(b.Rows), b.End)
		}
		if r.Ended() || r.Planned != 3 {
			t.Errorf("interrupted %v, planned %d; want true, 3", !r.Ended(), r.Planned)
		}
		var second toy.Journal
		whole := toy.Run(t, dir, s, second.Option())
		if workers == 1 {
			second.Want(t, []string{"b", "c"}, []string{"a"})
		}
		if !whole.Ended() || len(whole.Files) != 3 {
			t.Errorf("second Run: interrupted %v, %d files; want false, 3", !whole.Ended(), len(whole.Files))
		}
		toy.SameRows(t, "interrupted and not", toy.Run(t, t.TempDir(), s).Files, whole.Files)
	}
}

// TestLongAttempts checks that an interrupted run without a checkpoint begins again. If the interrupted work took a
// minute or more, a note must tell the user, but not with the option Force, with which every run begins again.
func TestLongAttempts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		each  time.Duration // time that passes between two clock readings
		force bool
	}{{time.Second, false}, {time.Hour, false}, {time.Hour, true}} {
		dir := t.TempDir()
		s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
		now := time.Duration(0)
		clock := toy.CPU(func() (time.Duration, bool) { now += c.each; return now, true })
		ctx, cancel := context.WithCancel(t.Context())
		toy.RunIn(t, ctx, dir, s, clock, toy.OnEvent(func(e schedule.Event) {
			if e.Kind == schedule.Recorded && e.Passes >= 1 {
				cancel()
			}
		}))
		var said []string
		toy.Run(t, dir, s, func(o *schedule.Options) { o.Force = c.force }, toy.OnEvent(func(e schedule.Event) {
			if e.Kind == schedule.Noted {
				said = append(said, e.Why)
			}
		}))
		want := c.each == time.Hour && !c.force
		if want != (len(said) == 1 && strings.Contains(said[0], "ascent: interrupted before, after ") &&
			strings.Contains(said[0], "so it begins again")) || !want && len(said) > 0 {
			t.Errorf("clock steps of %v, Force %v: notes %q, want a note that the run begins again: %v", c.each, c.force, said,
				want)
		}
	}
}

// TestInterruptBeforeTheStart checks that Run makes no run if its context has ended before the call.
func TestInterruptBeforeTheStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := toy.RunIn(t, ctx, t.TempDir(), toy.Spec(t, toy.AtC+toy.Three))
	if r.Ended() || len(r.Files) != 0 || r.Planned != 3 {
		t.Errorf("interrupted %v, %d files of %d; want true, 0 of 3", !r.Ended(), len(r.Files), r.Planned)
	}
}

// TestDamagedResultsAreMadeAgain checks that a run is repeated if its file was cut off or emptied by a crash.
func TestDamagedResultsAreMadeAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := toy.Spec(t, toy.AtC+toy.Three)
	r := toy.Run(t, dir, s)
	if err := os.WriteFile(r.Files[0].Path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.Files[1].Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.Files[1].Path, text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	var again toy.Journal
	toy.SameRows(t, "damaged and not", r.Files, toy.Run(t, dir, s, again.Option()).Files)
	again.Want(t, []string{"a", "b"}, []string{"c"})
}

// TestReusedRunsHaveTheLabelsOfTheSpec checks that a finished run is reused if a grid replaces one of its settings and
// contains the old value. The run must then have the label of the grid.
func TestReusedRunsHaveTheLabelsOfTheSpec(t *testing.T) {
	t.Parallel()
	text := func(eta string) string {
		return `
apiVersion: gaplab/v1
id: own/labels
dataset: {name: points, train: 30, validation: 0}
model: {name: classifier, loss: log}
regularisation: {convention: eg, C: 1}
solvers: [{name: descent, step: ` + eta + `}]
stop: {passes: 2}
`
	}
	dir := t.TempDir()
	first := toy.Only(t, toy.Run(t, dir, toy.Spec(t, text("0.1"))))
	r := toy.Run(t, dir, toy.Spec(t, text("{grid: [0.1, 0.2]}")))
	again := toy.Labelled(t, r, "step", "0.1")
	if again.Manifest.Key != first.Manifest.Key || again.Manifest.Start != first.Manifest.Start {
		t.Error("the finished run was made again")
	}
	toy.Labelled(t, r, "step", "0.2")
}
