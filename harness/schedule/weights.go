package schedule

import (
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// errNoWeights says that a run cannot begin for lack of the weights to begin with.
var errNoWeights = errors.New("no weights to begin with")

// passWeights gives the weights of a job, which has ended, to the jobs that begin with them.
func (x *experiment) passWeights(j *job) {
	if !j.needed {
		return
	}
	f, err := x.runs.Finished(j.key)
	if err != nil || f == nil || !store.HasWeights(f) {
		x.tasks.begin(j.plan, nil, fmt.Errorf("problem %v has left %w: %s", j.Labels["problem"], errNoWeights,
			x.whyNot(j, f, err)))
		return
	}
	w, err := store.WeightsOf(f)
	if err != nil {
		x.tasks.begin(j.plan, nil, err)
		return
	}
	x.tasks.begin(j.plan, w.W, nil)
}

// whyNot says how a job without weights ended.
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
