package schedule

import (
	"context"
	"fmt"

	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// identify loads a job's data, and sets its key, a hash that depends on the data. It also writes the key to disk, so
// that other programs can find the result without the data.
func (x *experiment) identify(ctx context.Context, j *job) error {
	_, set, err := x.inputs.Task(ctx, j.Run)
	if err != nil {
		return err
	}
	if p := x.options.Shard; p != nil {
		if want := p.Runs[j.plan]; want != "" && want != set.Checksum {
			return fmt.Errorf("%w: data set %s has the checksum %s, want %s", ErrOtherData, set.Name, set.Checksum, want)
		}
	}
	j.key = origin.RunKey(x.options.Catalogue, j.Run, set)
	return x.runs.Note(j.plan, j.key)
}

// found returns a job's existing result: from an earlier Run, from another process, or from another experiment of the
// paper that contains the same run. It returns nil if the run must be made. With Options.Force only a result counts
// that this process has made for another experiment, and only if Options.Once allows it.
func (x *experiment) found(j *job) (*trace.File, error) {
	if j.extra || x.options.Force && !x.options.Once {
		return nil, nil
	}
	if !x.options.Force {
		f, err := x.runs.Finished(j.key)
		if err == nil && f != nil && store.Counts(f) {
			if x.satisfies(j, f) {
				return f, nil
			}
			return nil, nil
		}
	}
	if j.chosen != nil || j.Early() { // not shared: its end depends on runs of this experiment
		return nil, nil
	}
	return x.runs.Share(j.key, func(f *trace.File) bool {
		// seconds are comparable only if the run had the machine to itself
		return (!x.alone || f.Manifest.Alone) && (!x.options.Force || x.madeHere(f)) && x.satisfies(j, f)
	})
}

// madeHere reports whether this process made a result.
func (x *experiment) madeHere(f *trace.File) bool {
	return x.options.Sitting != "" && f.Manifest.Sitting == x.options.Sitting
}

// satisfies reports whether the existing result f can be used for a job. The result must have the weights and the CPU
// time that the job needs, and the job's settings. If the job was compared with others, the result must record the same
// outcome. If the options Clean or SameCode are set, they must allow the code that made the result.
func (x *experiment) satisfies(j *job, f *trace.File) bool {
	if x.keeps(j) && f.Status() != trace.Unsupported && f.Status() != trace.Diverged && !store.HasWeights(f, j.needed) {
		return false
	}
	if j.chosen != nil && f.End.Labels["chosen"] != *j.chosen || !origin.Agree(f.Manifest.Spec, j.Resolved()) {
		return false
	}
	if x.options.Clean && (f.Manifest.Commit == "" || f.Manifest.Dirty) {
		return false
	}
	return x.comparable(f) && x.clocked(f) && (!x.options.SameCode || len(x.differing(j, f)) == 0)
}

// oneSitting reports whether all results of the experiment must be of one process, so that their times are comparable.
func (x *experiment) oneSitting() bool { return x.alone && x.options.OneOf != "" }

// comparable reports whether the times of a result are comparable with those of the other results. It returns true if
// this does not matter.
func (x *experiment) comparable(f *trace.File) bool {
	return !x.oneSitting() || f.Manifest.Sitting == x.options.OneOf && (f.End == nil || f.End.Resumed == 0)
}

// clocked reports whether a result has CPU times. It also returns true if the experiment does not need CPU times, or if
// this system cannot measure them.
func (x *experiment) clocked(f *trace.File) bool {
	if _, ok := machine.Thread(); !x.alone || !ok || len(f.Rows) == 0 {
		return true
	}
	_, has := f.Rows[0].Values[trace.CPUSeconds]
	return has
}

// keeps reports whether the final weights of a job must be saved.
func (x *experiment) keeps(j *job) bool { return x.options.Weights && !j.Screen() || j.needed }

// differing lists the components of a run (data set, model, solver) whose code differs between a result and this
// program. The list is empty if the result does not record its code.
func (x *experiment) differing(j *job, f *trace.File) []string {
	return trace.Differing(f.Manifest.Sources, origin.Sources(x.options.Catalogue, j.Run))
}

// reuse makes an existing result, f, the result of a job.
func (x *experiment) reuse(j *job, f *trace.File) {
	x.runs.DropState(j.key, "") // a process that was killed may have left the checkpoint
	x.other.add(x.differing(j, f))
	x.reused(j, f.Status())
}

// whyNot returns the reason why a job has no final weights. f and err are the results of reading the job's file.
func (x *experiment) whyNot(j *job, f *trace.File, err error) string {
	if err == nil && f == nil {
		f, err = x.runs.Unfinished(j.key)
	}
	switch {
	case err != nil:
		return err.Error()
	case f == nil:
		return "it was not run"
	case f.End == nil:
		return "its run was interrupted"
	}
	return fmt.Sprintf("its run is %s: %s", f.End.Status, f.End.Why)
}
