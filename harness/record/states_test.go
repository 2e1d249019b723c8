package record

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// TestWhenStatesAreWritten checks when a state is due, that an interrupted run writes one only after enough work, and
// how long the next waits: at least the given time, and longer if writing took long.
func TestWhenStatesAreWritten(t *testing.T) {
	zero := time.Unix(1000, 0)
	keep := func(func(io.Writer) error) error { return nil }
	for _, c := range []struct {
		keep   func(func(io.Writer) error) error
		after  time.Duration // since the state is due
		status trace.Status
		worked time.Duration
		due    bool
		late   bool
	}{
		{nil, time.Hour, trace.Interrupted, time.Hour, false, false}, {keep, 1, "", time.Hour, true, false},
		{keep, 0, trace.Done, time.Hour, false, false}, {keep, -1, trace.Interrupted, 6 * time.Second, false, true},
		{keep, -1, trace.Interrupted, 6*time.Second - 1, false, false}, {keep, -1, trace.Budget, time.Hour, false, false},
	} {
		x := &execution{saver: saver{Saving: Saving{Keep: c.keep, Every: time.Minute}, next: zero}}
		x.timer.spent.wall = c.worked
		var end ending
		if c.status != "" {
			end = &outcome{status: c.status}
		}
		if due, late := x.saver.due(zero.Add(c.after)), x.interruptedLate(end); due != c.due || late != c.late {
			t.Errorf("%+v: due %v, written at the end %v", c, due, late)
		}
	}
	for _, took := range []time.Duration{0, time.Second, 3 * time.Second, 10 * time.Second} {
		now, written := zero, 0
		x := &execution{calls: newCalls(1), timer: timer{clock: &clock{present: func() time.Time { return now }}}}
		failed := errors.New("disk full")
		x.saver.Every = time.Minute
		x.saver.Keep = func(write func(io.Writer) error) error {
			written++
			now = now.Add(took)
			return errors.Join(write(io.Discard), failed)
		}
		x.save(solvers.Iterate{})
		if written != 0 {
			t.Error("a state was written although the solver has none")
		}
		x.save(solvers.Iterate{State: func(*solvers.State) {}})
		if want := now.Add(max(time.Minute, 20*took)); written != 1 || !errors.Is(x.saver.err, failed) ||
			!x.saver.next.Equal(want) {
			t.Errorf("writing took %v: %d states, error %v, the next after %v; want one, and %v", took, written, x.saver.err,
				x.saver.next.Sub(now), want.Sub(now))
		}
	}
}

// TestResumedCounts checks that a resumed run has the counts of calls and the times of phases of its state, not those
// of the set-up that the solver repeats, that it counts how often it was resumed, and that it resumes once.
func TestResumedCounts(t *testing.T) {
	made := func(n int64) *execution {
		now := time.Unix(1000, 0)
		x := &execution{calls: newCalls(3), timer: timer{clock: &clock{present: func() time.Time { return now },
			thread: func() (time.Duration, bool) { return 0, true }}}}
		x.calls.set([6]int64{n, n + 1, n + 2, n + 3, n + 4, n + 5})
		x.timer.phases.spent = map[string]spent{"setup": {time.Duration(n), time.Duration(2 * n)}, "only": {}}
		return x
	}
	old, w := made(10), 3.5
	old.timer.phases.spent["qp"] = spent{70, 80}
	old.saver.times = 4
	var state bytes.Buffer
	old.saver.Keep = func(write func(io.Writer) error) error { return write(&state) }
	solver := func(to *solvers.State) { to.Carry(&w) }
	old.save(solvers.Iterate{State: solver})
	if old.saver.err != nil || old.calls.totals() != [6]int64{10, 11, 12, 13, 14, 15} {
		t.Fatalf("saved with the error %v, counts now %v", old.saver.err, old.calls.totals())
	}
	read := made(100)
	read.saver.From, w = &io.LimitedReader{R: &state, N: int64(state.Len())}, 0
	if err := read.load(); err != nil {
		t.Fatal(err)
	}
	read.calls.book(&read.calls.tallies[2], &read.calls.tallies[2].max) // the set-up of the solver
	for i, want := range []bool{true, false} {
		if resumed, err := read.env.Resume(solver); resumed != want || err != nil {
			t.Errorf("call %d of Resume: %v, %v; want %v", i, resumed, err, want)
		}
	}
	want := map[string]spent{"setup": {10, 20}, "qp": {70, 80}, "only": {}}
	if got := read.calls.totals(); got != [6]int64{10, 11, 12, 13, 14, 15} || !maps.Equal(read.timer.phases.spent, want) ||
		read.saver.times != 5 || w != 3.5 || !read.saver.again || read.saver.resuming {
		t.Errorf("resumed with the counts %v, phases %v, %d times, w %v; want those of the state, %v, and 5", got,
			read.timer.phases.spent, read.saver.times, w, want)
	}
	fresh := made(1)
	if err := fresh.load(); err != nil || fresh.env.Resume != nil || fresh.saver.resuming || fresh.saver.times != 0 {
		t.Errorf("a run without a state: %v, %+v", err, fresh.saver)
	}
}
