// Package record makes the rows of one run: it ranges over a solver's iterates with the clock off in the loop body,
// evaluates them there on the objective without counters, counts oracle calls, and stops by the rules of the plan. It
// knows no files, and knows solvers by their contracts only.
//
//	out := record.Run{Plan: run, Stop: run.Stop, Solver: solver, Task: task, Objective: objective, Lambda: 0.01,
//		Workers: 2, Rows: draft}.Do(ctx)
package record

import (
	"context"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Run is one run to record.
type Run struct {
	Plan      lang.Run
	Stop      lang.Stop // of this execution: the plan's, or that of a trial
	Solver    solvers.Solver
	Others    []solvers.Named // that a refusal may recommend
	Task      *models.Task
	Objective models.Objective // of the task
	Lambda    float64          // of the objective, where it is regularised
	Workers   int              // goroutines of evaluations, at least 1; the solver has those of its plan
	Weights   bool             // whether the outcome is to have them
	Rows      Rows
	Saving    Saving
	// whether the process does nothing else, so that its memory is the run's
	Memory bool
	// CPU is the CPU time of the calling thread; not ok: the system has no such clock. nil: machine.Thread.
	CPU func() (cpu time.Duration, ok bool)
}

// Rows takes the rows of a run, one after the other. An error ends the run as failed.
type Rows interface {
	Append(trace.Row) error
}

// Outcome is how a run ended, and what it produced besides its rows.
type Outcome struct {
	Status  trace.Status
	Why     string // which rule ended it in words, or the error
	Rule    string // of a run that is done: gap, passes, epochs, seconds, patience, converged
	Passes  float64
	Seconds float64 // of the solver
	CPU     float64 // seconds of the solver on processors; 0 where the system has no such clock
	// seconds of the wall that evaluations and rows took, which are not the solver's
	Recording float64
	GC        float64 // share of the garbage collector in the process's CPU time, while the run went on
	// bytes of resident memory at most: of the programs that the solver ran, else of the process, with the data that it
	// holds and evaluations; 0: not known, or not asked for
	Peak     int64
	Resumed  int                       // times that the run has gone on from a state
	Unsaved  error                     // why its state could not be written the last time
	Weights  []float64                 // of the last row, or the best by the plan's rule; nil: none, or not asked for
	Examples map[string]trace.Examples // by metric, at the same row
}

// Do runs to the end. A panic of a solver or a model ends the run as failed, an end of ctx as interrupted.
func (r Run) Do(ctx context.Context) Outcome {
	_, inference := r.Objective.(*models.Inference)
	x := &execution{
		run: r.Plan, stop: r.Stop, solver: r.Solver, others: r.Others, rows: r.Rows,
		env: solvers.Env{Seed: r.Plan.Seed, Workers: max(1, r.Plan.Solver.Workers)},
		eval: &evaluator{task: r.Task, problem: parallel(r.Objective, r.Workers), metrics: Recorded(r.Plan),
			workers: r.Workers, train: r.Plan.Record.Train, regularised: !inference},
		calls: newCalls(r.Plan.Solver.Workers), c: r.Plan.C, lambda: r.Lambda, clock: &clock{thread: r.CPU},
		saver: saver{Saving: r.Saving, next: time.Now().Add(r.Saving.Every)},
		keep:  keeper{rule: r.Plan.Keep, weights: r.Weights, metrics: r.Plan.Record.Examples},
	}
	if r.CPU == nil {
		x.clock.thread = machine.Thread
	}
	if r.Plan.Choose != nil {
		x.mark = &r.Plan.Choose.Rule.At
	}
	var peak machine.Peak
	if r.Memory {
		peak = machine.WatchPeak()
	}
	before := machine.NewCollector()
	out := x.execute(ctx, r.Objective)
	outcome := Outcome{Status: out.status, Why: out.why, Rule: out.rule, Passes: x.lastPasses,
		Seconds: x.spent.wall.Seconds(), CPU: x.spent.cpu.Seconds(), GC: machine.NewCollector().ShareSince(before),
		Recording: x.recording.Seconds(), Resumed: x.saver.times, Unsaved: x.saver.err,
		Weights: x.keep.final, Examples: x.keep.examples(r.Task.Validation)}
	if x.elsewhere > 0 {
		outcome.Peak = x.elsewhere
	} else {
		outcome.Peak = peak.Bytes()
	}
	return outcome
}
