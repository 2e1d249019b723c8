package schedule

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness/store"
)

// Run makes the runs that have no result yet. A run that fails, diverges or is unsupported is a result like any
// other. An error means that the experiment itself could not continue (no data, a full disk, a faulty spec). When ctx
// ends, the runs in progress end as interrupted, with their rows. The next call resumes those that have a checkpoint,
// which long runs of solvers with a state write (solvers.Iterate.State), and repeats the others. Several processes
// may run one experiment in one folder: they divide its runs among them, and wait for each other's last ones.
func (p *Plan) Run(ctx context.Context) error {
	x, err := newExperiment(ctx, p)
	if ctx.Err() != nil { // interrupted before the first run
		return nil
	} else if err != nil {
		return err
	}
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
	if x.other.runs > 0 {
		x.report(Event{Kind: Noted, Why: fmt.Sprintf("reused: %d results, although the code of %s has changed since, "+
			"under the same revision (to repeat these runs, use --same-code)", x.other.runs, x.other.list())})
	}
	return nil
}

// level makes the runs of a level: first the candidates of choices up to their points, then the winners and the rest.
func (x *experiment) level(ctx context.Context, jobs []*job) error {
	candidates, rest := split(jobs)
	if err := x.share(ctx, candidates, x.try); err != nil {
		return err
	}
	var winners []*job
	if p := x.options.Shard; p == nil || !p.Trials { // otherwise another process makes the choice
		var err error
		if winners, err = x.decide(candidates); err != nil {
			return err
		}
	}
	return x.share(ctx, append(winners, rest...), x.whole)
}

// work makes the run of a job. evaluators is the number of goroutines for evaluations. If another process makes the run
// already, work waits for it or, if wait is false, returns store.ErrBusy.
type work func(ctx context.Context, j *job, evaluators int, wait bool) error

// share does the work f for all jobs, together with other processes in the same folder. It leaves jobs that another
// process has begun to the end, and then waits for these.
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

// parallel calls f for each job in order, as many at a time as there are workers. After the first error no other job
// begins.
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
				return nil // interrupted before it began, or another job failed
			}
			err := f(ctx, j, evaluators)
			if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) { // interrupted while it loaded or waited
				return nil
			}
			return fmt.Errorf("%s: %w", x.spec.ID, err)
		})
	}
	return g.Wait()
}
