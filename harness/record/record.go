// Package record makes the rows of one run. It ranges over a solver's iterates. In the loop body it stops the clock,
// evaluates the iterate with oracles that are not counted, and checks the stop rules of the plan. It also counts the
// solver's oracle calls. The package opens no files, and uses solvers only through their interfaces.
//
//	out := record.Recording{Plan: run, Stop: run.Stop, Solver: solver, Task: task, Objective: objective, Lambda: 0.01,
//		Workers: 2, Rows: draft}.Do(ctx)
package record

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Recording describes a run that Do makes and records.
type Recording struct {
	Plan      lang.Run
	Stop      lang.Stop // stop rule of the plan, or of a trial (a run up to a comparison)
	Solver    solvers.Solver
	Others    []solvers.Named // solvers that an error may recommend instead
	Task      *models.Task
	Objective models.Objective // objective of the task
	Lambda    float64          // λ of the objective, if it is regularised
	Workers   int              // number of goroutines for evaluations, at least 1; Plan has the number for the solver
	Weights   bool             // whether Outcome gets the weights
	Rows      Rows
	Saving    Saving
	Memory    bool // whether to measure the memory of the process; then the process must do nothing else
	// CPU returns the CPU time of the calling thread; ok is false if the system has no such clock. If the field is nil,
	// machine.Thread is used.
	CPU func() (cpu time.Duration, ok bool)
	Now func() time.Time // the present time; nil: time.Now
}

// Outcome describes how a run ended, and its results other than rows.
type Outcome struct {
	Status  trace.Status
	Why     string // the rule that ended the run, in words, or the error
	Rule    string // name of the rule if the status is done: gap, passes, epochs, seconds, patience or converged
	Passes  float64
	Seconds float64 // wall-clock time of the solver
	CPU     float64 // seconds of CPU time of the solver; 0 on a system without such a clock
	// Recording is the wall-clock time in seconds for evaluating iterates and writing rows. Seconds does not include it.
	Recording float64
	GC        float64 // share of the garbage collector in the CPU time of the process during the run
	// Peak is the largest resident memory in bytes of the programs that the solver ran. If the solver ran none, Peak is
	// the largest resident memory of the process, which includes the data and the evaluations. 0: not known, or not
	// measured.
	Peak     int64
	Resumed  int                       // how often the run was resumed
	Unsaved  error                     // error of the last attempt to write the state; nil: no error
	Weights  []float64                 // weights of the last row or, with Plan.Keep, of the best row; nil: none
	Examples map[string]trace.Examples // by metric, the counts per example at the same row
}

// Do makes the run. If a solver or a model panics, the run ends as failed. If ctx ends, the run ends as interrupted.
func (r Recording) Do(ctx context.Context) Outcome {
	if r.Now == nil {
		r.Now = time.Now
	}
	_, inference := r.Objective.(*models.Inference)
	x := &execution{
		run: r.Plan, stop: r.Stop, solver: r.Solver, others: r.Others, rows: r.Rows,
		env: solvers.Env{Seed: r.Plan.Seed, Workers: max(1, r.Plan.Solver.Workers)},
		eval: &evaluator{task: r.Task, problem: parallel(r.Objective, r.Workers), metrics: Recorded(r.Plan),
			workers: r.Workers, train: r.Plan.Record.Train, regularised: !inference},
		n:     float64(r.Objective.N()),
		calls: newCalls(r.Plan.Solver.Workers), stage: stage{c: r.Plan.C, lambda: r.Lambda},
		timer: timer{clock: &clock{thread: r.CPU, present: r.Now}},
		saver: saver{Saving: r.Saving, next: r.Now().Add(r.Saving.Every)},
		keep:  keeper{rule: r.Plan.Keep, weights: r.Weights, metrics: r.Plan.Record.Examples},
	}
	if r.CPU == nil {
		x.timer.clock.thread = machine.Thread
	}
	if r.Plan.Early() {
		x.pace.mark = &r.Plan.Choose.Rule.At
	}
	var peak machine.Peak
	if r.Memory {
		peak = machine.WatchPeak()
	}
	before := machine.NewCollector()
	out := x.execute(ctx, r.Objective)
	outcome := Outcome{Status: out.status, Why: out.why, Rule: out.rule, Passes: x.at.passes,
		Seconds: x.timer.spent.wall.Seconds(), CPU: x.timer.spent.cpu.Seconds(),
		GC:        machine.NewCollector().ShareSince(before),
		Recording: x.timer.recording.Seconds(), Resumed: x.saver.times, Unsaved: x.saver.err,
		Weights: x.keep.final, Examples: x.keep.examples(r.Task.Validation)}
	if x.timer.elsewhere > 0 {
		outcome.Peak = x.timer.elsewhere
	} else {
		outcome.Peak = peak.Bytes()
	}
	return outcome
}

// execute makes the run on one locked thread, so that the CPU time of the thread is the CPU time of the run. If a
// solver or a model panics, the run ends as failed.
func (x *execution) execute(ctx context.Context, o models.Objective) (out outcome) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer func() {
		if r := recover(); r != nil {
			out = outcome{trace.Failed, fmt.Sprintf("panic: %v\n%s", r, debug.Stack()), ""}
		}
	}()
	x.interrupted = func() error { return context.Cause(ctx) }
	objective := x.timer.clock.workers(counted(o, x.calls))
	x.env.Context = ctx
	x.env.Elsewhere = func(cpu time.Duration, peak int64) {
		x.timer.clock.add(cpu)
		x.timer.elsewhere = max(x.timer.elsewhere, peak)
	}
	x.env.Calls = x.calls.answered
	x.env.Left = x.left
	x.env.Phase = func(name string) {
		x.calls.inSetup.Store(name == "setup")
		x.timer.phases.enter(name, x.timer.clock.now())
	}
	if err := solvers.Missing(x.solver, objective, x.others...); err != nil {
		return x.failure(err)
	}
	if err := fits(x.solver, objective); err != nil {
		return x.failure(err)
	}
	if err := x.load(); err != nil {
		return x.failure(err)
	}
	if x.run.Solver.Path != nil || x.run.Solver.Anneal != nil {
		warm, risk, err := x.warm(objective)
		switch {
		case err != nil:
			return x.failure(err)
		case x.run.Solver.Path != nil:
			return x.path(warm, risk)
		}
		return x.anneal(warm, risk)
	}
	x.start()
	out = x.consume(solvers.Run(x.solver, objective, x.env), x.stage.lambda, x.stop, nil)
	if out.status == trace.Done && !x.pace.begun {
		return outcome{trace.Failed, "the solver yielded no iterate; it must yield its start first", ""}
	}
	return out
}
