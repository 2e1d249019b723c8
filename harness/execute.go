package harness

import (
	"context"
	"fmt"
	"iter"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gaplab/gaplab/harness/spec"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// execution is one run in progress: it ranges over a solver's iterates with the clock off in the loop body, records
// rows there, and decides when to stop.
type execution struct {
	run    spec.Run
	stop   spec.Stop // of this execution: the run's, or that of a trial
	solver solvers.Solver
	eval   *evaluator
	append func(trace.Row) error
	notify func(row map[string]float64)

	calls   calls
	n       float64
	clock   time.Duration
	resumed time.Time

	stage       int
	stageStart  float64 // passes
	next        float64 // passes or epochs of the next record
	c, lambda   float64 // in force, as rows report them
	lastPasses  float64
	lastEpoch   int
	rows        int
	final       []float64 // copy of the last weights, if keepFinal
	keepFinal   bool
	interrupted func() error
}

// outcome is how an execution ended.
type outcome struct {
	status    trace.Status
	why, rule string
}

// verdict of one look at an iterate: nil goes on.
type ending *outcome

// execute runs to the end. A panic of a solver or a model ends the run as failed.
func (x *execution) execute(ctx context.Context, p *models.Problem) (out outcome) {
	defer func() {
		if r := recover(); r != nil {
			out = outcome{trace.Failed, fmt.Sprintf("panic: %v\n%s", r, debug.Stack()), ""}
		}
	}()
	x.interrupted = func() error { return context.Cause(ctx) }
	x.n = float64(len(p.Examples))
	problem := counted(p, &x.calls)
	if err := x.solver.Supports(problem); err != nil {
		return failure(err)
	}
	switch {
	case x.run.Solver.Path != nil:
		return x.path(problem)
	case x.run.Solver.Anneal != nil:
		return x.anneal(problem)
	}
	x.start()
	return x.consume(x.solver.Run(problem), p.Lambda, x.stop, nil)
}

func (x *execution) start() { x.resumed = time.Now() }

func (x *execution) pause() { x.clock += time.Since(x.resumed) }

// consume ranges over iterates of a solver that works with λ = lambda until a rule of stop, a limit, or (if it is not
// nil) leave ends it. The clock runs at entry and stands at return.
func (x *execution) consume(seq iter.Seq2[solvers.Iterate, error], lambda float64, stop spec.Stop, leave func(solvers.Iterate) bool) outcome {
	var end ending
	var last solvers.Iterate
	var copied []float64
	recorded := true
	for it, err := range seq {
		x.pause()
		if err != nil {
			out := failure(err)
			end = &out
			break
		}
		if leave != nil && leave(it) {
			end = &outcome{}
			break
		}
		due := x.due(it)
		if end = x.limit(stop); end != nil {
			due = true
		}
		if recorded = due; due {
			if reached := x.record(it, lambda, stop); end == nil || reached != nil && reached.status != trace.Done {
				end = reached
			}
		} else if it.W != nil {
			last, copied = it, append(copied[:0], it.W...)
		}
		if end != nil {
			break
		}
		x.start()
	}
	if end != nil {
		return *end
	}
	x.pause()
	if !recorded { // the solver ended by itself between two records
		last.W, last.Dual, last.Stats = copied, nil, nil
		if end = x.record(last, lambda, stop); end != nil {
			return *end
		}
	}
	return outcome{trace.Done, "the solver made no further progress", "converged"}
}

func failure(err error) outcome {
	if isUnsupported(err) {
		return outcome{trace.Unsupported, err.Error(), ""}
	}
	return outcome{trace.Failed, err.Error(), ""}
}

func (x *execution) passes() float64 { return float64(x.calls.visits()) / x.n }

// due says whether the cadence asks for a record.
func (x *execution) due(it solvers.Iterate) bool {
	x.lastPasses, x.lastEpoch = x.passes(), it.Epoch
	every := x.run.Record.Every
	at := x.lastPasses
	step := every.Passes
	if every.Epochs > 0 {
		at, step = float64(it.Epoch), float64(every.Epochs)
	}
	const slack = 1e-9 // a pass is a sum of visits / n
	if at+slack < x.next {
		return false
	}
	x.next = (math.Floor((at+slack)/step) + 1) * step
	return true
}

// limit checks the rules that need no evaluation, at every yield.
func (x *execution) limit(stop spec.Stop) ending {
	if err := x.interrupted(); err != nil {
		return &outcome{trace.Interrupted, err.Error(), ""}
	}
	seconds := x.clock.Seconds()
	if b := x.run.Budget; b != nil {
		if b.Passes > 0 && x.lastPasses >= b.Passes {
			return &outcome{trace.Budget, fmt.Sprintf("%.4g passes", x.lastPasses), ""}
		}
		if b.Seconds > 0 && seconds >= b.Seconds {
			return &outcome{trace.Budget, fmt.Sprintf("%.4g s", seconds), ""}
		}
	}
	const slack = 1e-9
	switch {
	case stop.Passes > 0 && x.lastPasses+slack >= stop.Passes:
		return &outcome{trace.Done, fmt.Sprintf("%.4g passes", x.lastPasses), "passes"}
	case stop.Epochs > 0 && x.lastEpoch >= stop.Epochs:
		return &outcome{trace.Done, fmt.Sprintf("%d epochs", x.lastEpoch), "epochs"}
	case stop.Seconds > 0 && seconds >= stop.Seconds:
		return &outcome{trace.Done, fmt.Sprintf("%.4g s", seconds), "seconds"}
	}
	return nil
}

// record evaluates an iterate, appends its row, and checks the gap.
func (x *execution) record(it solvers.Iterate, lambda float64, stop spec.Stop) ending {
	values, primal := x.eval.values(it, lambda)
	values[trace.Passes] = x.lastPasses
	values[trace.Epoch] = float64(it.Epoch)
	values[trace.Seconds] = x.clock.Seconds()
	values[trace.Lambda] = x.lambda
	if x.run.Convention != "lambda" {
		values[trace.C] = x.c
	}
	if x.run.Solver.Path != nil {
		values[trace.Stage] = float64(x.stage)
		values[trace.StagePasses] = x.lastPasses - x.stageStart
	}
	x.calls.write(values)
	var warnings []string
	if d, ok := values[trace.Dual]; ok && d > primal+1e-9*(1+math.Abs(primal)) {
		warnings = append(warnings, fmt.Sprintf("dual %.17g above primal %.17g: the solver or the model is wrong", d, primal))
	}
	if err := x.append(trace.Row{Values: values, Warnings: warnings}); err != nil {
		return &outcome{trace.Failed, err.Error(), ""}
	}
	x.rows++
	if x.keepFinal && it.W != nil {
		x.final = append(x.final[:0], it.W...)
	}
	x.notify(values)
	if math.IsNaN(primal) || math.IsInf(primal, 0) {
		return &outcome{trace.Diverged, fmt.Sprintf("the primal became %v", primal), ""}
	}
	if gap, ok := values[trace.Gap]; ok && stop.Gap > 0 && gap <= stop.Gap {
		return &outcome{trace.Done, fmt.Sprintf("gap %.3g", gap), "gap"}
	}
	return nil
}

// path runs a warm-started range of C: each stage from the dual variables of the one before (eg, section 7.1.2).
func (x *execution) path(p *models.Problem) outcome {
	warm, ok := x.solver.(solvers.Warm)
	if !ok {
		return outcome{trace.Unsupported, "a path of C needs a solver that keeps its dual variables", ""}
	}
	x.start()
	session, err := warm.Start(p)
	if err != nil {
		return failure(err)
	}
	x.pause()
	var out outcome
	values := x.run.Solver.Path.Values()
	for k, c := range values {
		lambda := x.run.Convention.Lambda(c, len(p.Examples))
		x.stage, x.stageStart, x.c, x.lambda, x.next = k, x.passes(), c, lambda, 0
		x.eval.problem = withLambda(x.eval.problem, lambda)
		stop := x.run.Solver.Path.Until
		limit := x.stop
		if stop.Passes > 0 { // of a stage: bounded by the whole run's as well
			stop.Passes += x.stageStart
		}
		if limit.Passes > 0 && (stop.Passes == 0 || limit.Passes < stop.Passes) {
			stop.Passes = limit.Passes
		}
		if limit.Seconds > 0 && (stop.Seconds == 0 || limit.Seconds < stop.Seconds) {
			stop.Seconds = limit.Seconds
		}
		x.start()
		out = x.consume(session.Run(lambda), lambda, stop, nil)
		if out.status != trace.Done || k < len(values)-1 && x.limit(limit) != nil {
			return out
		}
	}
	return out
}

// anneal moves C to its target while the solver runs, once per epoch (eg, section 7.1.1). Rows evaluate the target
// problem at the weights of the C in force.
func (x *execution) anneal(p *models.Problem) outcome {
	warm, ok := x.solver.(solvers.Warm)
	if !ok {
		return outcome{trace.Unsupported, "annealing needs a solver that keeps its dual variables", ""}
	}
	at := func(epoch int) float64 {
		return x.run.Convention.Lambda(x.run.Solver.Anneal.At(float64(epoch), x.run.C), len(p.Examples))
	}
	first := *p
	first.Lambda = at(0)
	x.start()
	session, err := warm.Start(&first)
	if err != nil {
		return failure(err)
	}
	for epoch := 0; ; {
		now := epoch
		out := x.consume(session.Run(at(now)), at(now), x.stop, func(it solvers.Iterate) bool {
			epoch = it.Epoch
			return epoch > now && at(epoch) != at(now)
		})
		if out.status != "" {
			return out
		}
		x.start()
	}
}

func withLambda(p *models.Problem, lambda float64) *models.Problem {
	q := *p
	q.Lambda = lambda
	return &q
}

// settings makes the solver of a run.
func settings(cat spec.Catalogue, r spec.Run, extra []named) (solvers.Solver, error) {
	var s solvers.Solver
	if i := slices.IndexFunc(extra, func(e named) bool { return e.name == r.Solver.Name }); i >= 0 {
		s = extra[i].solver
	} else {
		noun, ok := cat.Solver(r.Solver)
		if !ok {
			return nil, fmt.Errorf("no solver %q", r.Solver.Name)
		}
		v, err := noun.Decode(r.Solver.Params)
		if err != nil {
			return nil, err
		}
		s = v.(solvers.Solver)
	}
	if seeded, ok := s.(solvers.Seeded); ok {
		s = seeded.WithSeed(r.Seed)
	}
	return s, nil
}
