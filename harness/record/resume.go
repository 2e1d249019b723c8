package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// Saving is where a run's state goes, so that another process can go on with it: what the books of the run consist of,
// and what its solver names (solvers.Iterate.State). The rows so far belong to it, and are for the caller to keep.
type Saving struct {
	// From is nil, or what Keep was given in the process that began the run. Rows then gets the later rows only.
	From io.Reader
	// Keep, unless nil, keeps what it has write, in place of what it kept before.
	Keep  func(write func(io.Writer) error) error
	Every time.Duration // of the wall, between two times; a state that takes long to write is written more seldom
}

const (
	seldom      = 20 // times what writing the state took, until it is written again
	worthSaving = 10 // an interrupted run has its state written if it has worked for this part of Every
)

// saver decides when the state of a run is written, and knows where a run is that goes on from one.
type saver struct {
	Saving
	next time.Time // when a state is due

	resuming bool // the state of the books is set, that of the solver not yet
	again    bool // the next iterate is that of the state
	calls    [6]int64
	spent    map[string][2]int64 // by phase
	times    int                 // that the run was gone on with
	err      error               // of the last time that it was written
}

// due says whether a state should be written now.
func (s *saver) due() bool { return s.Keep != nil && time.Now().After(s.next) }

// carry names the books of a run. Counts of calls and seconds of phases are set later (execution.resume), since the
// solver's set-up, which is repeated, adds to them.
func (x *execution) carry(to *solvers.State) {
	if !to.Loading() {
		x.saver.calls = x.calls.totals()
		x.saver.spent = map[string][2]int64{}
		for name, s := range x.phases.spent {
			x.saver.spent[name] = [2]int64{int64(s.wall), int64(s.cpu)}
		}
	}
	marked := x.mark == nil
	to.Carry(&x.saver.calls, &x.saver.spent, &x.saver.times, &x.spent.wall, &x.spent.cpu, &x.aside.wall, &x.aside.cpu,
		&x.recording, &x.elsewhere, &marked)
	if marked {
		x.mark = nil
	}
	to.Carry(&x.stage, &x.stageStart, &x.arrived, &x.until.Passes, &x.until.Epochs, &x.until.Gap, &x.until.Seconds)
	to.Carry(&x.next, &x.c, &x.lambda, &x.lastPasses, &x.lastEpoch, &x.lastGap, &x.begun, &x.recorded)
	k := &x.keep
	to.Carry(&k.best, &k.since, &k.looked, &k.final, &k.counts.Names, &k.counts.Num, &k.counts.Den)
}

// load sets the books to those of the state that the run goes on from, if there is one.
func (x *execution) load() error {
	if x.saver.From == nil {
		return nil
	}
	x.saver.From = bufio.NewReader(x.saver.From) // two decoders read from it, neither more than its own
	if err := solvers.LoadState(x.saver.From, x.carry); err != nil {
		return fmt.Errorf("the state of the run: %w", err)
	}
	x.saver.resuming = true
	x.saver.times++
	x.env.Resume = x.resume
	return nil
}

// resume implements solvers.Env.Resume.
func (x *execution) resume(names func(*solvers.State)) (bool, error) {
	if !x.saver.resuming {
		return false, nil
	}
	x.saver.resuming, x.saver.again = false, true
	if err := solvers.LoadState(x.saver.From, names); err != nil {
		return false, err
	}
	x.calls.set(x.saver.calls)
	x.phases.spent = map[string]spent{}
	for name, s := range x.saver.spent {
		x.phases.spent[name] = spent{time.Duration(s[0]), time.Duration(s[1])}
	}
	x.start()
	return true, nil
}

// errNotResumed is the error of a run whose solver has a State and does not call Env.Resumed.
var errNotResumed = errors.New("the solver has named its state at an iterate, and does not take it now")

// save writes the state, at an iterate that has one. A run goes on if it cannot be written.
func (x *execution) save(it solvers.Iterate) {
	if it.State == nil {
		return
	}
	begun := time.Now()
	x.saver.err = x.saver.Keep(func(w io.Writer) error {
		if err := solvers.SaveState(w, x.carry); err != nil {
			return err
		}
		return solvers.SaveState(w, it.State)
	})
	now := time.Now()
	x.saver.next = now.Add(max(x.saver.Every, seldom*now.Sub(begun)))
}

// interruptedLate says whether a run that ends now has worked long enough for its state to be worth a file.
func (x *execution) interruptedLate(end ending) bool {
	return x.saver.Keep != nil && end != nil && end.status == trace.Interrupted &&
		x.spent.wall >= x.saver.Every/worthSaving
}
