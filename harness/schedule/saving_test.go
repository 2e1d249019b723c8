package schedule_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

const everyYield = time.Nanosecond // so short that each yield of the solver leads to a checkpoint

// interruptedRuns runs a spec and interrupts it at a random row, again and again, until all runs have ended.
func interruptedRuns(t *testing.T, dir string, s *lang.Spec, rng *rand.Rand, opts ...toy.Option) *toy.Result {
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		left := 1 + rng.IntN(20)
		opts := append(opts, toy.SaveEvery(everyYield), toy.Workers(1), toy.OnEvent(func(e schedule.Event) {
			if e.Kind == schedule.Recorded {
				if left--; left == 0 {
					cancel()
				}
			}
		}))
		r := toy.RunIn(t, ctx, dir, s, opts...)
		cancel()
		if r.Ended() {
			return r
		}
	}
	t.Fatal("the runs have not ended after 200 interruptions")
	return nil
}

// TestInterruptedRunsGoOn checks that runs with many interruptions have the same rows, counts and weights as
// uninterrupted runs. They must record how often they were resumed, and leave no checkpoint. The specs have annealing
// of C, a path of decreasing C, and a choice of the step size.
func TestInterruptedRunsGoOn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test interrupts runs tens of times")
	}
	t.Run("keep", func(t *testing.T) {
		interrupts(t, toy.Spec(t, toy.AtC+variety+"record: {every: {passes: 0.5}}\nkeep: {by: validation_error}\n"))
	})
	t.Run("looks", func(t *testing.T) {
		const more = "record: {every: {passes: 0.5, growth: 1.2, looks: true}}\n"
		interrupts(t, toy.Spec(t, toy.AtC+variety+more, "stop.gap=0.001"))
	})
}

// interrupts interrupts the runs of a spec many times, and compares them with uninterrupted runs.
func interrupts(t *testing.T, s *lang.Spec) {
	whole := toy.Run(t, t.TempDir(), s, toy.Weights())
	resumed := 0
	dir := t.TempDir()
	r := interruptedRuns(t, dir, s, rand.New(rand.NewPCG(1, 1)), toy.Weights())
	toy.SameRows(t, "interrupted", whole.Files, r.Files)
	for i, f := range r.Files {
		resumed += f.End.Resumed
		a, b := *whole.Files[i].End, *f.End
		if a.Rule != b.Rule || a.Why != b.Why || a.Rows != b.Rows || a.Weights != b.Weights {
			t.Errorf("%s: end %+v, want that of the uninterrupted run, %+v", f.Describe(), b, a)
		}
	}
	if left := append(files(t, dir, ".state*"), files(t, dir, ".part*")...); len(left) > 0 {
		t.Errorf("the runs left the files %q, want none", left)
	}
	if resumed < 10 {
		t.Errorf("%d resumptions; want at least 10", resumed)
	}
}

// TestUnusableCheckpoints checks that a run begins again, with a note that gives the reason, if its checkpoint is
// damaged or was written by other code.
func TestUnusableCheckpoints(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
	whole := toy.Run(t, t.TempDir(), s)
	for _, c := range []struct {
		name, says string                          // says: text that the note must contain
		spoil      func(t *testing.T, file string) // damages the checkpoint
		opts       []toy.Option
	}{
		{name: "a bit of the state", says: "so the run begins again: ", spoil: func(t *testing.T, file string) {
			text, err := os.ReadFile(file)
			if err == nil {
				text[len(text)-100] ^= 1
				err = os.WriteFile(file, text, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{name: "cut off", says: "so the run begins again: ", spoil: func(t *testing.T, file string) {
			if err := os.Truncate(file, 10); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a pipe", says: "so the run begins again: ", spoil: func(t *testing.T, file string) {
			if err := errors.Join(os.Remove(file), exec.Command("mkfifo", file).Run()); err != nil {
				t.Skip(err)
			}
		}},
		{name: "100 TB", says: " leaves ", spoil: func(t *testing.T, file string) {
			if err := os.Truncate(file, 1e14); err != nil {
				t.Skip(err) // the file system has no files of this length
			}
		}},
		{name: "other code", says: "solver ascent has changed",
			opts: []toy.Option{func(o *schedule.Options) {
				o.Catalogue.Sources = func(pkg string) string { return "later sources of " + pkg }
			}}},
		{name: "unknown code", says: "begins again, because the code that began it is unknown",
			opts: []toy.Option{func(o *schedule.Options) { o.Catalogue.Sources = nil }}},
		{name: "nothing", says: "resumed from "},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			begin := append([]toy.Option{toy.SaveEvery(everyYield), toy.OnEvent(func(e schedule.Event) {
				if e.Kind == schedule.Recorded && e.Passes >= 1 {
					cancel()
				}
			})}, c.opts[:min(len(c.opts), strings.Count(c.name, "unknown"))]...)
			toy.RunIn(t, ctx, dir, s, begin...)
			file := one(t, dir, ".state")
			if c.spoil != nil {
				c.spoil(t, file)
			}
			var said []string
			r := toy.Run(t, dir, s, append(c.opts, toy.OnEvent(func(e schedule.Event) {
				if e.Kind == schedule.Noted {
					said = append(said, e.Why)
				}
			}))...)
			toy.SameRows(t, c.name, whole.Files, r.Files)
			if len(said) == 0 || !strings.Contains(said[0], c.says) {
				t.Errorf("notes %q, want %q in the first", said, c.says)
			}
			if want := c.spoil == nil && c.opts == nil; want != (toy.Only(t, r).End.Resumed == 1) {
				t.Errorf("resumptions = %d, want 1 only if the checkpoint is usable (%v)", toy.Only(t, r).End.Resumed, want)
			}
		})
	}
}

// TestUndecodableCheckpoints checks checkpoints with a valid checksum that contain a state that cannot be decoded, or
// the state of another problem. The run must begin again, with a note that names the faulty state.
func TestUndecodableCheckpoints(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
	whole := toy.Run(t, t.TempDir(), s)
	smaller := toy.Spec(t, strings.Replace(toy.AtC, "train: 60", "train: 30", 1)+
		"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
	_, _, other := interrupted(t, t.TempDir(), smaller)
	for says, spoil := range map[string]func([]byte) []byte{
		"the state of the run: ":    func(b []byte) []byte { return bytes.Repeat([]byte{0xff}, len(b)) },
		"the state of the solver: ": func(b []byte) []byte { return b[:len(b)-5] },
		"the state of the solver: *[][]float64: 1099511627776 elements should follow, but only ": func(b []byte) []byte {
			const kind = "[][]float64" // type of the solver's first variable; its length follows
			binary.LittleEndian.PutUint64(b[bytes.LastIndex(b, []byte(kind))+len(kind):], 1<<40)
			return b
		},
		"the state of the solver: 7 bytes follow after its last variable": func(b []byte) []byte {
			return append(b, "further"...)
		},
		"panic: ": func([]byte) []byte { return other },
	} {
		t.Run(says, func(t *testing.T) {
			dir := t.TempDir()
			file, head, state := interrupted(t, dir, s)
			text := append(head, spoil(state)...)
			sum := sha256.Sum256(text)
			if err := os.WriteFile(file, append(text, sum[:]...), 0o666); err != nil {
				t.Fatal(err)
			}
			var notes []string
			r := toy.Run(t, dir, s, toy.OnEvent(func(e schedule.Event) {
				if e.Kind == schedule.Noted {
					notes = append(notes, e.Why)
				}
			}))
			toy.SameRows(t, "the run that began again", whole.Files, r.Files)
			said := strings.Join(notes, "\n")
			if !strings.Contains(said, "so the run begins again: "+says) {
				t.Errorf("notes %q; want one with %q", notes, says)
			}
			if n := toy.Only(t, r).End.Resumed; n != 0 {
				t.Errorf("resumptions = %d, want 0", n)
			}
		})
	}
}

// interrupted starts a run and interrupts it after one pass. It returns the path of the checkpoint that the run leaves,
// and the bytes of the checkpoint in two pieces: the header with the rows, and the state.
func interrupted(t *testing.T, dir string, s *lang.Spec) (file string, head, state []byte) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	toy.RunIn(t, ctx, dir, s, toy.SaveEvery(everyYield), toy.OnEvent(func(e schedule.Event) {
		if e.Kind == schedule.Recorded && e.Passes >= 1 {
			cancel()
		}
	}))
	file = one(t, dir, ".state")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := len("gaplab-state/2\n") + 8 // length of everything before the rows
	rows += int(binary.LittleEndian.Uint64(text[rows-8:]))
	return file, text[:rows:rows], text[rows : len(text)-sha256.Size]
}

// one returns the path of the only file in the runs' folder whose name ends in ending.
func one(t *testing.T, dir, ending string) string {
	t.Helper()
	found := files(t, dir, ending)
	if len(found) != 1 {
		t.Fatalf("files with the ending %s: %q, want one", ending, found)
	}
	return found[0]
}

// files returns the paths of the files in the runs' folder whose names end in ending.
func files(t *testing.T, dir, ending string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "test", "tiny", "own", "*"+ending))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestStatesOfResultsAreRemoved checks that a Run that reuses a result removes the checkpoint that a killed process
// left next to the result.
func TestStatesOfResultsAreRemoved(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
	dir := t.TempDir()
	f := toy.Only(t, toy.Run(t, dir, s))
	if err := os.WriteFile(strings.TrimSuffix(f.Path, ".jsonl")+".state", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	toy.Run(t, dir, s)
	if left := files(t, dir, ".state"); len(left) > 0 {
		t.Errorf("the runs left the files %q, want none", left)
	}
}

// TestUnsavedStates checks that a run continues, with a note to the user, if its checkpoint cannot be written.
func TestUnsavedStates(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
	dir := t.TempDir()
	var said []string
	r := toy.Run(t, dir, s, toy.SaveEvery(everyYield), toy.OnEvent(func(e schedule.Event) {
		if e.Kind == schedule.Started {
			part := one(t, dir, ".part.jsonl")
			name, _, _ := strings.Cut(filepath.Base(part), ".")
			folder := filepath.Join(filepath.Dir(part), name+".state")
			if err := os.MkdirAll(filepath.Join(folder, "full"), 0o777); err != nil { // a file cannot replace this folder
				t.Error(err)
			}
		}
		if e.Kind == schedule.Noted {
			said = append(said, e.Why)
		}
	}))
	toy.WantStatus(t, toy.Only(t, r), trace.Done, "passes")
	if len(said) != 1 || !strings.Contains(said[0], "its checkpoint could not be written") {
		t.Errorf("notes %q, want one that the checkpoint could not be written", said)
	}
}

// failing is a solver that fails when it has yielded some iterates of the solver inner, with their states.
type failing struct {
	inner solvers.Trainer
	after int
}

// Needs implements solvers.Solver.
func (f failing) Needs() solvers.Needs { return f.inner.Needs() }

// Train implements solvers.Trainer.
func (f failing) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		left := f.after
		for at, err := range f.inner.Train(p, env) {
			if left--; left < 0 {
				err = errors.New("out of order")
			}
			if !yield(at, err) || err != nil {
				return
			}
		}
	}
}

// TestFailedRunsLeaveNoCheckpoint checks that a run that fails leaves no checkpoint, although it wrote some. The next
// Run repeats it from its start and resumes nothing.
func TestFailedRunsLeaveNoCheckpoint(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
	whole := toy.Run(t, t.TempDir(), s)
	dir := t.TempDir()
	saved := false
	r := toy.Run(t, dir, s, toy.SaveEvery(everyYield), func(o *schedule.Options) {
		o.Wrap = func(s solvers.Solver) solvers.Solver { return failing{s.(solvers.Trainer), 3} }
	}, toy.OnEvent(func(e schedule.Event) { saved = saved || len(files(t, dir, ".state")) > 0 }))
	toy.WantStatus(t, toy.Only(t, r), trace.Failed, "")
	if left := files(t, dir, ".state"); !saved || len(left) > 0 {
		t.Errorf("checkpoints after the failure: %q, want none; one was written before: %v, want true", left, saved)
	}
	again := toy.Run(t, dir, s)
	toy.SameRows(t, "repeated after a failure", whole.Files, again.Files)
	if n := toy.Only(t, again).End.Resumed; n != 0 {
		t.Errorf("resumptions = %d, want 0", n)
	}
}
