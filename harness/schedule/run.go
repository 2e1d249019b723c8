package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// run makes the runs of the plan in order.
func (x *experiment) run(ctx context.Context) error {
	for _, jobs := range x.levels() {
		candidates, rest := split(jobs)
		if err := x.share(ctx, candidates, x.try); err != nil {
			return err
		}
		var winners []*job
		if !x.trialsOnly() {
			var err error
			if winners, err = x.decide(candidates); err != nil {
				return err
			}
		}
		if err := x.share(ctx, append(winners, rest...), x.whole); err != nil {
			return err
		}
		if ctx.Err() != nil {
			break
		}
		for _, j := range jobs {
			x.passWeights(j)
		}
	}
	x.reportCode()
	return nil
}

// experiment is a plan whose runs are being made, forecast or divided.
type experiment struct {
	spec    *lang.Spec
	options Options
	alone   bool // runs do not share the machine, as their seconds matter
	tasks   *Tasks
	store   *store.Store
	runs    *store.Folder   // of the experiment at its scale
	jobs    []*job          // in the order of the plan
	byPlan  map[string]*job // the first of each plan; those of the caller's solvers are not in it

	mu      sync.Mutex
	done    int
	waiting bool // the wait for others' runs has been reported

	otherRuns  int      // results made by different code of the same revisions
	otherParts []string // of these
}

// job is one run of the plan.
type job struct {
	lang.Run
	plan    string // PlanKey
	order   int
	extra   bool   // of a caller's solver
	base    *job   // whose weights it begins with; nil: none
	needed  bool   // other jobs begin with its weights
	outside bool   // of Options.Shard: another process makes it
	key     string // of its results; "" while the data is not loaded
	data    string // checksum, where Divide has looked
	chosen  *bool  // of a candidate: whether its value was chosen; nil while that is not known
	trial   *trial
}

func newExperiment(p *Plan) (*experiment, error) {
	s, o := p.Spec, p.Options
	x := &experiment{spec: s, options: o, alone: Timed(s) && !o.Untimed, tasks: NewTasks(s, o),
		store: store.Open(o.Out), byPlan: map[string]*job{}}
	x.runs = x.store.Folder(s.ID, s.Scale)
	if err := checkExtras(s, o); err != nil {
		return nil, err
	}
	if err := checkPrograms(s, p.Runs, o); err != nil {
		return nil, err
	}
	for i, r := range p.Runs {
		j := &job{Run: r, plan: PlanKey(r, s.Repeat.Folds), order: i,
			extra: slices.ContainsFunc(o.Extra, func(e Named) bool { return e.Name == r.Solver.Name })}
		x.jobs = append(x.jobs, j)
		if !j.extra && x.byPlan[j.plan] == nil {
			x.byPlan[j.plan] = j
		}
	}
	for _, j := range x.jobs {
		if j.Base != nil {
			j.base = x.byPlan[PlanKey(*j.Base, s.Repeat.Folds)]
			j.base.needed = true
		}
	}
	return x, x.restrict(o.Shard)
}

// levels are the jobs in the order in which they can run: first those that need no weights to begin with, then those
// that begin with the weights of these, and so on. Each holds its data until it is reported as done.
func (x *experiment) levels() (levels [][]*job) {
	for _, j := range x.jobs {
		if !j.extra && x.byPlan[j.plan] != j {
			x.done++
			continue // two problems share a run: it is made once
		}
		depth := 0
		for b := j.base; b != nil; b = b.base {
			depth++
		}
		for len(levels) <= depth {
			levels = append(levels, nil)
		}
		levels[depth] = append(levels[depth], j)
		x.tasks.hold(j.Run)
	}
	return levels
}

// split separates the candidates of choices from the other runs, and from those that are outside of the shard.
func split(jobs []*job) (candidates, rest []*job) {
	for _, j := range jobs {
		if j.Choose != nil && !j.outside {
			candidates = append(candidates, j)
		} else {
			rest = append(rest, j)
		}
	}
	return candidates, rest
}

// work does what there is to do for a job, with the given number of goroutines for evaluations. Without wait it returns
// store.ErrBusy if another process is at it already.
type work func(ctx context.Context, j *job, evaluators int, wait bool) error

// share does the work of all jobs, together with other processes on the same folder: what these have begun comes last.
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
		x.report(Event{Kind: Noted, Run: busy[0].Run,
			Why: fmt.Sprintf("waiting for another process, which has begun %d of the remaining runs", len(busy))}, false)
	}
	return x.parallel(ctx, busy, func(ctx context.Context, j *job, evaluators int) error {
		return f(ctx, j, evaluators, true)
	})
}

// parallel calls f for each job, as many at a time as there are workers, in order. The first error stops those that
// have not begun.
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

// report passes an event on; ended counts the job as done, which then needs its data no more.
func (x *experiment) report(e Event, ended bool) {
	if ended {
		x.tasks.release(e.Run)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if ended {
		x.done++
	}
	e.Done, e.Total = x.done, len(x.jobs)
	if x.options.Event != nil {
		x.options.Event(e)
	}
}

// reused reports that a job had its result already.
func (x *experiment) reused(j *job, status trace.Status) {
	x.report(Event{Kind: Reused, Run: j.Run, Status: status}, true)
}
