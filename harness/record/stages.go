package record

import (
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// warm returns the solver and the risk of a run whose C changes. It returns an error if the solver or the objective
// does not allow a change of C.
func (x *execution) warm(o models.Objective) (solvers.Warm, *models.Risk, error) {
	warm, ok := x.solver.(solvers.Warm)
	risk, regularised := o.(*models.Risk)
	if !ok || !regularised {
		return nil, nil, solvers.Lacking(`a run with "path" or "anneal" needs a regularised risk and a solver that keeps ` +
			"its dual variables")
	}
	return warm, risk, nil
}

// path runs the solver with a sequence of values of C. Each stage has one value, and starts from the dual variables of
// the previous stage (paper eg, section 7.1.2).
func (x *execution) path(warm solvers.Warm, p *models.Risk) outcome {
	x.start()
	session, err := warm.Start(p, x.env)
	if err != nil {
		return x.failure(err)
	}
	x.pause()
	var out outcome
	values := x.run.Solver.Path.Values()
	for k, c := range values {
		if x.saver.resuming && k < x.stage.index {
			continue
		}
		lambda := x.run.Convention.Lambda(c, len(p.Examples))
		x.eval.problem = x.eval.problem.(*models.Risk).At(lambda)
		if !x.saver.resuming {
			x.stage = stage{index: k, start: x.passes(), c: c, lambda: lambda}
			x.stage.until = x.stageStop()
			x.pace.origin, x.pace.next, x.pace.look, x.pace.first = x.progress(), 0, 0, sighting{}
		}
		x.start()
		if out = x.consume(session.Run(lambda), lambda, x.stage.until, nil); out.status != trace.Done {
			return out
		}
		if end := x.limit(x.stop); end != nil && k < len(values)-1 { // this is a limit on the whole path, not on the stage
			return *end
		}
	}
	return out
}

// stageStop returns the stop rule of a stage that begins now. A stage ends by the path's rules for stages, counted from
// now, or by the run's rules, whichever is met first.
func (x *execution) stageStop() lang.Stop {
	until, whole := x.run.Solver.Path.Until, x.stop
	return lang.Stop{
		Gap:     until.Gap,
		Passes:  earlier(x.stage.start, until.Passes, whole.Passes),
		Epochs:  int(earlier(float64(x.at.epoch), float64(until.Epochs), float64(whole.Epochs))),
		Seconds: earlier(x.timer.seconds(), until.Seconds, whole.Seconds),
	}
}

// earlier returns the smaller of start + length and limit. A length or limit of 0 is ignored.
func earlier(start, length, limit float64) float64 {
	if length > 0 && (limit == 0 || start+length < limit) {
		return start + length
	}
	return limit
}

// anneal moves C towards its target while the solver runs, with one step per epoch (paper eg, section 7.1.1). Rows
// evaluate the weights on the problem with the target C, and also record the current C.
func (x *execution) anneal(warm solvers.Warm, p *models.Risk) outcome {
	target := x.run.C
	at := func(epoch int) float64 { return x.run.Solver.Anneal.At(float64(epoch), target) }
	force := func(c float64) {
		x.stage.c, x.stage.lambda = c, x.run.Convention.Lambda(c, len(p.Examples))
	}
	if !x.saver.resuming {
		force(at(0))
	}
	x.start()
	session, err := warm.Start(p.At(x.stage.lambda), x.env)
	if err != nil {
		return x.failure(err)
	}
	for ; ; x.start() {
		c := x.stage.c
		out := x.consume(session.Run(x.stage.lambda), x.stage.lambda, x.stop, func(it solvers.Iterate) bool {
			if x.stage.arrived || at(it.Epoch) == c {
				return false
			}
			force(at(it.Epoch))
			return true
		})
		switch {
		case out.status == "": // the epoch has ended: continue with the next C
		case (out.rule == "converged" || out.status == trace.Stalled) && c != target && !x.stage.arrived:
			// the solver ended by itself before C reached its target: continue with the target at once. This happens once.
			x.stage.arrived = true
			force(target)
		default:
			return out
		}
	}
}
