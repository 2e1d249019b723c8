package schedule

import (
	"context"
	"os"
	"time"

	"github.com/gaplab/gaplab/harness/store"
)

// pollEvery is the time between two checks whether another process has released a lock or written a result.
const pollEvery = time.Second

// claim locks a job, so that no other process makes the same run. If the experiment measures seconds, claim also locks
// this machine, so that no other process makes a timed run here at the same time. If another process holds one of these
// locks, claim waits or, if wait is false, returns store.ErrBusy.
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
	host, _ := os.Hostname() // each machine has its own lock, because several machines may work in one folder
	machine, err := x.store.Lock(ctx, "alone."+host, wait)
	if err != nil {
		own.Unlock()
		return nil, err
	}
	return func() { machine.Unlock(); own.Unlock() }, nil
}

// outlive waits for the lock of a job that another process has begun. If no file of the job changes for the time
// Shard.Silence, outlive returns without the lock, and this process makes the run too. This is safe: if two processes
// finish the run, the first result counts.
func (x *experiment) outlive(ctx context.Context, j *job) (*store.Lock, error) {
	silence := x.options.Shard.Silence
	for last, since := x.runs.Sign(j.key), time.Now(); ; {
		soon, cancel := context.WithTimeout(ctx, max(min(pollEvery, silence), silence/10))
		lock, err := x.store.Lock(soon, j.key, true)
		cancel()
		if err == nil || ctx.Err() != nil {
			return lock, err
		}
		if now := x.runs.Sign(j.key); now != last {
			last, since = now, time.Now()
		}
		if time.Since(since) > silence {
			x.note(j, "%s: another process began this run and showed no progress for %v; it is made here", j.Labels["as"],
				silence)
			return &store.Lock{}, nil
		}
	}
}
