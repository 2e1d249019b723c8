package schedule

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// execute makes a run until the rule stop ends it, and returns the file of the run, to which the end is not yet
// written. If a run that was resumed from a checkpoint fails, execute repeats the run from its start, because the
// checkpoint may be wrong. If stop ends the run at the point where it is compared with others (lang.Choose), the
// argument point names this point; for a complete run, it is "". evaluators is the number of goroutines that evaluate
// iterates.
func (x *experiment) execute(ctx context.Context, j *job, stop lang.Stop, point string, evaluators int) (*store.Draft,
	record.Outcome, error) {
	var none record.Outcome
	task, set, err := x.inputs.Task(ctx, j.Run)
	if err != nil {
		return nil, none, err
	}
	objective, lambda, err := record.Objective(j.Run, task)
	if err != nil {
		return nil, none, err
	}
	var of *float64
	if _, inference := objective.(*models.Inference); !inference {
		of = &lambda
	}
	manifest := x.manifest(j, of, task, set, objective)
	attempt := func() (draft *store.Draft, out record.Outcome, resumed bool, err error) {
		solver, err := x.solver(j.Run)
		if err != nil {
			return nil, none, false, err
		}
		if draft, err = x.runs.Begin(j.key, manifest); err != nil {
			return nil, none, false, err
		}
		saving, done, err := x.checkpoints(j, point, draft)
		if err != nil {
			return nil, none, false, err
		}
		defer done()
		x.report(Event{Kind: Started, Run: j.Run, Target: stop.Passes, Stop: stop.Gap, Gap: math.NaN()})
		out = record.Recording{
			Plan: j.Run, Stop: stop, Solver: solver, Others: alternatives(x.options.Catalogue),
			Task: task, Objective: objective, Lambda: lambda,
			Workers: evaluators, Weights: x.keeps(j), Rows: reporting{draft, x, j.Run, stop}, Saving: saving,
			Memory: x.alone, CPU: x.options.CPU, Now: x.options.Now,
		}.Do(ctx)
		return draft, out, saving.From != nil, nil
	}
	draft, out, resumed, err := attempt()
	if err == nil && resumed && out.Status == trace.Failed { // the checkpoint may be the cause
		x.note(j, "%s: failed after it was resumed from a checkpoint, so the run begins again: %s", j.Labels["as"],
			strings.SplitN(out.Why, "\n", 2)[0])
		x.runs.DropState(j.key, point)
		if _, err := draft.Leave(trace.End{Status: out.Status, Why: out.Why}); err != nil {
			return nil, none, err
		}
		draft, out, _, err = attempt()
	}
	if err != nil {
		return nil, none, err
	}
	if out.Unsaved != nil {
		x.note(j, "%s: its checkpoint could not be written: %v", j.Labels["as"], out.Unsaved)
	}
	if out.Status != trace.Interrupted { // a run that has ended or failed is not resumed, so its checkpoint is removed
		x.runs.DropState(j.key, point)
	}
	return draft, out, nil
}

// solver returns a new solver for a run, with the run's settings.
func (x *experiment) solver(r lang.Run) (solvers.Solver, error) {
	var s solvers.Solver
	if i := slices.IndexFunc(x.options.Extra, func(e Named) bool { return e.Name == r.Solver.Name }); i >= 0 {
		s = x.options.Extra[i].Solver
	} else {
		noun, ok := x.options.Catalogue.Solver(r.Solver)
		if !ok {
			return nil, fmt.Errorf("no solver %q", r.Solver.Name)
		}
		v, err := noun.Decode(r.Solver.Params)
		if err != nil {
			return nil, err
		}
		s = v.(solvers.Solver)
	}
	if x.options.Wrap != nil {
		s = x.options.Wrap(s)
	}
	return s, nil
}

// alternatives returns the solvers of the catalogue with their default settings. If a run is unsupported, the reason in
// its file names the solvers that could solve its problem.
func alternatives(c lang.Catalogue) []solvers.Named {
	var out []solvers.Named
	for _, n := range c.Solvers {
		if s, ok := n.New().(solvers.Solver); ok {
			out = append(out, solvers.Named{Name: n.Name, Solver: s})
		}
	}
	return out
}

// reporting appends rows to the file of a run and reports each row as an event.
type reporting struct {
	draft *store.Draft
	x     *experiment
	run   lang.Run
	stop  lang.Stop
}

// Append implements record.Rows.
func (r reporting) Append(row trace.Row) error {
	if err := r.draft.Append(row); err != nil {
		return err
	}
	value := func(column string) float64 {
		if v, ok := row.Values[column]; ok {
			return v
		}
		return math.NaN()
	}
	r.x.report(Event{Kind: Recorded, Run: r.run, Passes: row.Values[trace.Passes], Target: r.stop.Passes,
		Gap: value(trace.Gap), Primal: value(trace.Primal),
		Stop: r.stop.Gap, Seconds: row.Values[trace.Seconds], Values: row.Values})
	return nil
}
