package record

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// execution is one run in progress: it ranges over a solver's iterates with the clock off in the loop body, records
// rows there, and decides when to stop.
type execution struct {
	run    lang.Run
	stop   lang.Stop // of this execution: the run's, or that of a trial
	mark   *lang.At  // nil, or a point that is recorded whatever the cadence: that of a choice
	solver solvers.Solver
	others []solvers.Named // that a refusal may recommend
	env    solvers.Env
	eval   *evaluator
	rows   Rows

	calls  *calls
	n      float64
	phases phases
	clock  *clock
	spent  spent // by the solver so far
	aside  spent // in phases that are off the clock

	recording time.Duration // of the wall, for evaluations and rows
	resumed   moment

	saver    saver
	recorded bool // whether the last iterate has a row

	until       lang.Stop // of the stage
	arrived     bool      // annealing has come to its target
	stage       int
	stageStart  float64 // passes
	next        float64 // passes or epochs of the next record
	c, lambda   float64 // in force, as rows report them
	lastPasses  float64
	lastEpoch   int
	lastGap     float64 // of the last row; 0: none, or not known
	keep        keeper
	begun       bool // whether there is a row
	interrupted func() error
	elsewhere   int64 // bytes: the largest resident memory of a program that the solver ran; 0: none, or not known
}

// outcome is how an execution ended.
type outcome struct {
	status    trace.Status
	why, rule string
}

// ending is the verdict of one look at an iterate: nil goes on.
type ending *outcome

// execute runs to the end, on one thread, whose CPU time is the run's. A panic of a solver or a model ends the run as
// failed.
func (x *execution) execute(ctx context.Context, o models.Objective) (out outcome) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer func() {
		if r := recover(); r != nil {
			out = outcome{trace.Failed, fmt.Sprintf("panic: %v\n%s", r, debug.Stack()), ""}
		}
	}()
	x.interrupted = func() error { return context.Cause(ctx) }
	x.n = float64(o.N())
	objective := x.clock.workers(counted(o, x.calls))
	x.env.Context = ctx
	x.env.Elsewhere = func(cpu time.Duration, peak int64) {
		x.clock.add(cpu)
		x.elsewhere = max(x.elsewhere, peak)
	}
	x.env.Calls = x.calls.answered
	x.env.Left = x.left
	x.env.Phase = func(name string) {
		x.calls.inSetup.Store(name == "setup")
		x.phases.enter(name, x.clock.now())
	}
	if err := solvers.Missing(x.solver, objective, x.others...); err != nil {
		return x.failure(err)
	}
	if err := room(x.solver, objective); err != nil {
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
	out = x.consume(solvers.Run(x.solver, objective, x.env), x.lambda, x.stop, nil)
	if out.status == trace.Done && !x.begun {
		return outcome{trace.Failed, "the solver yielded nothing: want the start first", ""}
	}
	return out
}

func (x *execution) start() {
	x.calls.off.Store(false)
	x.resumed = x.clock.now()
	x.phases.start(x.resumed)
}

func (x *execution) pause() {
	now := x.clock.now()
	x.calls.off.Store(true)
	before := x.aside
	x.phases.stop(now)
	x.aside = x.phases.aside()
	x.spent = x.spent.plus(now.since(x.resumed)).minus(x.aside.minus(before))
}

// seconds are those that stop rules and budgets count: of the CPU, or of the wall where there is no such clock.
func (x *execution) seconds() float64 {
	if x.resumed.ok {
		return x.spent.cpu.Seconds()
	}
	return x.spent.wall.Seconds()
}

// consume ranges over iterates of a solver that works with λ = lambda until a rule of stop, a limit, or (if it is not
// nil) leave ends it; after leave the outcome is empty. The clock runs at entry and stands at return.
func (x *execution) consume(seq iter.Seq2[solvers.Iterate, error], lambda float64, stop lang.Stop,
	leave func(solvers.Iterate) bool) outcome {
	var last solvers.Iterate // it stands if the run ends by itself
	if !x.saver.resuming {
		x.recorded = true
	}
	for it, err := range seq {
		x.pause()
		if err == nil && x.saver.resuming {
			err = errNotResumed
		}
		if err != nil {
			out := x.failure(err)
			if !x.recorded && last.W != nil && out.status == trace.Failed {
				// Where a solver fails its weights are weights still, but what it says of them need not hold.
				x.lastPasses = x.passes()
				x.record(solvers.Iterate{W: last.W, Epoch: last.Epoch}, lambda, stop)
			}
			return out
		}
		if x.saver.again { // another process has seen this one
			x.saver.again = false
			last = it
			x.start()
			continue
		}
		if it.Watch != nil {
			it.Watch()
		}
		if leave != nil && leave(it) {
			return outcome{}
		}
		due := x.due(it)
		end := x.limit(stop)
		saves := end == nil && x.saver.due() || x.interruptedLate(end)
		x.recorded = due
		if saves && !due { // the row that only an interruption makes is no part of the run
			x.save(it)
		}
		if x.recorded = due || end != nil; x.recorded {
			if reached := x.record(it, lambda, stop); reached != nil { // the gap counts for more than a limit
				end = reached
			}
		}
		if saves && due && (end == nil || end.status == trace.Interrupted) {
			x.save(it)
		}
		last = it
		if end != nil {
			return *end
		}
		x.start()
	}
	x.pause()
	if !x.recorded { // it ended by itself between two records
		x.lastPasses = x.passes()
		if end := x.record(last, lambda, stop); end != nil {
			return *end
		}
	}
	why := "the solver made no further progress"
	if stop.Gap > 0 && x.lastGap > stop.Gap {
		why += fmt.Sprintf(", at gap %.3g", x.lastGap)
	}
	return outcome{trace.Done, why, "converged"}
}

// failure is how a run ends on an error of the solver.
func (x *execution) failure(err error) outcome {
	if why := x.interrupted(); why != nil && errors.Is(err, why) {
		return outcome{trace.Interrupted, err.Error(), ""}
	}
	if errors.Is(err, solvers.ErrBudget) {
		limit, isStop := x.limitSeconds()
		why := fmt.Sprintf("%.4g s", limit)
		if isStop {
			return outcome{trace.Done, why, "seconds"}
		}
		return outcome{trace.Budget, why, ""}
	}
	var u *solvers.Unsupported
	if errors.As(err, &u) { // without u.Solver: the run has a name of its own
		return outcome{trace.Unsupported, (&solvers.Unsupported{Lacks: u.Lacks, Instead: u.Instead}).Error(), ""}
	}
	return outcome{trace.Failed, err.Error(), ""}
}

// record evaluates an iterate, appends its row, and checks the gap.
func (x *execution) record(it solvers.Iterate, lambda float64, stop lang.Stop) ending {
	defer func(begun time.Time) { x.recording += time.Since(begun) }(time.Now())
	values, primal := x.eval.values(it, lambda)
	values[trace.Passes] = x.lastPasses
	values[trace.Epoch] = float64(it.Epoch)
	x.spent.write(values, "", x.resumed.ok)
	if x.eval.regularised {
		values[trace.Lambda] = x.lambda
	}
	if x.eval.regularised && x.run.Convention != lang.ConventionLambda {
		values[trace.C] = x.c
	}
	if x.run.Solver.Path != nil {
		values[trace.Stage] = float64(x.stage)
		values[trace.StagePasses] = x.lastPasses - x.stageStart
	}
	x.calls.write(values)
	x.phases.write(values, x.resumed.ok)
	var warnings []string
	if d, ok := values[trace.Dual]; ok && d > primal+1e-9*(1+math.Abs(primal)) {
		warnings = append(warnings, fmt.Sprintf("dual %.17g above primal %.17g: the solver or the model is wrong", d, primal))
	}
	if err := x.rows.Append(trace.Row{Values: values, Warnings: warnings}); err != nil {
		return &outcome{trace.Failed, err.Error(), ""}
	}
	x.begun = true
	x.keep.look(values, it.W, x.eval.counts)
	if math.IsNaN(primal) || math.IsInf(primal, 0) {
		return &outcome{trace.Diverged, fmt.Sprintf("the primal became %v", primal), ""}
	}
	gap, ok := values[trace.Gap]
	if x.lastGap = gap; ok && stop.Gap > 0 && gap <= stop.Gap {
		return &outcome{trace.Done, fmt.Sprintf("gap %.3g", gap), "gap"}
	}
	if x.keep.exhausted() {
		return &outcome{trace.Done, fmt.Sprintf("%d rows without a better %s", x.keep.since, x.keep.rule.By), "patience"}
	}
	return nil
}
