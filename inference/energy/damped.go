package energy

import (
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
)

// Damped is a variant of RDA with a safeguard, for energies that are not convex or whose gradient is not bounded.
// Vilnis et al. 2015 refer to their appendix C for such a method; the derivation here is ours. Problem defines F, L, H,
// θ and MARG. From ḡ_0 = 0 and μ_0 = MARG(θ),
//
//	ḡ_t = (1 − ρ)ḡ_{t−1} + ρ∇L(μ_{t−1}),   θ_t = θ − ḡ_t,   μ_t = MARG(θ_t)
//
// With ρ = η/(1 + η), μ_t minimises −H(μ) − θ·μ + ∇L(μ_{t−1})·μ + B(μ, μ_{t−1})/η, where B is the Bregman divergence of
// −H. A step is accepted if the directional derivative of F along the step is not positive at its end. As the gradient
// of −H at μ_t is θ_t, the condition is
//
//	(∇L(μ_t) − ḡ_t)·(μ_t − μ_{t−1}) ≤ 0
//
// The condition holds if L is 1/η-smooth relative to −H. If L is convex, F then falls along the whole step, in total by
// at least B(μ_{t−1}, μ_t). If L is not convex, the step is accepted only if F is also lower at its end. If the step is
// not accepted, ρ is halved and the step is tried again. If the first trial of a step is accepted, η is doubled, at
// most to the value of η for ρ = Rho.
//
// At a kink of L it is possible that no ρ is small enough. So a run ends when ρ is below 1e-9. RDA has no such problem,
// since it averages the gradients on both sides of a kink.
//
// A trial costs one oracle call and one gradient of L. If L is not convex, it also costs one value of L.
type Damped struct {
	Rho      float64 // the first and the largest weight ρ of a step, 0 < ρ ≤ 1
	MaxCalls int     // largest number of oracle calls, including the call for the base model's marginals
	Tol      float64 // stop if no marginal changes by more than Tol·ρ; then |MARG(θ − ∇L(μ)) − μ|_∞ is at most about Tol
}

const (
	smallestRho = 1e-9
	// roundingOfF bounds the rounding error of F, relative to the size of its terms.
	roundingOfF = 1e-13
)

var _ Stepwise = Damped{}

// Supports implements Inference.
func (d Damped) Supports(p *Problem) error {
	if !(d.Rho > 0 && d.Rho <= 1) {
		return fmt.Errorf("energy: damped: rho is %v: want 0 < rho ≤ 1", d.Rho)
	}
	return p.checkCap("damped", d.MaxCalls, d.Tol)
}

// Run implements Inference.
func (d Damped) Run(p *Problem) iter.Seq[Iterate] { return run(d, p) }

// Begin implements Stepwise.
func (d Damped) Begin(p *Problem) Iterate {
	if err := d.Supports(p); err != nil {
		panic(err.Error())
	}
	p.begin()
	p.trialGradient, p.trialMean = scratch.Grow(p.trialGradient, len(p.Theta)), scratch.Grow(p.trialMean, len(p.Theta))
	p.rate, p.trialRate, p.started, p.retried = d.Rho, d.Rho, false, false
	return p.iterate(p.mu, p.rate)
}

// Done implements Stepwise.
func (d Damped) Done(p *Problem) bool {
	return p.settled(d.MaxCalls, d.Tol*p.rate) || p.trialRate < smallestRho
}

// Step implements Stepwise.
func (d Damped) Step(p *Problem) Iterate {
	if !p.started {
		p.started = true
		p.differentiate(p.gradient, p.mu)
		if !p.convex {
			p.value = p.Energy.Value(p.mu)
		}
	}
	if !p.tryStep(p.trialRate) {
		p.tilt(p.mean, 1) // restore p.tilted, which the failed trial has overwritten
		p.trialRate /= 2
		p.retried = true
		return p.iterate(p.mu, p.rate)
	}
	p.rate = p.trialRate
	if !p.retried {
		p.trialRate = min(2*p.rate/(1+p.rate), d.Rho)
	}
	p.retried = false
	return p.iterate(p.mu, p.rate)
}

// tryStep tries step t with the weight rho (see Damped). If the step is accepted, tryStep makes μ_t the current
// marginals and returns true. p.gradient must be ∇L(μ_{t−1}).
func (p *Problem) tryStep(rho float64) bool {
	for r, g := range p.gradient[:p.lead] {
		p.trialMean[r] = p.mean[r] + rho*(g-p.mean[r])
	}
	p.tilt(p.trialMean, 1)
	logZ := p.Oracle.LogSum(p.next, p.tilted)
	p.calls++
	p.differentiate(p.trialGradient, p.next)
	var slope float64
	for r, g := range p.trialGradient[:p.lead] {
		slope += (g - p.trialMean[r]) * (p.next[r] - p.mu[r])
	}
	if !(slope <= 0) {
		return false
	}
	if !p.convex { // for an energy that is not convex, F must not increase
		// Problem defines F, L, H and ḡ. H = log Z − μ·(θ − ḡ), so F = −H − θ·μ + L = L − log Z − μ·ḡ.
		value := p.Energy.Value(p.next)
		before, after := dot(p.mean[:p.lead], p.mu), dot(p.trialMean[:p.lead], p.next)
		size := 1 + math.Abs(p.value) + math.Abs(p.logZ) + math.Abs(before)
		if !(value-logZ-after <= p.value-p.logZ-before+roundingOfF*size) {
			return false
		}
		p.value = value
	}
	p.logZ = logZ
	p.mean, p.trialMean = p.trialMean, p.mean
	p.gradient, p.trialGradient = p.trialGradient, p.gradient
	p.advance()
	return true
}
