package solvertest_test

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// gibbs is a correct solver for the tests of the suite, so that the tests do not depend on a solver of the catalogue.
// With τ = Temp and κ = Margin of models.Loss, it maximises the dual over products of Gibbs distributions α_i(y) ∝
// exp(s_i·1_y) with marginals μ_i, one example at a time:
//
//	D(α) = 1/n Σ_i [τ H(α_i) + κ cost_i·μ_i] − λ/2 |w|²,   w = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i)
//	s_i ← s_i + η_i (κ cost_i + A_i w − τ s_i)
//
// The rate η_i of example i is 1/2 at first. It is halved until D does not decrease, and multiplied by 1.05 after a
// step. Each trial of a rate computes the whole D.
type gibbs struct {
	forgets bool // whether the iterates' State leaves out the rates, which is a fault
}

func (gibbs) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth | solvers.Hinge | solvers.Perceptron, Oracles: solvers.Exp,
		PartLoss: true}
}

func (g gibbs) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.OneSession(g, p, env)
}

func (g gibbs) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	if err := solvers.Missing(g, p); err != nil {
		return nil, err
	}
	env.Enter("setup")
	defer env.Enter("")
	n := len(p.Examples)
	s := &gibbsSession{gibbs: g, p: p, env: env, lambda: p.Lambda, Layout: dualspace.NewLayout(p),
		visits: dualspace.NewOrder("random", n, env.Seed, 1), term: make([]float64, n), eta: make([]float64, n),
		w: make([]float64, p.Dim), before: make([]float64, p.Dim)}
	s.score, s.mu = s.Zeros(), s.Zeros()
	s.Scratch(&s.step, &s.trial, &s.trialMu, &s.diff)
	for i := range p.Examples {
		s.eta[i] = 0.5
		s.term[i] = s.marginals(i, s.Of(s.mu, i), s.Of(s.score, i))
	}
	s.Weights(s.w, s.lambda, p, s.mu, s.diff)
	return s, nil
}

// gibbsSession is the session of gibbs.
type gibbsSession struct {
	gibbs
	p      *models.Risk
	env    solvers.Env
	lambda float64
	dualspace.Layout
	visits    dualspace.Order
	score, mu []float64 // part scores s_i and marginals μ_i of all examples
	term      []float64 // for each i, the term τ H(α_i) + κ cost_i·μ_i of the dual
	eta       []float64
	w, before []float64

	step, trial, trialMu, diff []float64 // working memory of a visit
}

func (s *gibbsSession) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		resumed, err := s.env.Resumed(s.carry)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if !resumed {
			dualspace.Scale(s.w, s.lambda/lambda)
			s.lambda = lambda
		}
		due := dualspace.NewCadence(s.visits.N)
		for {
			if !yield(solvers.Iterate{W: s.w, Epoch: s.visits.Epochs(), Dual: s.dual, State: s.carry}, nil) {
				return
			}
			for more := true; more; more = !due.Yields(s.visits.Done) {
				if s.env.Interrupted(yield) {
					return
				}
				s.visit(s.visits.Next())
			}
		}
	}
}

func (s *gibbsSession) carry(to *solvers.State) {
	to.Carry(&s.lambda, &s.score, &s.mu, &s.term, &s.w)
	s.visits.Carry(to)
	if !s.forgets {
		to.Carry(&s.eta)
	}
}

func (s *gibbsSession) dual() float64 {
	return dualspace.Sum(s.term)/float64(len(s.term)) - s.lambda/2*dualspace.Dot(s.w, s.w)
}

// marginals writes the marginals of example i at the given scores into mu, by a call of the exp-oracle. It returns the
// example's term of the dual.
func (s *gibbsSession) marginals(i int, mu, score []float64) float64 {
	e := &s.p.Examples[i]
	term := s.p.Loss.Temp * (e.Exp.LogSum(mu, score) - dualspace.Dot(score, mu))
	for r, c := range e.Cost {
		term += s.p.Loss.Margin * c * mu[r]
	}
	return term
}

// visit makes a step on example i.
func (s *gibbsSession) visit(i int) {
	e, score, mu := &s.p.Examples[i], s.Of(s.score, i), s.Of(s.mu, i)
	step, trial, trialMu, diff := s.step[:len(mu)], s.trial[:len(mu)], s.trialMu[:len(mu)], s.diff[:len(mu)]
	e.Features.Score(step, s.w)
	for r := range step {
		step[r] -= s.p.Loss.Temp * score[r]
	}
	for r, c := range e.Cost {
		step[r] += s.p.Loss.Margin * c
	}
	copy(s.before, s.w)
	last, term := s.dual(), s.term[i]
	for range 40 {
		for r := range trial {
			trial[r] = score[r] + s.eta[i]*step[r]
		}
		s.term[i] = s.marginals(i, trialMu, trial)
		for r := range diff {
			diff[r] = mu[r] - trialMu[r]
		}
		e.Features.AddAdjoint(s.w, 1/(s.lambda*float64(s.visits.N)), diff)
		if s.dual() >= last-1e-14*(1+math.Abs(last)) {
			copy(score, trial)
			copy(mu, trialMu)
			s.eta[i] = min(1.05*s.eta[i], 1e6)
			return
		}
		copy(s.w, s.before)
		s.eta[i] /= 2
	}
	s.term[i] = term // no trial has improved the dual, so the example is optimal up to rounding
	s.eta[i] = 0.5
}
