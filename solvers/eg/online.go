package eg

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// egOnline is the online method (figures 2 and 3). It makes a step on one example at a time, and updates w after each
// step.
type egOnline struct {
	*egState
	updates  dualspace.Order // over the whole session
	adaptive bool
	tol      float64 // largest decrease of nD that may be a rounding error
	visits   int     // number of trials
	again    int     // number of updates that needed more than one trial
}

func newEGOnline(st *egState, e *Solver) *egOnline {
	return &egOnline{egState: st, updates: dualspace.NewOrder(e.Order, len(st.p.Examples), st.env.Seed,
		dualspace.StreamEG), adaptive: e.Rate == "adaptive"}
}

// Run implements Session.
func (o *egOnline) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		due := dualspace.NewCadence(len(o.p.Examples))
		resumed, err := o.env.Resumed(o.carry)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if !resumed {
			o.setLambda(lambda)
			o.tol = egTol * (1 + math.Abs(o.dual()))
		}
		if !yield(o.iterate(), nil) {
			return
		}
		for !o.env.Interrupted(yield) {
			o.next(o.tol)
			if due.Refreshes(o.updates.Done) {
				o.refresh()
			}
			if due.Yields(o.updates.Done) && !yield(o.iterate(), nil) {
				return
			}
		}
	}
}

// carry saves or loads the state that later visits depend on.
func (o *egOnline) carry(to *solvers.State) {
	o.egState.carry(to)
	o.updates.Carry(to)
	to.Carry(&o.tol, &o.visits, &o.again)
}

// next makes the next visit, and prefetches memory for later visits.
func (o *egOnline) next(tol float64) {
	i := o.updates.Next()
	if soon, later, ok := o.updates.Ahead(); ok {
		o.fetch(soon, later)
	}
	o.update(i, tol)
}

// update makes one visit. If the rate is adaptive, it halves the rate until the dual improves.
func (o *egOnline) update(i int, tol float64) {
	o.direction(i)
	if !o.adaptive {
		o.visits++
		value, _ := o.try(i, o.eta[i])
		o.accept(i, value)
		return
	}
	rate := o.eta[i]
	for trial := range egTrials {
		o.visits++
		value, change := o.try(i, o.eta[i])
		if change >= -tol {
			o.accept(i, value)
			o.eta[i] = min(egGrowth*o.eta[i], egLargest)
			if trial > 0 {
				o.again++
			}
			return
		}
		o.eta[i] /= 2
	}
	o.eta[i] = rate // no rate improves the dual beyond rounding, so the example does not change
	o.again++
}

func (o *egOnline) iterate() solvers.Iterate {
	return solvers.Iterate{
		W:     o.w,
		Epoch: o.updates.Epochs(),
		Dual:  o.dual,
		State: o.carry,
		Stats: func(yield func(string, float64)) {
			yield("eta_mean", dualspace.Sum(o.eta)/float64(len(o.eta)))
			if updates := o.updates.Done; updates > 0 {
				yield("retried", float64(o.again)/float64(updates)) // share of updates with more than one trial
			}
		},
	}
}
