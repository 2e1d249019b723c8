package saddle

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	egrRounding = 1e-12 // largest excess of J_μ over D (see EGR) that may be a rounding error, relative to their terms
	egrDecrease = 0.9   // factor by which an adaptive Lipschitz constant L is multiplied after an iteration
	egrTrials   = 60    // largest number of values of L that one iteration tries
)

// egrPoint contains the point (w_k, μ_k) of an iteration of EGR, and the maximiser α_{μ_k}(w_k) of the smoothed
// problem.
type egrPoint struct {
	w        []float64   // the weights w_k
	mu       float64     // the smoothing parameter μ_k
	gibbs    expectation // expectations of the maximiser α_{μ_k}(w_k)
	smoothed float64     // J_{μ_k}(w_k), the smoothed objective
}

// expectation contains expected values under distributions α over labellings. All of them except the divergence are
// linear in α. The comment of EGR defines the symbols.
type expectation struct {
	features []float64 // F(α), the mean of the expected differences ψ_i
	loss     float64   // ⟨l, α⟩, the mean expected label loss
	// d(α), the mean divergence from the uniform distribution; for a mixture of distributions, the mixture of their
	// divergences, which is an upper bound on d
	divergence float64
}

// mix replaces the expectations e by the mixture (1 − τ) e + τ o with other expectations.
func (e *expectation) mix(o *expectation, tau float64) {
	for j, x := range o.features {
		e.features[j] = (1-tau)*e.features[j] + tau*x
	}
	e.loss = (1-tau)*e.loss + tau*o.loss
	e.divergence = (1-tau)*e.divergence + tau*o.divergence
}

// egrState is the state of EGR, whose comment defines the symbols.
type egrState struct {
	e         *EGR
	p         *models.Risk
	env       solvers.Env
	logLabels float64       // mean log|Y_i|, where |Y_i| is the number of labellings
	lipschitz float64       // L, the Lipschitz constant or its estimate
	now, next egrPoint      // the present point, and the point that an iteration computes
	alpha     expectation   // expectations of α_k, the dual point
	dual      float64       // D(α_k), the dual value
	drift     *egrMarginals // nil if marginals are not stored

	epoch, k int     // epoch: number of iterations so far; k: the index k in the comment of EGR, 1 at each start
	tau      float64 // τ, the weight of the new point in the last iteration
	restarts int     // number of times that the method has started again with a larger L
	rejected int     // number of values of L that were too small
}

func newEGRState(e *EGR, p *models.Risk, env solvers.Env) *egrState {
	s := &egrState{e: e, p: p, env: env, alpha: expectation{features: make([]float64, p.Dim)}}
	for _, at := range []*egrPoint{&s.now, &s.next} {
		at.w, at.gibbs.features = make([]float64, p.Dim), make([]float64, p.Dim)
	}
	if e.Marginals != "none" {
		s.drift = newEGRMarginals(p, e.Marginals == "float32")
	}
	s.env.Enter("setup")
	defer s.env.Enter("")
	s.uniform()
	if e.Lipschitz == "theory" {
		s.lipschitz = e.Scale * dualspace.RadiusSq(p) / p.Lambda
	} else {
		s.lipschitz = p.Lambda * p.NormSq(s.now.w) // |F(α_0)|²/λ ≤ R²/λ
	}
	s.lipschitz = max(s.lipschitz, egrRounding)
	s.start()
	return s
}

// carry saves or loads the state that later iterations depend on.
func (s *egrState) carry(to *solvers.State) {
	for _, e := range []*expectation{&s.now.gibbs, &s.alpha} {
		to.Carry(&e.features, &e.loss, &e.divergence)
	}
	to.Carry(&s.now.w, &s.now.mu, &s.now.smoothed, &s.lipschitz, &s.dual, &s.epoch, &s.k, &s.tau, &s.restarts, &s.rejected)
	if s.drift != nil {
		to.Carry(&s.drift.alpha)
	}
}

// uniform sets w to w(α_0), the first w of EGR, where the distributions α_0 are uniform.
func (s *egrState) uniform() {
	f, w := s.now.gibbs.features, s.now.w
	clear(f)
	clear(w)
	m := s.p.AddExpectations(f, w, models.LogLoss()) // at w = 0, the log loss of example i is log|Y_i|
	s.logLabels = m.Loss
	for j, x := range f {
		w[j] = -x / s.p.Lambda
	}
}

// start runs lines 1 and 2 of algorithm 2 of Zhang, Saha and Vishwanathan (2011) from the w of uniform. It doubles L
// until the excessive-gap condition holds (see excessive).
func (s *egrState) start() {
	s.k, s.tau = 1, 0
	for {
		s.now.mu = s.lipschitz
		s.infer(&s.now)
		clear(s.alpha.features)
		s.alpha.loss, s.alpha.divergence = 0, 0
		s.alpha.mix(&s.now.gibbs, 1)
		if s.drift != nil {
			s.drift.mix(1)
		}
		if s.excessive(&s.now) {
			return
		}
		s.reject()
	}
}

// reject doubles the estimate L of the Lipschitz constant, and counts the rejected value.
func (s *egrState) reject() {
	s.lipschitz *= 2
	s.rejected++
}

// infer computes α_μ(w) and J_μ(w) (see EGR) for the w and μ of a point, by a pass of the exp-oracle.
func (s *egrState) infer(at *egrPoint) {
	g := at.gibbs.features
	clear(g)
	var each func(int, []float64)
	if s.drift != nil {
		each = s.drift.keep
	}
	m := s.p.AddExpectationsOf(g, at.w, models.Loss{Temp: at.mu, Margin: s.p.Loss.Margin}, each)
	for j, x := range g {
		g[j] = -x
	}
	at.gibbs.loss, at.gibbs.divergence = m.Cost, s.logLabels-m.Entropy
	at.smoothed = s.p.Lambda/2*s.p.NormSq(at.w) + m.Loss - at.mu*s.logLabels
}

// excessive reports whether the excessive-gap condition, J_μ(w) ≤ D(α), (11) of Zhang, Saha and Vishwanathan (2011),
// holds up to rounding. J_μ is the smoothed objective, and D is the dual. excessive stores D(α) in dual.
func (s *egrState) excessive(at *egrPoint) bool {
	s.dual = s.alpha.loss - s.p.NormSq(s.alpha.features)/(2*s.p.Lambda)
	size := math.Abs(at.smoothed) + s.alpha.loss + s.p.Lambda*s.p.NormSq(at.w)
	return !(at.smoothed > s.dual+egrRounding*(1+size)) // also true for NaN
}

// step makes one iteration of EGR.
func (s *egrState) step() {
	s.epoch++
	for range egrTrials {
		s.advance(s.stepLength())
		if s.excessive(&s.next) {
			s.now, s.next = s.next, s.now
			s.k++
			if s.e.Lipschitz == "adaptive" {
				s.lipschitz *= egrDecrease
			}
			if s.drift != nil {
				s.drift.mix(s.tau)
			}
			return
		}
		s.reject()
		if s.e.Lipschitz == "theory" { // the setting l_scale is too small, or the bound on R is wrong
			s.restarts++
			s.env.Enter("setup")
			s.uniform()
			s.start()
			s.env.Enter("")
			return
		}
		s.alpha.mix(&s.next.gibbs, -s.tau/(1-s.tau)) // undo the change of α by advance
	}
	s.excessive(&s.now)
}

// stepLength returns the factor τ of the next iteration of EGR.
func (s *egrState) stepLength() float64 {
	if s.e.Lipschitz == "theory" {
		return 2 / float64(s.k+3)
	}
	mu, l := s.now.mu, s.lipschitz // the next line solves (1 − τ) μ = τ² L without cancellation
	return 2 * mu / (mu + math.Sqrt(mu*mu+4*l*mu))
}

// advance computes the next point with the factor τ, and updates the expectations of α.
func (s *egrState) advance(tau float64) {
	s.tau = tau
	now, next := &s.now, &s.next
	for j, w := range now.w {
		mixed := (1-tau)*s.alpha.features[j] + tau*now.gibbs.features[j] // component j of the features F(α̂)
		next.w[j] = (1-tau)*w + tau*mixed/s.p.Lambda
	}
	next.mu = (1 - tau) * now.mu
	s.infer(next)
	s.alpha.mix(&next.gibbs, tau)
}

// exhausted reports whether the bound μ_k mean log|Y_i| on the gap is below the rounding error of the objectives.
func (s *egrState) exhausted() bool {
	return !(s.now.mu*s.logLabels > 1e-15*(math.Abs(s.dual)+math.Abs(s.now.smoothed)))
}

func (s *egrState) iterate() solvers.Iterate {
	at := &s.now
	return solvers.Iterate{W: at.w, Epoch: s.epoch, State: s.carry,
		Dual: func() float64 { return s.dual },
		Stats: func(yield func(string, float64)) {
			yield("k", float64(s.k))
			yield("mu", at.mu)
			yield("tau", s.tau)
			yield("smoothed", at.smoothed)
			yield("bound", at.mu*s.logLabels)
			yield("divergence", s.alpha.divergence)
			yield("log_labels", s.logLabels)
			yield("lipschitz", s.lipschitz)
			yield("restarts", float64(s.restarts))
			yield("rejected", float64(s.rejected))
			if s.drift != nil {
				s.drift.report(s.dual, yield)
			}
		}}
}
