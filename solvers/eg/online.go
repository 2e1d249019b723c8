package eg

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// egOnline is the online method of EG (Collins et al. 2008, figures 2 and 3). It makes a step on one example at a time,
// and updates w after each step.
type egOnline struct {
	*egState
	batches  dualspace.Batches
	updates  dualspace.Order // order and number of the updates of the whole session
	adaptive bool
	tol      float64 // largest decrease of n times the dual that may be a rounding error
	visits   int     // number of trials of a rate so far
	again    int     // number of updates so far that needed more than one trial
}

func newEGOnline(st *egState, e *Solver) *egOnline {
	st.addSlots(max(1, e.Minibatch) - 1)
	return &egOnline{egState: st, batches: dualspace.Batches{Size: len(st.slots), InBlocks: st.p.InBlocks},
		updates: dualspace.NewOrder(e.Order, len(st.p.Examples), st.env.Seed,
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
			o.batches.Next(&o.updates, due.Next(o.updates.Done), o)
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

// Prepare implements dualspace.Visitor. It makes the first trial, and prefetches memory for later visits.
func (o *egOnline) Prepare(slot, i int) {
	if o.batches.Size == 1 {
		if soon, later, ok := o.updates.Ahead(); ok {
			o.fetch(soon, later)
		}
	}
	v := o.slots[slot]
	o.direction(v, i)
	o.try(v, i, o.eta[i])
}

// Step implements dualspace.Visitor. If the rate is adaptive, it halves the rate until the dual improves. If the
// direction is stale (computed at an older w), a trial may also fail because of the direction. So the next trial uses a
// new direction and the same rate.
func (o *egOnline) Step(slot, i, _ int) {
	v := o.slots[slot]
	o.visits++
	if !o.adaptive {
		o.accept(v, i)
		return
	}
	stale := v.moves != o.moves
	o.renew(v, i)
	rate := o.eta[i]
	for trial := range egTrials {
		if trial > 0 {
			if stale {
				o.direction(v, i)
				stale = false
			} else {
				o.eta[i] /= 2
			}
			o.visits++
			o.try(v, i, o.eta[i])
		}
		if v.change >= -o.tol {
			o.accept(v, i)
			o.eta[i] = min(egGrowth*o.eta[i], egLargest)
			if trial > 0 {
				o.again++
			}
			return
		}
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
				yield("retried", float64(o.again)/float64(updates)) // the share of updates with more than one trial
			}
		},
	}
}
