package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// sdcaState is the dual point of SDCA: the marginals of each example's distribution, and a lower bound of its entropy.
type sdcaState struct {
	p      *models.Risk
	lambda float64
	dualspace.Layout
	mu       []float64 // μ_i
	entropy  []float64 // h_i
	cost     []float64 // κ cost_i·μ_i; nil for a loss without a margin
	examples []sdcaExample
	w        []float64 // w(α) at lambda

	// scratch of one visit, as long as the largest example
	score, to, diff []float64         // s, μ̂, μ̂ − μ
	mixed, log      []float64         // (1 − γ) μ + γ μ̂ for some γ, and logarithms
	adjoint         dualspace.Adjoint // Aᵀ(μ̂ − μ)
}

// sdcaExample is what visits read of an example, besides its dual variables, in one place.
type sdcaExample struct {
	dualspace.Features
	exp   models.ExpOracle
	cost  []float64
	parts sdcaParts
}

// sdcaParts is the kind of the marginals, which decides what they reveal of the distribution.
type sdcaParts uint8

const (
	sdcaCounts     sdcaParts = iota // expected counts of parts that labellings may repeat, or not known to be more
	sdcaIndicators                  // probabilities that a labelling has the part
	sdcaLabellings                  // probabilities of the labellings, which are one part each
)

// newSDCAState starts from all mass on the true labellings or, with a marginal call per example, from uniform
// distributions.
func newSDCAState(p *models.Risk, uniform bool) *sdcaState {
	n := len(p.Examples)
	st := &sdcaState{p: p, lambda: p.Lambda, Layout: dualspace.NewLayout(p), entropy: make([]float64, n),
		examples: make([]sdcaExample, n), w: make([]float64, p.Dim)}
	st.mu = st.Zeros()
	st.Scratch(&st.score, &st.to, &st.diff, &st.mixed, &st.log)
	if p.Loss.Margin != 0 {
		st.cost = make([]float64, n)
	}
	for i := range p.Examples {
		e, mu := &p.Examples[i], st.marginals(i)
		score := st.score[:len(mu)]
		st.examples[i] = sdcaExample{dualspace.NewFeatures(e.Features), e.Exp, e.Cost, sdcaPartsOf(e, score)}
		if uniform {
			clear(score)
			st.entropy[i] = e.Exp.LogSum(mu, score)
		} else {
			for _, r := range e.Truth {
				mu[r]++
			}
		}
		if st.cost != nil {
			st.cost[i] = p.Loss.Margin * dualspace.Dot(e.Cost, mu)
		}
	}
	if uniform {
		st.refresh()
	}
	return st
}

// sdcaPartsOf relies on the equalities of a polytope, which exists for indicators only. Labellings are one part each if
// the equalities hold for every 1_r alone. As they are linear, a mixture of all 1_r with generic weights decides that.
func sdcaPartsOf(e *models.Example, scratch []float64) sdcaParts {
	switch {
	case e.Polytope == nil:
		return sdcaCounts
	case len(e.Truth) != 1:
		return sdcaIndicators
	}
	var sum float64
	for r := range scratch {
		scratch[r] = math.Sqrt(float64(r + 1))
		sum += scratch[r]
	}
	dualspace.Scale(scratch, 1/sum)
	if e.Polytope.Infeasibility(scratch) > 1e-9 {
		return sdcaIndicators
	}
	return sdcaLabellings
}

func (st *sdcaState) marginals(i int) []float64 { return st.Of(st.mu, i) }

// fetch prefetches what visits will read: of example later what leads to its row and its marginals, of example soon
// these.
func (st *sdcaState) fetch(soon, later int) {
	prefetch.Value(&st.examples[later])
	prefetch.Slice(st.Start[later : later+2])
	prefetch.Value(&st.entropy[soon])
	if st.cost != nil {
		prefetch.Value(&st.cost[soon])
	}
	prefetch.Slice(st.marginals(soon))
	st.examples[soon].Fetch()
}

// refresh recomputes w from the marginals, to shed the rounding of many steps.
func (st *sdcaState) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.mu, st.diff)
}

// setLambda keeps the distributions and so λ·w.
func (st *sdcaState) setLambda(lambda float64) {
	if lambda != st.lambda {
		dualspace.Scale(st.w, st.lambda/lambda)
		st.lambda = lambda
	}
}

// dual returns D~, summed again from the examples' terms.
func (st *sdcaState) dual() float64 {
	return (st.p.Loss.Temp*dualspace.Sum(st.entropy)+dualspace.Sum(st.cost))/float64(
		len(st.entropy)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}
