package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// trial is a candidate's run up to the point where its rule compares.
type trial struct {
	rows   []trace.Row
	status trace.Status
	writer *trace.Writer // open until it is known whether the candidate goes on; nil if the rows are an earlier run's
	out    outcome
	run    *execution
	file   *trace.File // an earlier run
}

// trial runs a candidate up to the point of its choice, unless an earlier run has got there.
func (x *experiment) trial(ctx context.Context, j *job, evaluators int) error {
	path, f, err := x.finished(ctx, j)
	if err != nil {
		return err
	}
	if f != nil {
		j.trial = &trial{rows: f.Rows, status: f.Status(), file: f}
		return nil
	}
	t := &trial{}
	t.writer, t.out, t.run, err = x.execute(ctx, j, path, trialStop(j.Run), evaluators)
	if err != nil {
		return err
	}
	j.trial, t.status = t, t.out.status
	if f, err = trace.Read(path); err != nil {
		return err
	}
	t.rows = f.Rows
	return nil
}

// trialStop ends a candidate at the point of its choice, or before by its own rules.
func trialStop(r lang.Run) lang.Stop {
	stop, at := r.Stop, r.Choose.Rule.At
	if at.Passes > 0 {
		stop.Passes = at.Passes
	} else {
		stop.Epochs = at.Epochs
	}
	return stop
}

// decide picks, in each group, the value of the rule's parameter that is best at its point, ends the runs of the
// others there, and returns the jobs that go on. In a group whose trials were interrupted nobody is chosen, and all
// begin again the next time.
func (x *experiment) decide(candidates []*job) ([]*job, error) {
	groups := map[string][]*job{}
	var order []string
	for _, j := range candidates {
		if groups[j.Choose.Group] == nil {
			order = append(order, j.Choose.Group)
		}
		groups[j.Choose.Group] = append(groups[j.Choose.Group], j)
	}
	var winners []*job
	for _, name := range order {
		best, state := winner(groups[name])
		for _, j := range groups[name] {
			var err error
			switch {
			case state == undecided:
				err = x.abandonTrial(j, "the choice was not made")
			case state == nobody:
				err = x.endTrial(j, fmt.Sprintf("no candidate has %s where the choice is made", j.Choose.Rule.By))
			case trace.FormatLabel(j.Choose.Value) == best:
				winners = append(winners, j)
				j.chosen = new(bool)
				*j.chosen = true
				err = x.abandonTrial(j, "chosen: it goes on") // it starts again: the rows so far come out the same
			default:
				j.chosen = new(bool)
				err = x.endTrial(j, "")
			}
			if err != nil {
				return nil, errors.Join(err, x.abandon())
			}
		}
	}
	return winners, nil
}

// abandon ends the files of all open trials as interrupted.
func (x *experiment) abandon() error {
	var errs []error
	for _, j := range x.jobs {
		errs = append(errs, x.abandonTrial(j, "the experiment could not go on"))
	}
	return errors.Join(errs...)
}

func (x *experiment) abandonTrial(j *job, why string) error {
	if j.trial == nil || j.trial.writer == nil {
		return nil
	}
	w := j.trial.writer
	j.trial.writer = nil
	return w.Close(trace.End{Status: trace.Interrupted, Why: why})
}

// endTrial makes the trial of a candidate that goes no further its result: a failure, if nobody was chosen.
func (x *experiment) endTrial(j *job, failure string) error {
	t := j.trial
	if w := t.writer; w != nil {
		t.writer = nil
		if failure != "" && t.out.status == trace.Done {
			t.out = outcome{trace.Failed, failure, ""}
		}
		return x.close(j, w, t.out, t.run)
	}
	if j.chosen != nil && t.file.End.Labels["chosen"] != *j.chosen { // chosen before there were other candidates
		if t.file.End.Labels = maps.Clone(t.file.End.Labels); t.file.End.Labels == nil {
			t.file.End.Labels = map[string]any{}
		}
		t.file.End.Labels["chosen"] = *j.chosen
		if err := t.file.Save(t.file.Path); err != nil {
			return err
		}
	}
	x.tell(Event{Kind: Reused, Run: j.Run, Status: t.status}, true)
	return nil
}
