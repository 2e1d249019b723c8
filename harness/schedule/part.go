package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
)

// Part is what one process does of an experiment that was divided among several beforehand (Divide). Nothing outside
// of it is made: the weights that its runs begin with are read from the folder of the runs.
type Part struct {
	// Runs are its runs by PlanKey, each with the checksum of the data that it was planned for; "": any data.
	Runs   map[string]string
	Trials bool          // candidates run up to the point of their choice, which is not made
	Late   time.Duration // how long it may take until a file of another process is seen here, as with NFS
}

// ErrAbsent is wrapped by the error of Run where a Part lacks what another process should have made before.
var ErrAbsent = errors.New("not there yet")

// ErrOtherData is wrapped by the error of Run where a Part finds other data than it was planned for.
var ErrOtherData = errors.New("other data than planned")

// restrict leaves the jobs of the part, and those whose weights they begin with.
func (x *experiment) restrict(p *Part) error {
	if p == nil {
		return nil
	}
	wanted := map[*job]bool{}
	found := map[string]bool{}
	for _, j := range x.jobs {
		if _, ok := p.Runs[j.plan]; !ok {
			continue
		}
		wanted[j], found[j.plan] = true, true
		for b := j.base; b != nil; b = b.base {
			if _, ok := p.Runs[b.plan]; !ok {
				b.outside = true
			}
			wanted[b] = true
		}
	}
	for plan := range p.Runs {
		if !found[plan] {
			return fmt.Errorf("%s: no run %s in its plan: the part is of another experiment", x.spec.ID, plan)
		}
	}
	x.jobs = slices.DeleteFunc(x.jobs, func(j *job) bool { return !wanted[j] })
	return nil
}

// trialsOnly says whether choices are left to another process.
func (x *experiment) trialsOnly() bool { return x.options.Part != nil && x.options.Part.Trials }

// planned refuses a job of a part whose data are not those that the part was planned for.
func (x *experiment) planned(j *job, name, checksum string) error {
	if x.options.Part == nil {
		return nil
	}
	if want := x.options.Part.Runs[j.plan]; want != "" && want != checksum {
		return fmt.Errorf("%w: data set %s has the checksum %s here, and had %s", ErrOtherData, name, checksum, want)
	}
	return nil
}

// given waits until the result of a job outside of the part is seen. One that has failed is no result, and will not be.
func (x *experiment) given(ctx context.Context, j *job) error {
	for until := time.Now().Add(x.options.Part.Late); ; {
		f, err := x.found(j)
		if f != nil || err != nil {
			return x.reuse(j, f, err)
		}
		f, err = x.runs.Unfinished(j.key)
		if err == nil && f != nil && f.Status() == trace.Failed {
			x.reused(j, trace.Failed)
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("the run %v of problem %v, with whose weights others begin: %w: %s", j.Labels["as"],
				j.Labels["problem"], ErrAbsent, x.whyNot(j, f, err))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookAgain):
		}
	}
}

// lookAgain is the time between two looks for a file of another process.
const lookAgain = time.Second
