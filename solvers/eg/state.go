package eg

import (
	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// egState is the dual point of EG: the part scores s_i and marginals μ_i of each example, and the w that they define.
type egState struct {
	p                *models.Risk
	env              solvers.Env
	lambda           float64
	dualspace.Layout           // layout of score and mu
	score            []float64 // s_i
	mu               []float64 // μ_i
	value            []float64 // τ H(α_i) + κ cost_i·μ_i
	eta              []float64 // η_i
	examples         []egExample
	w                []float64 // w(α) at lambda

	// working memory of a visit, as long as the largest example
	theta, gradient, trial, trialMu, diff []float64
	adjoint                               dualspace.Adjoint // Aᵀ diff of the last trial
}

// egExample contains the data of an example that visits read, except its dual variables, in one place in memory.
type egExample struct {
	dualspace.Features
	exp  models.ExpOracle
	cost []float64
}

// newEGState returns the state at s_i = peak·1_{y_i}; with peak 0 these are uniform distributions. It calls the
// exp-oracle once for each example.
func newEGState(p *models.Risk, env solvers.Env, peak, eta float64) *egState {
	n := len(p.Examples)
	st := &egState{p: p, env: env, lambda: p.Lambda, Layout: dualspace.NewLayout(p), value: make([]float64, n),
		eta: make([]float64, n), examples: make([]egExample, n), w: make([]float64, p.Dim)}
	st.score, st.mu = st.Zeros(), st.Zeros()
	st.Scratch(&st.theta, &st.gradient, &st.trial, &st.trialMu, &st.diff)
	for i := range p.Examples {
		e := &p.Examples[i]
		st.examples[i] = egExample{dualspace.NewFeatures(e.Features), e.Exp, e.Cost}
		st.eta[i] = eta
		s, mu := st.parts(i)
		for _, r := range e.Truth {
			s[r] = peak
		}
		st.value[i] = st.dualTerm(i, s, mu)
	}
	st.refresh()
	return st
}

// carry saves or loads the state that updates depend on.
func (st *egState) carry(to *solvers.State) {
	to.Carry(&st.lambda, &st.score, &st.mu, &st.value, &st.eta, &st.w)
}

// parts returns s_i and μ_i.
func (st *egState) parts(i int) (score, mu []float64) {
	return st.Of(st.score, i), st.Of(st.mu, i)
}

// dualTerm calls the exp-oracle. It writes the marginals of the scores s into mu, and returns τ H + κ cost·μ.
func (st *egState) dualTerm(i int, s, mu []float64) float64 {
	e, loss := &st.examples[i], st.p.Loss
	logZ := e.exp.LogSum(mu, s)
	var v float64
	if loss.Temp > 0 {
		v = loss.Temp * (logZ - dualspace.Dot(s, mu))
	}
	if loss.Margin != 0 && e.cost != nil {
		v += loss.Margin * dualspace.Dot(e.cost, mu)
	}
	return v
}

// refresh computes w anew from the marginals, to remove the rounding errors of many updates.
func (st *egState) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.mu, st.diff)
}

// setLambda changes λ and keeps the distributions, so λ·w does not change.
func (st *egState) setLambda(lambda float64) {
	if lambda == st.lambda {
		return
	}
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
}

// dual returns D(α), computed from the terms of all examples.
func (st *egState) dual() float64 {
	return dualspace.Sum(st.value)/float64(len(st.value)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}

// direction writes κ cost + A w − τ s, the step of the part scores at rate 1, into st.gradient, and A w into st.theta.
func (st *egState) direction(i int) {
	e, loss := &st.examples[i], st.p.Loss
	s, _ := st.parts(i)
	theta := st.theta[:len(s)]
	e.Score(theta, st.w)
	g := st.gradient[:len(s)]
	for r, x := range theta {
		g[r] = x - loss.Temp*s[r]
	}
	if loss.Margin != 0 {
		for r, c := range e.cost {
			g[r] += loss.Margin * c
		}
	}
}

// try computes the step with rate eta from the present state. It writes the new scores and marginals into st.trial and
// st.trialMu, and μ − μ' into st.diff. It returns the new dual term and n ΔD. Call direction(i) before.
func (st *egState) try(i int, eta float64) (value, change float64) {
	s, mu := st.parts(i)
	trial, trialMu, diff := st.trial[:len(s)], st.trialMu[:len(s)], st.diff[:len(s)]
	for r, g := range st.gradient[:len(s)] {
		trial[r] = s[r] + eta*g
	}
	value = st.dualTerm(i, trial, trialMu)
	for r, m := range mu {
		diff[r] = m - trialMu[r]
	}
	n := float64(len(st.examples))
	change = value - st.value[i] - dualspace.Dot(st.theta[:len(s)], diff) - st.examples[i].NormSq(&st.adjoint,
		diff)/(2*st.lambda*n)
	return value, change
}

// accept makes the last trial the present state.
func (st *egState) accept(i int, value float64) {
	s, mu := st.parts(i)
	copy(s, st.trial)
	copy(mu, st.trialMu)
	st.value[i] = value
	c := 1 / (st.lambda * float64(len(st.examples)))
	st.examples[i].AddTo(&st.adjoint, st.w, c, st.diff[:len(s)])
}

// fetch prefetches memory for later visits: the pointers to the row and the dual variables of example later, and the
// row and the dual variables of example soon.
func (st *egState) fetch(soon, later int) {
	prefetch.Value(&st.examples[later])
	prefetch.Slice(st.Start[later : later+2])
	prefetch.Value(&st.value[soon])
	prefetch.Value(&st.eta[soon])
	s, mu := st.parts(soon)
	prefetch.Slice(s)
	prefetch.Slice(mu)
	st.examples[soon].Fetch()
}
