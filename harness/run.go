package harness

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Run plans the experiment and runs what is not finished yet. A run that fails, diverges or is unsupported is a result
// like any other; an error means that the experiment itself could not go on (no data, a full disk, a wrong spec).
// When ctx ends, the runs in progress end as interrupted, with their rows, and are started again the next time.
func Run(ctx context.Context, s *lang.Spec, opts ...Option) (*Result, error) {
	o := newOptions(opts)
	x, err := newExperiment(s, o)
	if err != nil {
		return nil, err
	}
	workers := o.workers
	if x.alone {
		workers = 1
	}
	for _, jobs := range x.levels() {
		trials, rest := split(jobs)
		if err := x.parallel(ctx, trials, workers, x.trial); err != nil {
			return nil, errors.Join(err, x.abandon())
		}
		winners, err := x.decide(trials)
		if err != nil {
			return nil, err
		}
		if err := x.parallel(ctx, append(winners, rest...), workers, x.whole); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return x.result()
}

// experiment is one Run call in progress.
type experiment struct {
	spec    *lang.Spec
	options *options
	alone   bool // runs do not share the machine, as their seconds matter
	cat     lang.Catalogue
	tasks   *tasks
	jobs    []*job // in the order of the plan

	mu   sync.Mutex
	done int
}

// job is one run of the plan.
type job struct {
	lang.Run
	order  int
	extra  bool   // of a solver of the caller's
	base   *job   // whose weights it begins with; nil: none
	needed bool   // other jobs begin with its weights
	key    string // of its results; "" while the data is not loaded
	chosen *bool  // of a candidate: whether its value was chosen; nil while that is not known
	trial  *trial
}

func newExperiment(s *lang.Spec, o *options) (*experiment, error) {
	x := &experiment{spec: s, options: o, alone: timed(s), cat: Catalogue(), tasks: newTasks(s, o)}
	if err := checkExtras(s, x.cat, o.extra); err != nil {
		return nil, err
	}
	runs, err := plan(s, o.extra)
	if err != nil {
		return nil, err
	}
	for i, r := range runs {
		x.jobs = append(x.jobs, &job{Run: r, order: i,
			extra: slices.ContainsFunc(o.extra, func(e named) bool { return e.name == r.Solver.Name })})
	}
	x.tasks.weights = x.kept
	for _, j := range x.jobs {
		if j.Base != nil {
			j.base = x.jobOf(*j.Base)
			j.base.needed = true
		}
	}
	return x, nil
}

// levels are the jobs in the order in which they can run: first those that begin with nothing, then those that begin
// with the weights of these, and so on.
func (x *experiment) levels() (levels [][]*job) {
	seen := map[string]bool{}
	for _, j := range x.jobs {
		key := planKey(j.Run, x.spec.Repeat.Folds)
		if seen[key] && !j.extra {
			x.done++
			continue // two problems share a run: it is made once
		}
		seen[key] = true
		depth := 0
		for b := j.base; b != nil; b = b.base {
			depth++
		}
		for len(levels) <= depth {
			levels = append(levels, nil)
		}
		levels[depth] = append(levels[depth], j)
	}
	return levels
}

// split separates the candidates of choices from the other runs.
func split(jobs []*job) (candidates, rest []*job) {
	for _, j := range jobs {
		if j.Choose != nil {
			candidates = append(candidates, j)
		} else {
			rest = append(rest, j)
		}
	}
	return candidates, rest
}

// parallel calls f for each job, so many at a time, in order. The first error stops those that have not begun.
func (x *experiment) parallel(ctx context.Context, jobs []*job, workers int,
	f func(context.Context, *job, int) error) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	evaluators := max(1, x.options.workers/max(1, min(workers, len(jobs))))
	for _, j := range jobs {
		g.Go(func() error {
			if ctx.Err() != nil || inner.Err() != nil {
				return nil // interrupted before it began, or another job failed
			}
			err := f(ctx, j, evaluators)
			if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) { // interrupted while it loaded its data
				return nil
			}
			return fmt.Errorf("%s: %w", x.spec.ID, err)
		})
	}
	return g.Wait()
}

// whole runs a job to its stop, unless its key is finished.
func (x *experiment) whole(ctx context.Context, j *job, evaluators int) error {
	path, f, err := x.finished(ctx, j)
	if errors.Is(err, errNoWeights) { // the others go on
		return x.barren(j, err)
	}
	if err != nil {
		return err
	}
	if f != nil {
		x.tell(Event{Kind: Reused, Run: j.Run, Status: f.Status()}, true)
		return nil
	}
	w, out, run, err := x.execute(ctx, j, path, j.Stop, evaluators)
	if err != nil {
		return err
	}
	return x.close(j, w, out, run)
}

// finished returns where the trace of a job belongs, and the trace if its key has ended before in a way that counts.
func (x *experiment) finished(ctx context.Context, j *job) (string, *trace.File, error) {
	_, set, err := x.tasks.of(ctx, j.Run)
	if err != nil {
		return "", nil, err
	}
	j.key = runKey(j.Run, set)
	path := filepath.Join(x.options.folder(x.spec.ID, x.spec.Scale), j.key+".jsonl")
	if x.options.force || j.extra {
		return path, nil, nil
	}
	f, err := trace.Read(path)
	if err != nil || !counts(f) {
		f, err = x.takeOver(j, path)
	}
	if err != nil || f == nil || !counts(f) { // not there, damaged, interrupted or failed: run it
		return path, nil, nil
	}
	if x.leaves(j) && f.Status() != trace.Unsupported && f.Status() != trace.Diverged && !x.saved(f) {
		return path, nil, nil
	}
	if j.chosen != nil && f.End.Labels["chosen"] != *j.chosen {
		return path, nil, nil
	}
	return path, f, nil
}

// counts says whether a trace stands as the result of its key: crashes and interruptions do not.
func counts(f *trace.File) bool {
	switch f.Status() {
	case trace.Done, trace.Budget, trace.Diverged, trace.Unsupported:
		return true
	}
	return false
}

// execute runs a job with a stop and leaves its file open.
func (x *experiment) execute(ctx context.Context, j *job, path string, stop lang.Stop, evaluators int) (*trace.Writer,
	outcome, *execution, error) {
	task, set, err := x.tasks.of(ctx, j.Run)
	if err != nil {
		return nil, outcome{}, nil, err
	}
	loss := models.LogLoss() // where the model takes none: inference
	if j.Model.Loss != "" {
		var known bool
		if loss, known = models.LossNamed(j.Model.Loss); !known {
			return nil, outcome{}, nil, fmt.Errorf("no loss %q", j.Model.Loss)
		}
	}
	lambda := 1.0 // where nothing is regularised
	if j.Convention != "" {
		lambda = j.Convention.Lambda(j.C, len(task.Train))
	}
	solver, err := settings(x.cat, j.Run, x.options)
	if err != nil {
		return nil, outcome{}, nil, err
	}
	problem := task.Problem(loss, lambda)
	problem.Workers = 1 // of the solver: its seconds are those of one core
	judged := *problem
	judged.Workers = evaluators
	w, err := trace.Create(path, x.manifest(j, problem, task, set))
	if err != nil {
		return nil, outcome{}, nil, err
	}
	run := &execution{
		run: j.Run, stop: stop, solver: solver,
		eval:   &evaluator{task: task, problem: &judged, metrics: columns(j.Run), workers: evaluators, train: j.Record.Train},
		append: w.Append,
		c:      j.C, lambda: problem.Lambda,
		keep: keeper{rule: j.Keep, weights: x.leaves(j), metrics: j.Record.Examples},
	}
	if j.Choose != nil {
		run.mark = &j.Choose.Rule.At
	}
	run.notify = func(row map[string]float64) {
		x.tell(Event{Kind: Recorded, Run: j.Run, Passes: row[trace.Passes], Target: stop.Passes, Gap: gapOf(row),
			Seconds: row[trace.Seconds]}, false)
	}
	x.tell(Event{Kind: Started, Run: j.Run, Target: stop.Passes}, false)
	return w, run.execute(ctx, problem), run, nil
}

func gapOf(row map[string]float64) float64 {
	if gap, ok := row[trace.Gap]; ok {
		return gap
	}
	return math.NaN()
}

// close ends the trace of a job.
func (x *experiment) close(j *job, w *trace.Writer, out outcome, run *execution) error {
	end := trace.End{Status: out.status, Why: out.why, Rule: out.rule, Seconds: run.clock.Seconds(),
		Examples: run.keep.examples(run.eval.task.Validation)}
	if j.chosen != nil {
		end.Labels = map[string]any{"chosen": *j.chosen}
	}
	if run.keep.final != nil && out.status != trace.Diverged {
		name, err := x.saveWeights(j, run)
		if err != nil {
			return err
		}
		end.Weights = name
	}
	if err := w.Close(end); err != nil {
		return err
	}
	x.tell(Event{Kind: Ended, Run: j.Run, Status: out.status, Why: out.why, Passes: run.lastPasses, Seconds: end.Seconds},
		true)
	return nil
}

// barren ends a job whose base has left nothing to begin with, as failed.
func (x *experiment) barren(j *job, why error) error {
	j.key = planKey(j.Run, x.spec.Repeat.Folds)
	at := provenance()
	w, err := trace.Create(filepath.Join(x.options.folder(x.spec.ID, x.spec.Scale), j.key+".jsonl"), trace.Manifest{
		Experiment: j.Experiment, Key: j.key, Plan: j.key, Order: j.order, Scale: j.Scale, Labels: j.Labels,
		Spec:   j.Resolved(),
		Commit: at.commit, Dirty: at.dirty, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		CPU:     at.cpu,
		Workers: x.options.workers, Start: time.Now().UTC().Format(time.RFC3339),
	})
	if err != nil {
		return err
	}
	if err := w.Close(trace.End{Status: trace.Failed, Why: why.Error()}); err != nil {
		return err
	}
	x.tell(Event{Kind: Ended, Run: j.Run, Status: trace.Failed, Why: why.Error()}, true)
	return nil
}

// tell reports an event; ended counts the job as done.
func (x *experiment) tell(e Event, ended bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if ended {
		x.done++
	}
	e.Done, e.Total = x.done, len(x.jobs)
	if x.options.event != nil {
		x.options.event(e)
	}
}

func isUnsupported(err error) bool { return errors.Is(err, solvers.ErrUnsupported) }
