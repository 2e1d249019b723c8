package schedule

import (
	"context"
	"encoding/json"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// try makes the trial of a job: its run up to the point where runs are compared (lang.Choose). If the trial exists
// already, try reuses it. It is a function of type work.
func (x *experiment) try(ctx context.Context, j *job, evaluators int, wait bool) error {
	if err := x.identify(ctx, j); err != nil {
		return err
	}
	stop := trialStop(j.Run)
	point := pointOf(stop)
	var err error
	if j.trial, err = x.tried(j, point); j.trial != nil {
		x.runs.DropState(j.key, point) // a process that was killed may have left the checkpoint
		if j.trial.result {
			x.runs.DropTrials(j.key)
		}
		return err
	}
	release, err := x.claim(ctx, j, wait)
	if err != nil {
		return err
	}
	defer release()
	if j.trial, err = x.tried(j, point); j.trial != nil {
		return err
	}
	if err := x.introduce(ctx, j); err != nil {
		return err
	}
	draft, out, err := x.execute(ctx, j, stop, point, evaluators)
	if err != nil {
		return err
	}
	end, err := x.end(ctx, j, out)
	if err != nil {
		return err
	}
	var f *trace.File
	if store.Counts(&trace.File{End: &end}) {
		f, err = draft.KeepTrial(point, end)
	} else {
		f, err = draft.Leave(end)
	}
	j.trial = &trial{f, false}
	return err
}

// tried returns the existing trial of a job (its run up to the point where runs are compared), or nil if there is none.
// If the job has a final result, tried returns this in place of the trial. If the result cannot be read, both the
// returned trial and the error are not nil.
func (x *experiment) tried(j *job, point string) (*trial, error) {
	f, err := x.found(j)
	if f != nil || err != nil {
		return &trial{f, true}, err
	}
	if x.options.Force {
		return nil, nil
	}
	if f := x.runs.Trial(j.key, point); f != nil && x.comparable(f) {
		return &trial{f, false}, nil
	}
	return nil, nil
}

// pointOf returns a name for the point where a run is compared with others: a hash of the stop rule that ends the run
// there.
func pointOf(stop lang.Stop) string {
	text, err := json.Marshal(stop)
	if err != nil {
		panic("schedule: " + err.Error()) // impossible: the fields of a stop rule are numbers and texts
	}
	return trace.Digest(text)
}

// trialStop returns the stop rule of a trial, which is the run r up to the point where it is compared with others
// (lang.Choose). The run's own stop rule may end the trial earlier.
func trialStop(r lang.Run) lang.Stop {
	stop, at := r.Stop, r.Choose.Rule.At
	if at.Passes > 0 {
		stop.Passes = at.Passes
	} else {
		stop.Epochs = at.Epochs
	}
	return stop
}
