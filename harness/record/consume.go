package record

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// consume ranges over seq, the iterates of a solver that works with λ = lambda, until one of the rules in stop or a
// limit of the run ends the run. It returns the outcome. If leave is not nil and returns true for an iterate, consume
// returns an empty outcome. The clock runs when consume is called, and is stopped when it returns.
func (x *execution) consume(seq iter.Seq2[solvers.Iterate, error], lambda float64, stop lang.Stop,
	leave func(solvers.Iterate) bool) outcome {
	var last solvers.Iterate // last iterate, which gets a row if the solver ends by itself
	if !x.saver.resuming {
		x.pace.recorded = true
	}
	for it, err := range seq {
		x.pause()
		if err == nil && x.saver.resuming {
			err = errNotResumed
		}
		if err != nil {
			out := x.failure(err)
			if !x.pace.recorded && last.W != nil && out.status == trace.Failed {
				// the row gets only the weights: after a failure the solver's dual and statistics are not reliable
				x.at.passes = x.passes()
				x.record(solvers.Iterate{W: last.W, Epoch: last.Epoch}, lambda, stop)
			}
			return out
		}
		if x.saver.again { // the process that wrote the state has recorded a row of this iterate
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
		due := x.due(it) || x.closes(it, lambda, stop)
		end := x.limit(stop)
		saves := end == nil && x.saver.due(x.timer.clock.present()) || x.interruptedLate(end)
		x.pace.recorded = due
		if saves && !due { // save before record: a row recorded only because of the interrupt must not be in the state
			x.save(it)
		}
		if x.pace.recorded = due || end != nil; x.pace.recorded {
			// if record finds another reason to end the run, such as the gap, this reason replaces the limit
			if reached := x.record(it, lambda, stop); reached != nil {
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
	if !x.pace.recorded { // the solver ended by itself, and its last iterate has no row
		x.at.passes = x.passes()
		if end := x.record(last, lambda, stop); end != nil {
			return *end
		}
	}
	why := "the solver made no further progress"
	if stop.Gap > 0 && x.at.gap > stop.Gap {
		why += fmt.Sprintf(", at gap %.3g", x.at.gap)
		if c, ok := x.solver.(solvers.Certifier); !ok || !c.Certifies() { // the solver cannot tell that it is at the optimum
			return outcome{trace.Stalled, why, ""}
		}
	}
	return outcome{trace.Done, why, "converged"}
}

// failure returns the outcome of a run whose solver returned an error.
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
	if errors.As(err, &u) { // leave out u.Solver, because the message names the run
		return outcome{trace.Unsupported, (&solvers.Unsupported{Lacks: u.Lacks, Instead: u.Instead}).Error(), ""}
	}
	return outcome{trace.Failed, err.Error(), ""}
}

// record evaluates an iterate, appends its row, and checks the gap.
func (x *execution) record(it solvers.Iterate, lambda float64, stop lang.Stop) ending {
	defer x.timer.clock.timed(&x.timer.recording)()
	values, primal := x.eval.values(it, lambda)
	values[trace.Passes] = x.at.passes
	values[trace.Epoch] = float64(it.Epoch)
	x.timer.write(values)
	if x.eval.regularised {
		values[trace.Lambda] = x.stage.lambda
	}
	if x.eval.regularised && x.run.Convention != lang.ConventionLambda {
		values[trace.C] = x.stage.c
	}
	if x.run.Solver.Path != nil {
		values[trace.Stage] = float64(x.stage.index)
		values[trace.StagePasses] = x.at.passes - x.stage.start
	}
	x.calls.write(values)
	var warnings []string
	if d, ok := values[trace.Dual]; ok && d > primal+1e-9*(1+math.Abs(primal)) {
		warnings = append(warnings, fmt.Sprintf("dual %.17g above primal %.17g: the solver or the model is wrong", d, primal))
	}
	if err := x.rows.Append(trace.Row{Values: values, Warnings: warnings}); err != nil {
		return &outcome{trace.Failed, err.Error(), ""}
	}
	x.pace.begun = true
	x.keep.look(values, it.W, x.eval.counts)
	if math.IsNaN(primal) || math.IsInf(primal, 0) {
		return &outcome{trace.Diverged, fmt.Sprintf("the primal became %v", primal), ""}
	}
	gap, ok := values[trace.Gap]
	if x.at.gap = gap; ok && stop.Gap > 0 && gap <= stop.Gap {
		return &outcome{trace.Done, fmt.Sprintf("gap %.3g", gap), "gap"}
	}
	if ok {
		x.expect(gap, stop.Gap)
	}
	if x.keep.exhausted() {
		return &outcome{trace.Done, fmt.Sprintf("%d rows without a better %s", x.keep.since, x.keep.rule.By), "patience"}
	}
	return nil
}
