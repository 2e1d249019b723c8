package record

import (
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// valued is an objective that can compute its value at given weights, and a lower bound on its minimum.
type valued interface {
	Primal(w []float64) float64
	Bound(w []float64) float64
}

// parallel returns the objective o with values that are computed by the given number of goroutines.
func parallel(o models.Objective, workers int) models.Objective {
	switch o := o.(type) {
	case *models.Risk:
		return o.Parallel(workers)
	case *models.Generative:
		return o.Parallel(workers)
	}
	return o
}

// evaluator computes rows from iterates, while the clock is stopped. Its objective does not count oracle calls, and has
// the final λ of the run. (During annealing the solver itself uses other values of λ.)
type evaluator struct {
	task        *models.Task
	problem     models.Objective
	metrics     []string // the columns to evaluate; nil: all
	workers     int
	regularised bool          // whether rows have the columns C and lambda; rows of inference do not
	train       bool          // whether metrics of the training examples are evaluated as well
	counts      models.Counts // metric counts for the validation examples at the last evaluated iterate
}

// Recorded lists the columns that a run evaluates: those that its spec records, and those that its stop rule, its rule
// for keeping weights (lang.Keep) and its comparison with other runs (lang.Choose) need. nil means all columns.
func Recorded(r lang.Run) []string {
	if r.Record.Metrics == nil {
		return nil
	}
	out := slices.Clone([]string(r.Record.Metrics))
	if r.Stop.Gap > 0 || r.Solver.Path != nil {
		out = append(out, trace.Gap)
	}
	if r.Keep != nil {
		out = append(out, r.Keep.By)
	}
	out = append(out, r.Record.Examples...)
	if r.Early() {
		out = append(out, r.Choose.Rule.By, r.Choose.Rule.Ties)
	}
	return out
}

// wants reports whether a column is evaluated.
func (e *evaluator) wants(metric string) bool {
	return e.metrics == nil || slices.Contains(e.metrics, metric)
}

// values evaluates an iterate of a solver that worked with λ = lambda. It leaves out values that are not finite, but
// returns the primal in any case.
func (e *evaluator) values(it solvers.Iterate, lambda float64) (values map[string]float64, primal float64) {
	values, e.counts = map[string]float64{}, models.Counts{}
	put := func(name string, v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			values[name] = v
		}
	}
	primal = e.primal(it)
	put(trace.Primal, primal)
	if e.wants(trace.Dual) || e.wants(trace.Gap) {
		dual := e.dual(it, lambda, primal)
		put(trace.Dual, dual)
		put(trace.Gap, trace.Relative(primal-dual, primal))
	}
	if (it.W != nil || it.Scores != nil) &&
		slices.ContainsFunc(e.task.Metrics, func(m models.Metric) bool { return e.wants(m.Name) }) {
		e.counts = e.task.Counts(e.scores(it), e.workers)
		for name, v := range e.counts.Metrics() {
			if e.wants(name) {
				put(name, v)
			}
		}
	}
	if e.train && it.W != nil {
		own := *e.task
		own.Validation = e.task.Train
		for name, v := range own.Evaluate(it.W, e.workers) {
			if e.wants(name) {
				put("train_"+strings.TrimPrefix(name, "validation_"), v)
			}
		}
	}
	for name, v := range e.task.Facts {
		put(name, v)
	}
	if it.Stats != nil {
		it.Stats(put)
	}
	return values, primal
}

// gap evaluates only the relative gap of an iterate. The gap is not finite if the iterate has no dual.
func (e *evaluator) gap(it solvers.Iterate, lambda float64) float64 {
	primal := e.primal(it)
	return trace.Relative(primal-e.dual(it, lambda, primal), primal)
}

// primal returns the primal of an iterate: the solver's own value or, if it has none, the objective at its weights.
func (e *evaluator) primal(it solvers.Iterate) float64 {
	if it.Primal != nil {
		return it.Primal()
	}
	return e.problem.(valued).Primal(it.W)
}

// scores returns a function that computes the part scores of validation example i at an iterate.
func (e *evaluator) scores(it solvers.Iterate) func(theta []float64, i int) []float64 {
	if it.Scores != nil {
		return func(_ []float64, i int) []float64 { return it.Scores(i) }
	}
	return e.task.Scores(it.W)
}

// dual returns a lower bound on the minimum of the objective P: the solver's own bound or, if it has none, a bound that
// follows from the weights w. During annealing the solver works with λ instead of the target λ_target. The solver's
// dual point also gives a bound for the problem with λ_target, because three quantities of the point do not depend on
// λ: its entropy, its costs and the vector λ·w (see solvers.Session). With the solver's dual value D_λ, the bound is
//
//	D_target = D_λ + λ/2 |w|² − (λ w)²/(2 λ_target).
//
// The bound that follows from w alone is P(w) − |∇P(w)|²/2λ. When a run diverges, both terms are huge, and the rounding
// error of their difference may exceed min P. Therefore a bound on the rounding error is subtracted.
func (e *evaluator) dual(it solvers.Iterate, lambda, primal float64) float64 {
	if it.Dual == nil {
		if it.W == nil {
			return math.NaN()
		}
		const rounding = 1e-12
		bound := e.problem.(valued).Bound(it.W)
		return bound - rounding*(math.Abs(primal)+math.Abs(primal-bound))
	}
	d := it.Dual()
	risk, ok := e.problem.(*models.Risk)
	if !ok || lambda == risk.Lambda {
		return d
	}
	var norm float64
	for _, x := range it.W {
		norm += x * x
	}
	return d + lambda/2*norm*(1-lambda/risk.Lambda)
}
