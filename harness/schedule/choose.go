package schedule

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// trial is the state of a candidate at the point where its rule compares.
type trial struct {
	file   *trace.File
	result bool // it is the result of its key: the run went on, or lost earlier
}

func (t *trial) status() trace.Status { return t.file.Status() }

// try runs a candidate up to the point of its choice, unless it has got there before, here or in another process.
func (x *experiment) try(ctx context.Context, j *job, evaluators int, wait bool) error {
	if err := x.identify(ctx, j); err != nil {
		return err
	}
	stop := trialStop(j.Run)
	point := pointOf(stop)
	tried := func() (*trial, error) {
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
	var err error
	if j.trial, err = tried(); j.trial != nil {
		x.runs.DropState(j.key, point) // of a process that was killed between what it made and that
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
	if j.trial, err = tried(); j.trial != nil {
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

// pointOf is a word for where a trial stops.
func pointOf(stop lang.Stop) string {
	text, err := json.Marshal(stop)
	if err != nil {
		panic("schedule: " + err.Error()) // numbers and words only
	}
	return trace.Digest(text)
}

// trialStop ends a candidate at the point of its choice, or earlier by its own rules.
func trialStop(r lang.Run) lang.Stop {
	stop, at := r.Stop, r.Choose.Rule.At
	if at.Passes > 0 {
		stop.Passes = at.Passes
	} else {
		stop.Epochs = at.Epochs
	}
	return stop
}

// grouped are candidates by the choice in which they compete, in the order of the plan.
func grouped(candidates []*job) (groups [][]*job) {
	at := map[string]int{}
	for _, j := range candidates {
		i, ok := at[j.Choose.Group]
		if !ok {
			i = len(groups)
			at[j.Choose.Group], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], j)
	}
	return groups
}

// decide picks, in each group, the value of the rule's parameter that is best at its point, makes the trials of the
// others their results, and returns the jobs that go on. In a group with interrupted trials, none is chosen.
func (x *experiment) decide(candidates []*job) ([]*job, error) {
	var winners []*job
	for _, group := range grouped(candidates) {
		best, state := winner(group)
		for _, j := range group {
			var err error
			switch {
			case state == undecided:
				err = x.postpone(j)
			case state == nobody:
				err = x.endTrial(j, fmt.Sprintf("no candidate has %s where the choice is made", j.Choose.Rule.By))
			case trace.FormatLabel(j.Choose.Value) == best:
				winners = append(winners, j)
				j.chosen = new(bool)
				*j.chosen = true // it starts again: its rows so far will be the same
			default:
				j.chosen = new(bool)
				err = x.endTrial(j, "")
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return winners, nil
}

// postpone shows the trial of a candidate that is not decided as an interrupted run. The trial itself is kept.
func (x *experiment) postpone(j *job) error {
	if j.trial == nil || j.trial.result || j.trial.status() == trace.Interrupted {
		return nil
	}
	draft, err := x.again(j)
	if err != nil {
		return err
	}
	_, err = draft.Leave(trace.End{Status: trace.Interrupted, Why: "the choice was not made"})
	return err
}

// again is a draft with the rows of a candidate's trial.
func (x *experiment) again(j *job) (*store.Draft, error) {
	draft, err := x.runs.Begin(j.key, j.trial.file.Manifest)
	if err != nil {
		return nil, err
	}
	for _, r := range j.trial.file.Rows {
		if err := draft.Append(r); err != nil {
			return nil, err
		}
	}
	return draft, nil
}

// endTrial turns the trial of a candidate that goes no further into its result: a failure, if none was chosen.
func (x *experiment) endTrial(j *job, failure string) error {
	end := *j.trial.file.End
	if failure != "" && !j.trial.result && end.Status == trace.Done {
		end.Status, end.Why, end.Rule = trace.Failed, failure, ""
	}
	if j.chosen != nil {
		if end.Labels = maps.Clone(end.Labels); end.Labels == nil {
			end.Labels = map[string]any{}
		}
		end.Labels["chosen"] = *j.chosen
	}
	if !j.trial.result || j.chosen != nil && j.trial.file.End.Labels["chosen"] != *j.chosen {
		draft, err := x.again(j)
		if err != nil {
			return err
		}
		if _, err := x.put(j, draft, end); err != nil {
			return err
		}
	}
	if j.trial.result {
		x.reused(j, end.Status)
		return nil
	}
	last := 0.0
	if rows := j.trial.file.Rows; len(rows) > 0 {
		last = rows[len(rows)-1].Values[trace.Passes]
	}
	x.report(Event{Kind: Ended, Run: j.Run, Status: end.Status, Why: end.Why, Passes: last, Seconds: end.Seconds}, true)
	return nil
}
