package record

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/solvers"
)

// Saving configures how the state of a run is written and read, so that another process can resume the run. A state
// consists of the run's counts and clocks, and of the variables that the solver lists (solvers.Iterate.State). The rows
// so far are not part of the state: the caller must store them.
type Saving struct {
	// From reads the state that an earlier process passed to Keep; From.N must be the length of the state. Recording.Rows
	// then gets only the rows after this state. nil: the run starts from its beginning.
	From *io.LimitedReader
	// Keep must store the bytes that its argument, write, writes. They replace the previous state. nil: no state is
	// written.
	Keep  func(write func(io.Writer) error) error
	Every time.Duration // wall-clock time between two states; the time is longer if writing a state takes long
}

const (
	seldom      = 20 // the time to the next state is at least this multiple of the time to write one
	worthSaving = 10 // an interrupted run writes its state if it has worked for Every / worthSaving
)

// saver decides when the state of a run is written, and stores the state that a resumed run has read.
type saver struct {
	Saving
	next time.Time // time from which the next state is to be written

	resuming bool                // the state of the run has been read, but not yet the state of the solver
	again    bool                // the next iterate is the iterate at which the state was written
	calls    [6]int64            // numbers of calls by kind, in the order of calls.totals
	spent    map[string][2]int64 // by phase, nanoseconds of wall-clock time and of CPU time
	times    int                 // how often the run was resumed
	err      error               // error of the last attempt to write the state; nil: no error
}

// due reports whether a state should be written at the present time now.
func (s *saver) due(now time.Time) bool { return s.Keep != nil && now.After(s.next) }

// carry reads or writes the run's own variables. When a run resumes, the solver repeats its set-up, which increases the
// counts of calls and the seconds of phases. Therefore carry only stores these two in the saver; resume sets them after
// the set-up.
func (x *execution) carry(to *solvers.State) {
	if !to.Loading() {
		x.saver.calls = x.calls.totals()
		x.saver.spent = map[string][2]int64{}
		for name, s := range x.timer.phases.spent {
			x.saver.spent[name] = [2]int64{int64(s.wall), int64(s.cpu)}
		}
	}
	marked := x.pace.mark == nil
	t, s, p, k := &x.timer, &x.stage, &x.pace, &x.keep
	to.Carry(&x.saver.calls, &x.saver.spent, &x.saver.times, &t.spent.wall, &t.spent.cpu, &t.aside.wall, &t.aside.cpu,
		&t.recording, &t.elsewhere, &marked)
	if marked {
		p.mark = nil
	}
	to.Carry(&s.index, &s.start, &s.arrived, &s.until.Passes, &s.until.Epochs, &s.until.Gap, &s.until.Seconds)
	to.Carry(&p.origin, &p.look, &p.first.at, &p.first.gap)
	to.Carry(&p.next, &s.c, &s.lambda, &x.at.passes, &x.at.epoch, &x.at.gap, &p.begun, &p.recorded)
	to.Carry(&k.best, &k.since, &k.looked, &k.final, &k.counts.Names, &k.counts.Num, &k.counts.Den)
}

// load reads the run's own variables from the state from which the run resumes, if there is one.
func (x *execution) load() error {
	if x.saver.From == nil {
		return nil
	}
	if there := machine.Available(); x.saver.From.N > there.Bytes {
		return fmt.Errorf("the state of the run has %s, but %s leaves only %s", machine.Size(float64(x.saver.From.N)),
			there.By, machine.Size(float64(there.Bytes)))
	}
	if err := solvers.LoadState(x.saver.From, x.carry); err != nil {
		return fmt.Errorf("the state of the run: %w", err)
	}
	x.saver.resuming = true
	x.saver.times++
	x.env.Resume = x.resume
	return nil
}

// resume implements solvers.Env.Resume: it reads the solver's variables from the state, if the run resumes from one.
func (x *execution) resume(names func(*solvers.State)) (bool, error) {
	if !x.saver.resuming {
		return false, nil
	}
	x.saver.resuming, x.saver.again = false, true
	if err := solvers.LoadState(x.saver.From, names); err != nil {
		return false, fmt.Errorf("the state of the solver: %w", err)
	}
	if n := x.saver.From.N; n != 0 {
		return false, fmt.Errorf("the state of the solver: %d bytes follow after its last variable", n)
	}
	x.calls.set(x.saver.calls)
	x.timer.phases.spent = map[string]spent{}
	for name, s := range x.saver.spent {
		x.timer.phases.spent[name] = spent{time.Duration(s[0]), time.Duration(s[1])}
	}
	x.start()
	return true, nil
}

// errNotResumed is the error of a resumed run whose solver does not call Env.Resumed.
var errNotResumed = errors.New("the solver saves its state, but did not resume from a saved state: call Env.Resumed " +
	"after the set-up")

// save writes the state at an iterate, if the solver provides one. If writing fails, the run continues.
func (x *execution) save(it solvers.Iterate) {
	if it.State == nil {
		return
	}
	begun := x.timer.clock.present()
	x.saver.err = x.saver.Keep(func(w io.Writer) error {
		if err := solvers.SaveState(w, x.carry); err != nil {
			return err
		}
		return solvers.SaveState(w, it.State)
	})
	now := x.timer.clock.present()
	x.saver.next = now.Add(max(x.saver.Every, seldom*now.Sub(begun)))
}

// interruptedLate reports whether an interrupt ends the run now, after so much work that the state is worth writing.
func (x *execution) interruptedLate(end ending) bool {
	return x.saver.Keep != nil && end != nil && end.status == trace.Interrupted &&
		x.timer.spent.wall >= x.saver.Every/worthSaving
}
