package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// sdcaState is the dual point of SDCA: for each example, the marginals of its distribution α_i and a lower bound on the
// entropy of α_i. The comment of SDCA defines the symbols.
type sdcaState struct {
	p      *models.Risk
	lambda float64
	dualspace.Layout
	mu       []float64 // the marginals μ_i
	entropy  []float64 // h_i, the lower bounds on the entropies
	cost     []float64 // κ cost_i·μ_i, the expected label losses times κ; nil for a loss without a margin
	examples []sdcaExample
	w        []float64 // the weights w(α) for λ = lambda

	moves      int          // number of visits so far that changed α
	slots      []*sdcaVisit // working memory of each visit of a batch
	*sdcaVisit              // slots[0], for visits without a batch
}

// sdcaVisit is the working memory of one visit. The comment of SDCA defines the symbols. Each vector has room for the
// largest number of parts of an example.
type sdcaVisit struct {
	score, to, diff []float64         // the scores s, the marginals μ̂ of α̂, and their difference μ̂ − μ_i
	mixed, log      []float64         // (1 − γ) μ + γ μ̂ for the γ that newton tries, and its logarithms
	adjoint         dualspace.Adjoint // computes and stores A_iᵀ(μ̂ − μ_i)

	at      int     // value of sdcaState.moves when score was computed
	logZ    float64 // log-partition, log Σ_y exp(s·1_y)
	product float64 // (A w)·(μ̂ − μ) at the w of s; computed only for a batch of several visits
	slope   float64 // s·(μ̂ − μ_i), the derivative of the expected score along the step
	there   float64 // s·μ̂, the expected score at the marginals μ̂
	gap     float64 // the example's gap G_i before the step
	q, c    float64 // Q and c in the formula for the change of the dual D~
	step    float64 // γ, the length of the step
}

// sdcaExample contains the data of an example that visits read, except its dual variables, in one place in memory.
type sdcaExample struct {
	dualspace.Features
	exp   models.ExpOracle
	cost  []float64
	parts sdcaParts
}

// sdcaParts is the kind of an example's marginals. It determines what can be computed from the marginals, such as the
// entropy of α_i.
type sdcaParts uint8

const (
	sdcaCounts     sdcaParts = iota // expected counts, if a labelling may contain a part several times; or unknown kind
	sdcaIndicators                  // probabilities that a labelling has the part
	sdcaLabellings                  // probabilities of the labellings, if each labelling is one part
)

// newSDCAState returns the state whose distributions have probability 1 on the true labellings. If uniform is true, it
// returns the state of uniform distributions, which costs one call of the exp-oracle for each example. A batch has at
// most minibatch visits.
func newSDCAState(p *models.Risk, uniform bool, minibatch int) *sdcaState {
	n := len(p.Examples)
	st := &sdcaState{p: p, lambda: p.Lambda, Layout: dualspace.NewLayout(p), entropy: make([]float64, n),
		examples: make([]sdcaExample, n), w: make([]float64, p.Dim)}
	st.mu = st.Zeros()
	for range minibatch {
		v := new(sdcaVisit)
		st.Scratch(&v.score, &v.to, &v.diff, &v.mixed, &v.log)
		st.slots = append(st.slots, v)
	}
	st.sdcaVisit = st.slots[0]
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

// sdcaPartsOf returns the kind of an example's marginals. An example has a polytope only if its marginals are
// probabilities. Each labelling is one part if the equalities of the polytope hold for the indicator 1_r of every part
// r. The equalities are linear. So instead of each 1_r, sdcaPartsOf tests only one weighted mean of all 1_r; its
// weights are so irregular that violations do not cancel.
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

// marginals returns the marginals μ_i of example i, as a subslice of mu.
func (st *sdcaState) marginals(i int) []float64 { return st.Of(st.mu, i) }

// fetch prefetches memory for later visits. For the example with index later, it prefetches the pointers to its row and
// marginals. For the example with index soon, it prefetches the row and the marginals themselves.
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

// refresh recomputes w from the marginals, to remove the rounding errors of many steps.
func (st *sdcaState) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.mu, st.diff)
}

// setLambda changes λ without changing the distributions, so λ·w does not change.
func (st *sdcaState) setLambda(lambda float64) {
	if lambda != st.lambda {
		dualspace.Scale(st.w, st.lambda/lambda)
		st.lambda = lambda
	}
}

// dual returns D~, the lower bound on the dual (see SDCA), computed from the terms of all examples.
func (st *sdcaState) dual() float64 {
	return (st.p.Loss.Temp*dualspace.Sum(st.entropy)+dualspace.Sum(st.cost))/float64(
		len(st.entropy)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}
