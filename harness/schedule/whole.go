package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/inputs"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// whole makes the run of a job up to its own stop, or reuses an existing result. It is a function of type work.
func (x *experiment) whole(ctx context.Context, j *job, evaluators int, wait bool) error {
	err := x.identify(ctx, j)
	if errors.Is(err, inputs.ErrNoWeights) { // this run cannot be made, but the other runs can
		return x.without(j, err)
	}
	if err != nil {
		return err
	}
	if j.outside {
		return x.given(ctx, j)
	}
	if f, err := x.found(j); f != nil || err != nil {
		return x.reuseUnless(j, f, err)
	}
	release, err := x.claim(ctx, j, wait)
	if err != nil {
		return err
	}
	defer release()
	if f, err := x.found(j); f != nil || err != nil { // another process has published the result since the first look-up
		return x.reuseUnless(j, f, err)
	}
	if err := x.introduce(ctx, j); err != nil {
		return err
	}
	draft, out, pace, err := x.quietly(ctx, j, evaluators)
	if err != nil {
		return err
	}
	end, err := x.end(ctx, j, out)
	if err != nil {
		return err
	}
	end.Pace = pace
	if _, err := x.put(j, draft, end); err != nil {
		return err
	}
	x.ended(Event{Kind: Ended, Run: j.Run, Status: out.Status, Why: out.Why, Passes: out.Passes, Seconds: end.Seconds})
	return nil
}

// introduce tells the user, once for each task, what its model predicts from which input. It also tells the user, once
// for each data set, that the rows should be scaled, if so.
func (x *experiment) introduce(ctx context.Context, j *job) error {
	task, set, err := x.inputs.Task(ctx, j.Run)
	if err != nil {
		return err
	}
	if c := j.Choose; c != nil && !j.Early() && c.Rule.Folds == 0 && len(task.Validation) == 0 &&
		strings.HasPrefix(c.Rule.By, "validation_") {
		return &lang.Fault{File: x.spec.File, Line: c.Rule.Line, Key: "choose.by", Reason: fmt.Sprintf("%s needs validation "+
			"data, and data set %s has none; add the key validation to the data set (for your own file a second file, or a "+
			"fraction such as 0.2), or folds: 5 to choose", c.Rule.By, set.Name)}
	}
	predicts := task.About
	if rows, ok := set.Train.(*datasets.Labelled); ok && predicts == "" && len(set.Table.Columns) > 0 {
		predicts = set.Table.About(len(rows.Classes))
	}
	about := fmt.Sprintf("data set %s: the model predicts %s", set.Name, predicts)
	if predicts != "" && x.first(about) {
		x.note(j, "%s", about)
	}
	if x.first("scale of " + set.Checksum) {
		if advice := set.ScaleAdvice(); advice != "" {
			x.note(j, "%s: %s", set.Name, advice)
		}
	}
	return nil
}

// first reports whether this is the first call with this topic. Each topic is told the user only once.
func (x *experiment) first(topic string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	known := x.introduced[topic]
	x.introduced[topic] = true
	return !known
}

// reuseUnless makes f the result of a job. If err is not nil, it only returns err.
func (x *experiment) reuseUnless(j *job, f *trace.File, err error) error {
	if err == nil {
		x.reuse(j, f)
	}
	return err
}

// given waits until another process has published the result of a job outside of the shard. It stops waiting if the run
// has failed.
func (x *experiment) given(ctx context.Context, j *job) error {
	for until := time.Now().Add(x.options.Shard.Late); ; {
		f, err := x.found(j)
		if f != nil || err != nil {
			return x.reuseUnless(j, f, err)
		}
		f, err = x.runs.Unfinished(j.key)
		if err == nil && f != nil && f.Status() == trace.Failed {
			x.reused(j, trace.Failed)
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("the run %v of problem %v, from whose weights other runs start: %w: %s", j.Labels["as"],
				j.Labels["problem"], ErrAbsent, x.whyNot(j, f, err))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// without ends a job as failed, because it needs the final weights of another run, which has none. why is the reason.
func (x *experiment) without(j *job, why error) error {
	j.key = j.plan
	if j.outside {
		x.reused(j, trace.Failed)
		return nil
	}
	draft, err := x.runs.Begin(j.key, x.identity(j))
	if err != nil {
		return err
	}
	if _, err := draft.Leave(trace.End{Status: trace.Failed, Why: why.Error()}); err != nil {
		return err
	}
	if err := x.runs.Note(j.plan, j.key); err != nil {
		return err
	}
	x.ended(Event{Kind: Ended, Run: j.Run, Status: trace.Failed, Why: why.Error()})
	return nil
}

// passWeights passes the final weights of an ended job to the jobs that start from them. If the job has no weights, it
// passes an error with the reason.
func (x *experiment) passWeights(j *job) {
	if !j.needed {
		return
	}
	f, err := x.runs.Finished(j.key)
	if err != nil || f == nil || !store.HasWeights(f, true) {
		x.inputs.SetWeights(j.plan, nil, fmt.Errorf("%w: problem %v has no final weights: %s", inputs.ErrNoWeights,
			j.Labels["problem"], x.whyNot(j, f, err)))
		return
	}
	w, err := store.WeightsOf(f)
	if err != nil {
		x.inputs.SetWeights(j.plan, nil, err)
		return
	}
	x.inputs.SetWeights(j.plan, w.W, nil)
}
