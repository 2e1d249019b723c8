package harness

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness/spec"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Run plans the experiment and runs what is not finished yet. A run that fails, diverges or is unsupported is a result
// like any other; an error means that the experiment itself could not go on (no data, a full disk, a wrong spec).
// When ctx ends, the runs in progress end as interrupted, with their rows, and are started again the next time.
func Run(ctx context.Context, s *spec.Spec, opts ...Option) (*Result, error) {
	o := newOptions(opts)
	x, err := newExperiment(s, o)
	if err != nil {
		return nil, err
	}
	workers := o.workers
	if timed(s) {
		workers = 1
	}
	trials, rest := x.split()
	if err := x.parallel(ctx, trials, workers, x.trial); err != nil {
		return nil, err
	}
	winners, err := x.decide()
	if err != nil {
		return nil, err
	}
	if err := x.parallel(ctx, append(winners, rest...), workers, x.whole); err != nil {
		return nil, err
	}
	return x.result()
}

// timed says whether an experiment shows or judges seconds: then its runs must not share the machine.
func timed(s *spec.Spec) bool {
	text := []string{}
	if s.Figure != nil {
		for _, p := range s.Figure.Panels {
			text = append(text, p.X, strings.Join(p.Y, " "))
			for _, l := range p.Series {
				text = append(text, strings.Join(l.Y, " "))
			}
		}
	}
	if s.Table != nil {
		for _, c := range s.Table.Columns {
			text = append(text, c.Name)
		}
	}
	for _, c := range s.Claims {
		text = append(text, c.Assert, c.Measure)
	}
	return slices.ContainsFunc(text, trace.Clock)
}

// experiment is one Run call in progress.
type experiment struct {
	spec    *spec.Spec
	options *options
	cat     spec.Catalogue
	tasks   *tasks
	jobs    []*job // in the order of the plan

	mu   sync.Mutex
	done int
}

// job is one run of the plan.
type job struct {
	spec.Run
	order  int
	chosen *bool // of a candidate: whether its value was chosen; nil while that is not known
	trial  *trial
}

func newExperiment(s *spec.Spec, o *options) (*experiment, error) {
	runs, err := s.Plan()
	if err != nil {
		return nil, err
	}
	x := &experiment{spec: s, options: o, cat: Catalogue(), tasks: newTasks(s, o)}
	for i, r := range withExtras(runs, o.extra) {
		x.jobs = append(x.jobs, &job{Run: r, order: i})
	}
	return x, nil
}

// withExtras adds, for each of the caller's solvers, a run on every problem and seed of the plan.
func withExtras(runs []spec.Run, extra []named) []spec.Run {
	out := runs
	for _, e := range extra {
		seen := map[string]bool{}
		for _, r := range runs {
			if r.Solver.Path != nil {
				continue
			}
			own := r
			own.Solver = spec.Solver{As: e.name, Name: e.name}
			own.Choose = nil
			own.Labels = map[string]any{}
			for _, k := range []string{"dataset", "model", "loss", "C", "lambda", "seed", "fold"} {
				if v, ok := r.Labels[k]; ok {
					own.Labels[k] = v
				}
			}
			own.Labels["as"], own.Labels["solver"] = e.name, e.name
			if id := string(own.Canonical()); !seen[id] {
				seen[id] = true
				out = append(out, own)
			}
		}
	}
	return out
}

// split separates the candidates of choices from the other runs.
func (x *experiment) split() (candidates, rest []*job) {
	for _, j := range x.jobs {
		if j.Choose != nil {
			candidates = append(candidates, j)
		} else {
			rest = append(rest, j)
		}
	}
	return candidates, rest
}

// parallel calls f for each job, so many at a time, in order. The first error stops those that have not begun.
func (x *experiment) parallel(ctx context.Context, jobs []*job, workers int, f func(context.Context, *job, int) error) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	evaluators := max(1, x.options.workers/max(1, min(workers, len(jobs))))
	for _, j := range jobs {
		g.Go(func() error {
			if ctx.Err() != nil || inner.Err() != nil {
				return nil // interrupted before it began, or another job failed
			}
			if err := f(ctx, j, evaluators); err != nil && !errors.Is(err, context.Canceled) {
				return fmt.Errorf("%s: %w", x.spec.ID, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// whole runs a job to its stop, unless its key is finished.
func (x *experiment) whole(ctx context.Context, j *job, evaluators int) error {
	path, f, err := x.finished(ctx, j)
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
	path := filepath.Join(x.options.folder(x.spec.ID, x.spec.Scale), runKey(j.Run, set)+".jsonl")
	if x.options.force {
		return path, nil, nil
	}
	f, err := trace.Read(path)
	if err != nil || !counts(f) { // not there, damaged, interrupted or failed: run it
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
func (x *experiment) execute(ctx context.Context, j *job, path string, stop spec.Stop, evaluators int) (*trace.Writer, outcome, *execution, error) {
	task, set, err := x.tasks.of(ctx, j.Run)
	if err != nil {
		return nil, outcome{}, nil, err
	}
	loss, known := models.LossNamed(j.Model.Loss)
	if !known {
		return nil, outcome{}, nil, fmt.Errorf("no loss %q", j.Model.Loss)
	}
	solver, err := settings(x.cat, j.Run, x.options.extra)
	if err != nil {
		return nil, outcome{}, nil, err
	}
	problem := task.Problem(loss, j.Convention.Lambda(j.C, len(task.Train)))
	problem.Workers = 1 // of the solver: its seconds are those of one core
	judged := *problem
	judged.Workers = evaluators
	w, err := trace.Create(path, manifest(j.Run, j.order, runKey(j.Run, set), problem, task, set, x.options.workers))
	if err != nil {
		return nil, outcome{}, nil, err
	}
	run := &execution{
		run: j.Run, stop: stop, solver: solver,
		eval:   &evaluator{task: task, problem: &judged, metrics: j.Record.Metrics, workers: evaluators},
		append: w.Append,
		c:      j.C, lambda: problem.Lambda,
		keepFinal: x.options.weights,
	}
	run.notify = func(row map[string]float64) {
		x.tell(Event{Kind: Recorded, Run: j.Run, Passes: row[trace.Passes], Target: stop.Passes, Gap: gapOf(row), Seconds: row[trace.Seconds]}, false)
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
	end := trace.End{Status: out.status, Why: out.why, Rule: out.rule, Seconds: run.clock.Seconds()}
	if j.chosen != nil {
		end.Labels = map[string]any{"chosen": *j.chosen}
	}
	if x.options.weights && run.final != nil {
		name, err := x.saveWeights(j, run)
		if err != nil {
			return err
		}
		end.Weights = name
	}
	if err := w.Close(end); err != nil {
		return err
	}
	x.tell(Event{Kind: Ended, Run: j.Run, Status: out.status, Why: out.why, Passes: run.lastPasses, Seconds: end.Seconds}, true)
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
