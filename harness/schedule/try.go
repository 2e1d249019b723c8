package schedule

import (
	"context"
	"encoding/json"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// try runs a candidate up to the point of its choice, or reuses an existing trial. It implements work.
func (x *experiment) try(ctx context.Context, j *job, evaluators int, wait bool) error {
	if err := x.identify(ctx, j); err != nil {
		return err
	}
	stop := trialStop(j.Run)
	point := pointOf(stop)
	var err error
	if j.trial, err = x.tried(j, point); j.trial != nil {
		x.runs.DropState(j.key, point) // a killed process may have left the checkpoint
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

// tried returns the existing trial of a candidate, which may be its final result; nil if there is none. With an error,
// the returned trial is not nil.
func (x *experiment) tried(j *job, point string) (*trial, error) {
	f, err := x.found(j)
	if f != nil || err != nil {
		return &trial{f, true}, err
	}
	if x.options.Force {
		return nil, nil
	}
	if f := x.runs.Trial(j.key, point); f != nil {
		return &trial{f, false}, nil
	}
	return nil, nil
}

// pointOf returns the name of a trial's stop, which is a digest of the stop rule.
func pointOf(stop lang.Stop) string {
	text, err := json.Marshal(stop)
	if err != nil {
		panic("schedule: " + err.Error()) // numbers and words only
	}
	return trace.Digest(text)
}

// trialStop returns the stop rule of a trial: the point of the choice, and the candidate's own rules, if they end it
// earlier.
func trialStop(r lang.Run) lang.Stop {
	stop, at := r.Stop, r.Choose.Rule.At
	if at.Passes > 0 {
		stop.Passes = at.Passes
	} else {
		stop.Epochs = at.Epochs
	}
	return stop
}
