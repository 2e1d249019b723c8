package eg

import (
	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// egState is the dual point of EG: the part scores s_i and marginals μ_i of each example, and the w that the marginals
// define. The comment of Solver defines the symbols.
type egState struct {
	p                *models.Risk
	env              solvers.Env
	lambda           float64
	dualspace.Layout           // layout of score and mu
	score            []float64 // the part scores s_i
	mu               []float64 // the marginals μ_i
	terms            []float64 // the terms τ H(α_i) + κ cost_i·μ_i of the dual
	eta              []float64 // the rates η_i
	examples         []egExample
	w                []float64 // the weights w(α) for λ = lambda

	moves    int        // number of visits so far that changed w
	slots    []*egVisit // working memory of each visit of a minibatch
	*egVisit            // slots[0], for visits without a minibatch
}

// egVisit is the working memory of one visit: a direction, and the last trial of a rate along this direction. Each
// vector has room for the largest number of parts of an example.
type egVisit struct {
	theta          []float64         // the part scores A w
	gradient       []float64         // direction of the step in the scores: κ cost + A w − τ s
	trial, trialMu []float64         // part scores s' and marginals μ' of the trial
	diff           []float64         // change of the marginals, μ − μ'
	adjoint        dualspace.Adjoint // computes and stores Aᵀ diff

	moves   int     // value of egState.moves when theta was computed
	value   float64 // dual term of the trial, τ H' + κ cost·μ'
	product float64 // (A w)·diff
	change  float64 // change of the dual by the trial, times n
}

// egExample contains the data of an example that visits read, except its dual variables, in one place in memory.
type egExample struct {
	dualspace.Features
	exp  models.ExpOracle
	cost []float64
}

// newEGState returns the state with scores s_i = peak·1_{y_i}. With peak 0, the distributions are uniform. newEGState
// calls the exp-oracle once for each example.
func newEGState(p *models.Risk, env solvers.Env, peak, eta float64) *egState {
	n := len(p.Examples)
	st := &egState{p: p, env: env, lambda: p.Lambda, Layout: dualspace.NewLayout(p), terms: make([]float64, n),
		eta: make([]float64, n), examples: make([]egExample, n), w: make([]float64, p.Dim)}
	st.score, st.mu = st.Zeros(), st.Zeros()
	st.addSlots(1)
	st.egVisit = st.slots[0]
	for i := range p.Examples {
		e := &p.Examples[i]
		st.examples[i] = egExample{dualspace.NewFeatures(e.Features), e.Exp, e.Cost}
		st.eta[i] = eta
		s, mu := st.parts(i)
		for _, r := range e.Truth {
			s[r] = peak
		}
		st.terms[i] = st.dualTerm(i, s, mu)
	}
	st.refresh()
	return st
}

// addSlots allocates working memory for n more visits.
func (st *egState) addSlots(n int) {
	for range n {
		v := new(egVisit)
		st.Scratch(&v.theta, &v.gradient, &v.trial, &v.trialMu, &v.diff)
		st.slots = append(st.slots, v)
	}
}

// carry saves or loads the state that updates depend on.
func (st *egState) carry(to *solvers.State) {
	to.Carry(&st.lambda, &st.score, &st.mu, &st.terms, &st.eta, &st.w)
}

// parts returns the scores s_i and the marginals μ_i of example i, as subslices of score and mu.
func (st *egState) parts(i int) (score, mu []float64) {
	return st.Of(st.score, i), st.Of(st.mu, i)
}

// dualTerm calls the exp-oracle of example i. It writes the marginals at the scores s into mu, and returns the
// example's term of the dual, τ H + κ cost·μ (see Solver).
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

// refresh recomputes w from the marginals, to remove the rounding errors of many updates.
func (st *egState) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.mu, st.diff)
}

// setLambda changes λ without changing the distributions, so λ·w does not change.
func (st *egState) setLambda(lambda float64) {
	if lambda == st.lambda {
		return
	}
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
}

// dual returns the dual value D(α), computed from the terms of all examples.
func (st *egState) dual() float64 {
	return dualspace.Sum(st.terms)/float64(len(st.terms)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}

// direction writes the step of the part scores at rate 1, κ cost + A w − τ s (see Solver), into v.gradient, and the
// scores A w into v.theta.
func (st *egState) direction(v *egVisit, i int) {
	e, loss := &st.examples[i], st.p.Loss
	s, _ := st.parts(i)
	theta := v.theta[:len(s)]
	e.Score(theta, st.w)
	v.moves = st.moves
	g := v.gradient[:len(s)]
	for r, x := range theta {
		g[r] = x - loss.Temp*s[r]
	}
	if loss.Margin != 0 {
		for r, c := range e.cost {
			g[r] += loss.Margin * c
		}
	}
}

// try computes the step on example i with rate eta, and does not change the state. It writes the new scores and
// marginals into v.trial and v.trialMu, the old minus the new marginals into v.diff, the new dual term into v.value,
// and n times the change of the dual into v.change. Call direction(v, i) before.
func (st *egState) try(v *egVisit, i int, eta float64) {
	s, mu := st.parts(i)
	trial, trialMu, diff := v.trial[:len(s)], v.trialMu[:len(s)], v.diff[:len(s)]
	for r, g := range v.gradient[:len(s)] {
		trial[r] = s[r] + eta*g
	}
	v.value = st.dualTerm(i, trial, trialMu)
	for r, m := range mu {
		diff[r] = m - trialMu[r]
	}
	n := float64(len(st.examples))
	v.product = dualspace.Dot(v.theta[:len(s)], diff)
	v.change = v.value - st.terms[i] - v.product - st.examples[i].NormSq(&v.adjoint, diff)/(2*st.lambda*n)
}

// renew recomputes v.change, n times the change of the dual by the last trial, for the present w, if w has changed
// since direction was called.
func (st *egState) renew(v *egVisit, i int) {
	if v.moves == st.moves {
		return
	}
	e, parts := &st.examples[i], st.Start[i+1]-st.Start[i]
	now := e.Product(&v.adjoint, v.diff[:parts], st.w, v.theta[:parts])
	v.change += v.product - now
	v.product, v.moves = now, st.moves
}

// accept makes the step of the last trial: example i gets the scores and marginals of the trial, and w changes.
func (st *egState) accept(v *egVisit, i int) {
	s, mu := st.parts(i)
	copy(s, v.trial)
	copy(mu, v.trialMu)
	st.terms[i] = v.value
	c := 1 / (st.lambda * float64(len(st.examples)))
	st.examples[i].AddTo(&v.adjoint, st.w, c, v.diff[:len(s)])
	st.moves++
}

// fetch prefetches memory for later visits. For the example with index later, it prefetches the pointers to its row and
// dual variables. For the example with index soon, it prefetches the row and the dual variables themselves.
func (st *egState) fetch(soon, later int) {
	prefetch.Value(&st.examples[later])
	prefetch.Slice(st.Start[later : later+2])
	prefetch.Value(&st.terms[soon])
	prefetch.Value(&st.eta[soon])
	s, mu := st.parts(soon)
	prefetch.Slice(s)
	prefetch.Slice(mu)
	st.examples[soon].Fetch()
}
