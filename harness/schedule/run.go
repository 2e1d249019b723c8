package schedule

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness/store"
)

// Run makes the runs that have no result yet. A run that fails, diverges or is unsupported is a result like any other.
// An error means that the experiment itself could not continue (missing data, a full disk, a faulty spec). When ctx
// ends, the runs in progress end as interrupted, and their rows remain. The next call resumes the interrupted runs that
// have a checkpoint, and repeats the others; long runs write checkpoints if their solver has a state
// (solvers.Iterate.State). Several processes may call Run for one experiment and one folder. These processes divide the
// runs among them, and wait for each other at the end.
func (p *Plan) Run(ctx context.Context) error {
	x, err := newExperiment(ctx, p)
	if ctx.Err() != nil { // interrupted before the first run
		return nil
	} else if err != nil {
		return err
	}
	x.runs.Sweep(ctx)
	for _, jobs := range x.levels() {
		if err := x.level(ctx, jobs); err != nil {
			return err
		}
		if ctx.Err() != nil {
			break
		}
		for _, j := range jobs {
			x.passWeights(j)
		}
	}
	if why := x.busyness.note(); why != "" {
		x.report(Event{Kind: Noted, Why: why})
	}
	if x.other.runs > 0 {
		x.report(Event{Kind: Noted, Why: fmt.Sprintf("reused: %d results, although the code of %s has changed since, "+
			"under the same revision (to repeat these runs, use --same-code)", x.other.runs, x.other.list())})
	}
	return nil
}

// level makes the runs of one level (see levels). It first makes the trials: the runs that lang.Choose compares, up to
// the point of the comparison. Then it makes the complete runs of the winners, and all other runs. Last, it compares
// ended runs and makes the final runs of the chosen values.
func (x *experiment) level(ctx context.Context, jobs []*job) error {
	candidates, finals, rest := split(jobs)
	if err := x.share(ctx, candidates, x.try); err != nil {
		return err
	}
	var winners []*job
	if p := x.options.Shard; p == nil || !p.Trials { // otherwise another process makes the comparison
		var err error
		if winners, err = x.decide(candidates); err != nil {
			return err
		}
	}
	if err := x.share(ctx, append(winners, rest...), x.whole); err != nil || ctx.Err() != nil {
		return err
	}
	return x.finals(ctx, finals)
}

// work makes the run of a job, or its part up to a comparison with other runs. evaluators is the number of goroutines
// that evaluate iterates. If another process is making the same run, work waits for it or, if wait is false, returns
// store.ErrBusy.
type work func(ctx context.Context, j *job, evaluators int, wait bool) error

// share calls f for all jobs. Other processes may work on the same jobs in the same folder. Therefore share first calls
// f for the jobs that no other process has begun. Then it waits for the remaining jobs, which other processes have
// begun.
func (x *experiment) share(ctx context.Context, jobs []*job, f work) error {
	var mu sync.Mutex
	var busy []*job
	err := x.parallel(ctx, jobs, func(ctx context.Context, j *job, evaluators int) error {
		err := f(ctx, j, evaluators, false)
		if errors.Is(err, store.ErrBusy) {
			mu.Lock()
			defer mu.Unlock()
			busy = append(busy, j)
			return nil
		}
		return err
	})
	if err != nil || len(busy) == 0 || ctx.Err() != nil {
		return err
	}
	if !x.waiting {
		x.waiting = true
		x.note(busy[0], "waiting for another process, which has begun %d of the remaining runs", len(busy))
	}
	return x.parallel(ctx, busy, func(ctx context.Context, j *job, evaluators int) error {
		return f(ctx, j, evaluators, true)
	})
}

// parallel calls f for the jobs in their order. At most one job per worker runs at the same time. After the first
// error, no further job begins.
func (x *experiment) parallel(ctx context.Context, jobs []*job, f func(context.Context, *job, int) error) error {
	workers := x.options.Workers
	if x.alone {
		workers = 1
	}
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	evaluators := max(1, x.options.Workers/max(1, min(workers, len(jobs))))
	for _, j := range jobs {
		g.Go(func() error {
			if ctx.Err() != nil || inner.Err() != nil {
				return nil // the context ended before this job began, or another job failed
			}
			if turns := x.options.Turns; turns != nil {
				if turns.Acquire(inner, 1) != nil {
					return nil // ctx ended, or another job failed
				}
				defer turns.Release(1)
			}
			err := f(ctx, j, evaluators)
			if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) { // ctx ended while f was loading data or waiting
				return nil
			}
			return fmt.Errorf("%s: %w", x.spec.ID, err)
		})
	}
	return g.Wait()
}
