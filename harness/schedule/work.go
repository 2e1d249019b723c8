package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// whole runs a job to its stop, unless its key is finished.
func (x *experiment) whole(ctx context.Context, j *job, evaluators int, wait bool) error {
	err := x.identify(ctx, j)
	if errors.Is(err, errNoWeights) { // the others go on
		return x.without(j, err)
	}
	if err != nil {
		return err
	}
	if j.outside {
		return x.given(ctx, j)
	}
	if f, err := x.found(j); f != nil || err != nil {
		return x.reuse(j, f, err)
	}
	release, err := x.claim(ctx, j, wait)
	if err != nil {
		return err
	}
	defer release()
	if f, err := x.found(j); f != nil || err != nil { // another process has just ended it
		return x.reuse(j, f, err)
	}
	draft, out, err := x.execute(ctx, j, j.Stop, "", evaluators)
	if err != nil {
		return err
	}
	return x.finish(ctx, j, draft, out)
}

// longAttempt is how many seconds of work are worth a word when they are lost.
const longAttempt = 60

// noteAttempt says that a run begins anew, where an earlier attempt had got far and did not end.
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
		x.note(j, "%s: interrupted before, after %.4g passes in %.0f s; no state of its solver was kept, so it begins anew",
			j.Labels["as"], passes, most)
	}
}

// identify gives a job its key, for which it needs the data, and notes the key for readers.
func (x *experiment) identify(ctx context.Context, j *job) error {
	_, set, err := x.tasks.Of(ctx, j.Run)
	if err != nil {
		return err
	}
	if err := x.planned(j, set.Name, set.Checksum); err != nil {
		return err
	}
	j.key = x.runKey(j.Run, set)
	return x.runs.Note(j.plan, j.key)
}

// found is a job's existing result: from an earlier Run, from another process, or from another experiment of the paper
// that has done exactly the same, so that figures over the same runs share them. It is nil if the job is to be run.
func (x *experiment) found(j *job) (*trace.File, error) {
	if x.options.Force || j.extra {
		return nil, nil
	}
	f, err := x.runs.Finished(j.key)
	if err == nil && f != nil && store.Counts(f) {
		if x.satisfies(j, f) {
			return f, nil
		}
		return nil, nil
	}
	if j.chosen != nil || j.Choose != nil { // its outcome depends on the others of its group
		return nil, nil
	}
	return x.runs.Share(j.key, func(f *trace.File) bool {
		// Seconds are comparable only if a run had the machine to itself.
		return (!x.alone || f.Manifest.Alone) && x.satisfies(j, f)
	})
}

// satisfies says whether a result has all that the job should give.
func (x *experiment) satisfies(j *job, f *trace.File) bool {
	if x.keeps(j) && f.Status() != trace.Unsupported && f.Status() != trace.Diverged && !store.HasWeights(f) {
		return false
	}
	if j.chosen != nil && f.End.Labels["chosen"] != *j.chosen || !Agree(f.Manifest.Spec, j.Resolved()) {
		return false
	}
	if x.options.Clean && (f.Manifest.Commit == "" || f.Manifest.Dirty) {
		return false
	}
	return x.clocked(f) && (!x.options.SameCode || len(x.otherCode(j, f)) == 0)
}

// clocked says whether a result has the CPU time that the experiment shows, judges or is cut by, if there is a clock.
func (x *experiment) clocked(f *trace.File) bool {
	if _, ok := machine.Thread(); !x.alone || !ok || len(f.Rows) == 0 {
		return true
	}
	_, has := f.Rows[0].Values[trace.CPUSeconds]
	return has
}

// keeps says whether the weights of a job are to be saved.
func (x *experiment) keeps(j *job) bool { return x.options.Weights || j.needed }

func (x *experiment) reuse(j *job, f *trace.File, err error) error {
	if err != nil {
		return err
	}
	x.runs.DropState(j.key, "") // of a process that was killed between its result and that
	x.noteCode(x.otherCode(j, f))
	x.reused(j, f.Status())
	return nil
}

// claim keeps other processes from doing the same run and, where seconds matter, from doing any such run at the same
// time.
func (x *experiment) claim(ctx context.Context, j *job, wait bool) (release func(), err error) {
	lock := x.store.Lock
	if p := x.options.Shard; wait && p != nil && p.Silence > 0 {
		lock = func(ctx context.Context, _ string, _ bool) (*store.Lock, error) { return x.outlive(ctx, j) }
	}
	own, err := lock(ctx, j.key, wait)
	if err != nil {
		return nil, err
	}
	if !x.alone {
		return own.Unlock, nil
	}
	host, _ := os.Hostname() // other machines may work in the same folder
	machine, err := x.store.Lock(ctx, "alone."+host, wait)
	if err != nil {
		own.Unlock()
		return nil, err
	}
	return func() { machine.Unlock(); own.Unlock() }, nil
}

// finish ends the draft of a job: as the result of its key if the run has one.
func (x *experiment) finish(ctx context.Context, j *job, draft *store.Draft, out record.Outcome) error {
	end, err := x.end(ctx, j, out)
	if err != nil {
		return err
	}
	if _, err := x.put(j, draft, end); err != nil {
		return err
	}
	x.report(Event{Kind: Ended, Run: j.Run, Status: out.Status, Why: out.Why, Passes: out.Passes,
		Seconds: end.Seconds}, true)
	return nil
}

// put ends a draft: what counts becomes the result of its key, in place of one that does not satisfy the job.
func (x *experiment) put(j *job, draft *store.Draft, end trace.End) (*trace.File, error) {
	if !store.Counts(&trace.File{End: &end}) {
		return draft.Leave(end)
	}
	old, err := x.runs.Finished(j.key)
	if err != nil {
		x.report(Event{Kind: Noted, Run: j.Run,
			Why: fmt.Sprintf("%s.jsonl could not be read, was put aside and made again: %v", j.key, err)}, false)
	}
	if x.options.Force || j.extra || old != nil && !x.satisfies(j, old) {
		return draft.Replace(end)
	}
	return draft.Finish(end)
}

// end is the end line of a job, whose weights it saves.
func (x *experiment) end(ctx context.Context, j *job, out record.Outcome) (trace.End, error) {
	end := trace.End{Status: out.Status, Why: out.Why, Rule: out.Rule, Seconds: out.Seconds, CPUSeconds: out.CPU,
		Resumed: out.Resumed, Load: machine.Load(), GC: out.GC, RecordSeconds: out.Recording, PeakBytes: out.Peak,
		Examples: out.Examples}
	if j.chosen != nil {
		end.Labels = map[string]any{"chosen": *j.chosen}
	}
	if out.Weights == nil || out.Status == trace.Diverged {
		return end, nil
	}
	task, set, err := x.tasks.Of(context.WithoutCancel(ctx), j.Run) // loaded before: the job has run
	if err != nil {
		return end, err
	}
	w := store.Weights{Experiment: x.spec.ID, Key: j.key, Model: task.Model, Loss: j.Model.Loss, Kind: set.Train.Kind(),
		Data: partOf(&j.Dataset.Params), Settings: partOf(&j.Model.Params),
		Revisions: lang.Revisions(x.options.Catalogue.Components(j.Run)), W: out.Weights}
	w.Data.Name, w.Data.Format = j.Dataset.Name, j.Dataset.Format
	if task.Vocabulary != nil && j.Base == nil {
		if w.Vocabulary, err = json.Marshal(task.Vocabulary()); err != nil {
			return end, err
		}
	}
	end.Weights, err = x.runs.SaveWeights(w)
	return end, err
}

// partOf is what weights keep of a data set or a model.
func partOf(params *yaml.Node) store.Part {
	var part store.Part
	if err := params.Decode(&part.Params); err != nil && !params.IsZero() {
		panic("schedule: " + err.Error()) // the parser has filled them in
	}
	return part
}

// without ends as failed a job whose base left no weights to begin with.
func (x *experiment) without(j *job, why error) error {
	j.key = j.plan
	if j.outside {
		x.reused(j, trace.Failed)
		return nil
	}
	at := provenance()
	draft, err := x.runs.Begin(j.key, trace.Manifest{
		Experiment: j.Experiment, Key: j.key, Plan: j.plan, Order: j.order, Scale: j.Scale, Labels: j.Labels,
		Spec:   j.Resolved(),
		Commit: at.commit, Dirty: at.dirty, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Program: x.program(), Command: x.options.Command, CPU: at.cpu,
		Workers: x.options.Workers, Start: time.Now().UTC().Format(time.RFC3339),
	})
	if err != nil {
		return err
	}
	if _, err := draft.Leave(trace.End{Status: trace.Failed, Why: why.Error()}); err != nil {
		return err
	}
	if err := x.runs.Note(j.plan, j.key); err != nil {
		return err
	}
	x.report(Event{Kind: Ended, Run: j.Run, Status: trace.Failed, Why: why.Error()}, true)
	return nil
}
