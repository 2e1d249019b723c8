package record

import (
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// warm is the solver of a run whose C moves, and the risk that it moves in.
func (x *execution) warm(o models.Objective) (solvers.Warm, *models.Risk, error) {
	warm, ok := x.solver.(solvers.Warm)
	risk, regularised := o.(*models.Risk)
	if !ok || !regularised {
		return nil, nil, solvers.Lacking("a path of C and annealing need a regularised risk and a solver that keeps its " +
			"dual variables")
	}
	return warm, risk, nil
}

// path runs a warm-started range of C: each stage from the dual variables of the one before (eg, section 7.1.2).
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
		if x.saver.resuming && k < x.stage {
			continue
		}
		lambda := x.run.Convention.Lambda(c, len(p.Examples))
		x.eval.problem = x.eval.problem.(*models.Risk).At(lambda)
		if !x.saver.resuming {
			x.stage, x.stageStart, x.c, x.lambda, x.next = k, x.passes(), c, lambda, 0
			x.until = x.stageStop()
		}
		x.start()
		if out = x.consume(session.Run(lambda), lambda, x.until, nil); out.status != trace.Done {
			return out
		}
		if end := x.limit(x.stop); end != nil && k < len(values)-1 { // it ends the whole path
			return *end
		}
	}
	return out
}

// stageStop is the stop of the stage that begins now: the path's own rules, counted from here, within the run's.
func (x *execution) stageStop() lang.Stop {
	until, whole := x.run.Solver.Path.Until, x.stop
	return lang.Stop{
		Gap:     until.Gap,
		Passes:  earlier(x.stageStart, until.Passes, whole.Passes),
		Epochs:  int(earlier(float64(x.lastEpoch), float64(until.Epochs), float64(whole.Epochs))),
		Seconds: earlier(x.seconds(), until.Seconds, whole.Seconds),
	}
}

// earlier is start + length or limit, whichever comes first; a length or limit of 0 is none.
func earlier(start, length, limit float64) float64 {
	if length > 0 && (limit == 0 || start+length < limit) {
		return start + length
	}
	return limit
}

// anneal moves C to its target while the solver runs, once per epoch (eg, section 7.1.1). Rows evaluate the target
// problem at the weights of the C in force, and name that C.
func (x *execution) anneal(warm solvers.Warm, p *models.Risk) outcome {
	target := x.run.C
	at := func(epoch int) float64 { return x.run.Solver.Anneal.At(float64(epoch), target) }
	force := func(c float64) {
		x.c, x.lambda = c, x.run.Convention.Lambda(c, len(p.Examples))
	}
	if !x.saver.resuming {
		force(at(0))
	}
	x.start()
	session, err := warm.Start(p.At(x.lambda), x.env)
	if err != nil {
		return x.failure(err)
	}
	for ; ; x.start() {
		c := x.c
		out := x.consume(session.Run(x.lambda), x.lambda, x.stop, func(it solvers.Iterate) bool {
			if x.arrived || at(it.Epoch) == c {
				return false
			}
			force(at(it.Epoch))
			return true
		})
		switch {
		case out.status == "": // the next value of C
		case out.rule == "converged" && c != target: // on the way: the target takes the rest of the passes
			x.arrived = true
			force(target)
		default:
			return out
		}
	}
}
