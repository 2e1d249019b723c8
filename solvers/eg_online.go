package solvers

import (
	"iter"
	"math"
	"math/rand/v2"
)

// egOnline is the online method (figures 2 and 3): one example at a time, w kept up to date after each.
type egOnline struct {
	*egState
	order    string
	adaptive bool
	rng      *rand.Rand
	perm     []int
	updates  int // over the whole session
	visits   int // trials
	again    int // updates that needed more than one trial
}

func newEGOnline(st *egState, e *EG) *egOnline {
	return &egOnline{egState: st, order: e.Order, adaptive: e.Rate == "adaptive", rng: rand.New(rand.NewPCG(e.Seed, streamEG))}
}

// Run implements Session.
func (o *egOnline) Run(lambda float64) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		o.setLambda(lambda)
		n := len(o.p.Examples)
		step := max(1, n/egYields)
		tol := egTol * (1 + math.Abs(o.dual()))
		if !yield(o.iterate(), nil) {
			return
		}
		for {
			o.update(o.next(), tol)
			o.updates++
			at := o.updates % n
			if at == 0 && (o.updates/n)%egRefresh == 0 {
				o.refresh()
			}
			if at%step == 0 && (at == 0 || n-at >= step) {
				if !yield(o.iterate(), nil) {
					return
				}
			}
		}
	}
}

// update is one visit: the rate is halved until the dual improves.
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
	o.eta[i] = rate // no rate improves the dual beyond rounding: the example is passed over
	o.again++
}

// next draws the example of the next update.
func (o *egOnline) next() int {
	n := len(o.p.Examples)
	switch o.order {
	case "cyclic":
		return o.updates % n
	case "permutation":
		if o.updates%n == 0 {
			o.perm = o.rng.Perm(n)
		}
		return o.perm[o.updates%n]
	}
	return o.rng.IntN(n)
}

func (o *egOnline) iterate() Iterate {
	return Iterate{
		W:     o.w,
		Epoch: o.updates / len(o.p.Examples),
		Dual:  o.dual,
		Stats: func(yield func(string, float64)) {
			var sum float64
			for _, eta := range o.eta {
				sum += eta
			}
			yield("eta_mean", sum/float64(len(o.eta)))
			if o.updates > 0 {
				yield("retried", float64(o.again)/float64(o.updates)) // share of updates with more than one trial
			}
		},
	}
}
