package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Shard is what one process does of an experiment that was divided among several beforehand (Divide). Nothing outside
// of it is made: the weights that its runs begin with are read from the folder of the runs.
type Shard struct {
	// Runs are its runs by PlanKey, each with the checksum of the data that it was planned for; "": any data.
	Runs   map[string]string
	Trials bool          // candidates run up to the point of their choice, which is not made
	Late   time.Duration // how long it may take until a file of another process is seen here, as with NFS
	// Silence is how long a run that another process has begun may show no sign of life until this one makes it too: that
	// process may be on a machine that is gone, for which a server of NFS keeps its lock. 0: for ever
	Silence time.Duration
}

// ErrAbsent is wrapped by the error of Run where a Shard lacks what another process should have made before.
var ErrAbsent = errors.New("not there yet")

// ErrOtherData is wrapped by the error of Run where a Shard finds other data than it was planned for.
var ErrOtherData = errors.New("other data than planned")

// restrict leaves the jobs of the shard, and those whose weights they begin with.
func (x *experiment) restrict(p *Shard) error {
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
			return fmt.Errorf("%s: no run %s in its plan: the shard is of another experiment", x.spec.ID, plan)
		}
	}
	x.jobs = slices.DeleteFunc(x.jobs, func(j *job) bool { return !wanted[j] })
	return nil
}

// trialsOnly says whether choices are left to another process.
func (x *experiment) trialsOnly() bool { return x.options.Shard != nil && x.options.Shard.Trials }

// planned refuses a job of a shard whose data are not those that the shard was planned for.
func (x *experiment) planned(j *job, name, checksum string) error {
	if x.options.Shard == nil {
		return nil
	}
	if want := x.options.Shard.Runs[j.plan]; want != "" && want != checksum {
		return fmt.Errorf("%w: data set %s has the checksum %s here, and had %s", ErrOtherData, name, checksum, want)
	}
	return nil
}

// given waits for the result of a job outside of the shard. It does not wait for a run that has failed.
func (x *experiment) given(ctx context.Context, j *job) error {
	for until := time.Now().Add(x.options.Shard.Late); ; {
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

// outlive takes the lock of a job that another process has begun, or goes without it once that one has been silent for
// too long. The first result stands, whoever has the lock.
func (x *experiment) outlive(ctx context.Context, j *job) (*store.Lock, error) {
	silence := x.options.Shard.Silence
	for last, since := x.runs.Sign(j.key), time.Now(); ; {
		soon, cancel := context.WithTimeout(ctx, max(lookAgain, silence/10))
		lock, err := x.store.Lock(soon, j.key, true)
		cancel()
		if err == nil || ctx.Err() != nil {
			return lock, err
		}
		if now := x.runs.Sign(j.key); now != last {
			last, since = now, time.Now()
		}
		if time.Since(since) > silence {
			x.note(j, "%s: begun by another process, of which nothing was seen for %v: it is made here", j.Labels["as"], silence)
			return &store.Lock{}, nil
		}
	}
}

// lookAgain is the time between two looks for a file of another process.
const lookAgain = time.Second
