package record

import (
	"errors"
	"io"
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
