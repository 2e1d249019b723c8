package schedule

import (
	"io"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// saveEvery is the default time between two checkpoints of a run. Most runs are shorter and write no checkpoint.
const saveEvery = time.Minute

// longAttempt is a number of seconds. If an interrupted run has no checkpoint and had worked for at least longAttempt
// seconds, a note tells the user that this work is lost.
const longAttempt = 60

// checkpoints returns the settings by which a run saves its checkpoints. If an earlier process left a checkpoint of the
// run, checkpoints also copies its rows to draft, the new file of the run. The run then continues after these rows. If
// the run is made only up to the point where it is compared with others (lang.Choose), the argument point names this
// point; for a complete run, it is "". The caller must call close when the run has ended.
func (x *experiment) checkpoints(j *job, point string, draft *store.Draft) (s record.Saving, close func(), err error) {
	close = func() {}
	if j.extra { // the code of a caller's solver may have changed since the checkpoint
		return s, close, nil
	}
	s.Every = x.options.SaveEvery
	if s.Every == 0 {
		s.Every = saveEvery
	}
	if x.oneSitting() { // a resumed run would be the work of two processes
		s.Every = Never
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
	if err := draft.Resume(state); err != nil {
		state.Close()
		return s, close, err
	}
	s.From = state.Rest
	rows := state.Run.Rows
	last := rows[len(rows)-1].Values
	x.note(j, "%s: interrupted before; resumed from %.4g passes and %.0f s of work", j.Labels["as"], last[trace.Passes],
		max(last[trace.Seconds], last[trace.CPUSeconds]))
	return s, func() { state.Close() }, nil
}

// left returns the checkpoint that an earlier process left of a run. It returns nil if there is no checkpoint, or if
// this process cannot resume the run with the same bits.
func (x *experiment) left(j *job, point string) *store.State {
	if x.options.Force || x.oneSitting() {
		return nil
	}
	state, err := x.runs.State(j.key, point)
	if err != nil {
		x.note(j, "%s: the checkpoint of an earlier attempt cannot be read, so the run begins again: %v", j.Labels["as"], err)
		return nil
	}
	if state == nil {
		return nil
	}
	if why := x.otherBits(j, state.Run); why != "" {
		x.note(j, "%s: interrupted before; it begins again, because %s", j.Labels["as"], why)
		state.Close()
		return nil
	}
	if len(state.Run.Rows) == 0 {
		state.Close()
		return nil
	}
	return state
}

// otherBits returns the reason why the rows of a resumed run might differ from the rows of an uninterrupted run, or ""
// if they are certainly equal.
func (x *experiment) otherBits(j *job, f *trace.File) string {
	if len(f.Manifest.Sources) == 0 {
		return "the code that began it is unknown"
	}
	if parts := x.differing(j, f); len(parts) > 0 {
		return "the code of " + strings.Join(parts, ", ") + " has changed"
	}
	return origin.Changed(f.Manifest.Origin, origin.Here(x.options.Catalogue))
}

// noteAttempt reports that a run begins again from its start although an interrupted attempt did much work.
func (x *experiment) noteAttempt(j *job) {
	if x.options.Force {
		return
	}
	var most, passes float64
	for _, f := range x.runs.Attempts(j.key) {
		if n := len(f.Rows); n > 0 && f.Status() == trace.Interrupted {
			last := f.Rows[n-1].Values
			if seconds := max(last[trace.Seconds], last[trace.CPUSeconds]); seconds > most {
				most, passes = seconds, last[trace.Passes]
			}
		}
	}
	if most >= longAttempt {
		x.note(j, "%s: interrupted before, after %.4g passes in %.0f s; it has no checkpoint, so it begins again",
			j.Labels["as"], passes, most)
	}
}
