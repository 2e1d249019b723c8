package eg

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// egBatch is the batch method of EG (Collins et al. 2008, figure 1). The steps of all examples start from the same w
// and have the same rate. An adaptive rate is halved until the dual of all examples improves. Each trial costs n
// visits. An epoch is one accepted step.
type egBatch struct {
	*egState
	adaptive bool
	rate     float64
	epoch    int
	step     []float64 // directions κ cost + A w − τ s (see Solver) of all examples
	newMu    []float64
	newTerms []float64
	change   []float64 // change of w by the last trial
}

func newEGBatch(st *egState, adaptive bool) *egBatch {
	return &egBatch{egState: st, adaptive: adaptive, rate: st.eta[0], step: st.Zeros(),
		newMu: st.Zeros(), newTerms: make([]float64, len(st.terms)), change: make([]float64, len(st.w))}
}

// Run implements Session. The run ends when no rate improves the dual.
func (b *egBatch) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		resumed, err := b.env.Resumed(b.carry)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if !resumed {
			b.setLambda(lambda)
		}
		if !yield(b.iterate(), nil) {
			return
		}
		for {
			for i := range b.p.Examples {
				if b.env.Interrupted(yield) {
					return
				}
				b.direction(b.egVisit, i)
				copy(b.Of(b.step, i), b.gradient)
			}
			if moved := b.advance(); b.env.Interrupted(yield) || !moved {
				return
			}
			b.epoch++
			if b.epoch%dualspace.RefreshEpochs == 0 {
				b.refresh()
			}
			if !yield(b.iterate(), nil) {
				return
			}
		}
	}
}

// carry saves or loads the state that later steps depend on.
func (b *egBatch) carry(to *solvers.State) {
	b.egState.carry(to)
	to.Carry(&b.rate, &b.epoch)
}

// advance makes a step at the first tried rate that does not decrease the dual. It reports whether it found such a
// rate.
func (b *egBatch) advance() bool {
	old := b.dual()
	for range egTrials {
		if b.env.Stopped() {
			break
		}
		b.tryAll()
		improved := b.trialDual() >= old-egTol*(1+math.Abs(old))
		if b.adaptive && !improved {
			b.rate /= 2
			continue
		}
		for r, g := range b.step {
			b.score[r] += b.rate * g
		}
		b.mu, b.newMu = b.newMu, b.mu
		b.terms, b.newTerms = b.newTerms, b.terms
		for j, d := range b.change {
			b.w[j] += d
		}
		if b.adaptive {
			b.rate = min(egGrowth*b.rate, egLargest)
		}
		return true
	}
	return false
}

// tryAll computes the marginals, the dual terms and the change of w for a step of all examples at the present rate.
func (b *egBatch) tryAll() {
	clear(b.change)
	c := 1 / (b.lambda * float64(len(b.p.Examples)))
	for i := range b.p.Examples {
		lo, hi := b.Start[i], b.Start[i+1]
		trial, diff := b.trial[:hi-lo], b.diff[:hi-lo]
		for r := range trial {
			trial[r] = b.score[lo+r] + b.rate*b.step[lo+r]
		}
		b.newTerms[i] = b.dualTerm(i, trial, b.newMu[lo:hi])
		for r := range diff {
			diff[r] = b.mu[lo+r] - b.newMu[lo+r]
		}
		b.p.Examples[i].Features.AddAdjoint(b.change, c, diff)
	}
}

// trialDual returns the dual value D after the step that tryAll has computed.
func (b *egBatch) trialDual() float64 {
	var norm float64
	for j, x := range b.w {
		norm += (x + b.change[j]) * (x + b.change[j])
	}
	return dualspace.Sum(b.newTerms)/float64(len(b.newTerms)) - b.lambda/2*norm
}

func (b *egBatch) iterate() solvers.Iterate {
	return solvers.Iterate{W: b.w, Epoch: b.epoch, Dual: b.dual, State: b.carry,
		Stats: func(yield func(string, float64)) { yield("eta_mean", b.rate) }}
}
