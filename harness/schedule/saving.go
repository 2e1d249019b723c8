package schedule

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// saveEvery is how often the state of a run is kept by default. Most runs take less, and write none.
const saveEvery = time.Minute

// Never is the Options.SaveEvery of runs that keep no state. They go on from one that is there.
const Never = -1

// saving takes over into a draft what an earlier process has left of a run up to a point (of a choice; "": its end),
// and says where its state is to go. close is called when the run has ended.
func (x *experiment) saving(j *job, point string, draft *store.Draft) (s record.Saving, close func(), err error) {
	close = func() {}
	if j.extra { // its code may change between two runs of one key
		return s, close, nil
	}
	s.Every = x.options.SaveEvery
	if s.Every == 0 {
		s.Every = saveEvery
	}
	if s.Every > 0 {
		s.Keep = func(write func(io.Writer) error) error { return draft.SaveState(point, write) }
	}
	x.runs.DropUnwritten(j.key)
	state := x.left(j, point)
	if state == nil {
		x.runs.DropState(j.key, point)
		x.noteAttempt(j)
		return s, close, nil
	}
	if err := draft.GoOn(state); err != nil {
		state.Close()
		return s, close, err
	}
	s.From = state
	rows := state.Run.Rows
	last := rows[len(rows)-1].Values
	x.note(j, "%s: interrupted before; it goes on from %.4g passes and %.0f s of work", j.Labels["as"], last[trace.Passes],
		max(last[trace.Seconds], last[trace.CPUSeconds]))
	return s, func() { state.Close() }, nil
}

// left is the state that an earlier process has left of a run, if this one can go on with it with the same bits.
func (x *experiment) left(j *job, point string) *store.State {
	if x.options.Force {
		return nil
	}
	state, err := x.runs.State(j.key, point)
	if err != nil {
		x.note(j, "%s: what was kept of an earlier attempt cannot be read, so it begins anew: %v", j.Labels["as"], err)
		return nil
	}
	if state == nil {
		return nil
	}
	if why := x.otherBits(j, state.Run); why != "" {
		x.note(j, "%s: interrupted before; it begins anew, since %s", j.Labels["as"], why)
		state.Close()
		return nil
	}
	if len(state.Run.Rows) == 0 {
		state.Close()
		return nil
	}
	return state
}

// otherBits says why a run that goes on here might not have the bits that it would have had where it began.
func (x *experiment) otherBits(j *job, f *trace.File) string {
	m := f.Manifest
	if len(m.Sources) == 0 {
		return "it is not known which code had begun it"
	}
	if parts := x.otherCode(j, f); len(parts) > 0 {
		return "the code of " + strings.Join(parts, ", ") + " has changed"
	}
	at := provenance()
	for _, c := range []struct{ what, then, now string }{
		{"the Go release", m.GoVersion, runtime.Version()},
		{"the platform", m.Platform, runtime.GOOS + "/" + runtime.GOARCH},
		{"the processor", m.CPU, at.cpu},
	} {
		if c.then != c.now {
			return fmt.Sprintf("%s was %s, and is %s", c.what, c.then, c.now)
		}
	}
	return ""
}

// unsaved says that the state of a run could not be written.
func (x *experiment) unsaved(j *job, out record.Outcome) {
	if out.Unsaved != nil {
		x.note(j, "%s: its state could not be kept, for a process that goes on with it: %v", j.Labels["as"], out.Unsaved)
	}
}

func (x *experiment) note(j *job, format string, args ...any) {
	x.report(Event{Kind: Noted, Run: j.Run, Why: fmt.Sprintf(format, args...)}, false)
}
