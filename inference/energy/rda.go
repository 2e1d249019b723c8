package energy

import (
	"fmt"
	"iter"
	"math"
)

// RDA is Bethe-RDA (Vilnis et al. 2015, algorithm 1): regularised dual averaging (Xiao 2010), where one call of the
// base model's exp-oracle is the projection. Problem defines F, L, θ and MARG. From ḡ_0 = 0 and μ_0 = MARG(θ), for t =
// 1, 2, ...
//
//	ḡ_t = ((t − 1)/t) ḡ_{t−1} + (1/t) ∇L(μ_{t−1}),   θ_t = θ − (t/(t + β)) ḡ_t,   μ_t = MARG(θ_t)
//
// where β ≥ 0 is a constant. For β = 0, RDA is a damped fixed-point iteration for the equation θ* = θ − ∇L(μ*)
// (proposition 1 of Vilnis et al. 2015): step t gives the new gradient the weight 1/t. For convex L the averages (μ_1 +
// ... + μ_t)/t have suboptimality O(ln(t)/t) (proposition 4 there). Prediction uses the last θ_t. There is no
// safeguard: if the gradient of the energy is unbounded, the first step may end far from the optimum. Then use Damped.
//
// A step costs one oracle call and one gradient of L. If L is convex and β = 0, it also costs one value of L, for the
// lower bound of F from the mean of the tangents.
type RDA struct {
	Beta     float64 // the constant β ≥ 0 in the factor t/(t + β) of step t (see RDA)
	MaxCalls int     // largest number of oracle calls, including the call for the base model's marginals
	// Tol ends the run if no marginal changes by more than Tol in a step. The steps shrink as 1/t, so a small change alone
	// does not prove convergence.
	Tol float64
}

var _ Stepwise = RDA{}

// Supports implements Inference.
func (a RDA) Supports(p *Problem) error {
	if !(a.Beta >= 0) || math.IsInf(a.Beta, 1) {
		return fmt.Errorf("energy: rda: beta is %v: want 0 or a positive finite number", a.Beta)
	}
	return p.checkCap("rda", a.MaxCalls, a.Tol)
}

// Run implements Inference.
func (a RDA) Run(p *Problem) iter.Seq[Iterate] { return run(a, p) }

// Begin implements Stepwise.
func (a RDA) Begin(p *Problem) Iterate {
	if err := a.Supports(p); err != nil {
		panic(err.Error())
	}
	p.begin()
	p.intercept = 0
	return p.iterate(p.average, 1)
}

// Done implements Stepwise.
func (a RDA) Done(p *Problem) bool { return p.settled(a.MaxCalls, a.Tol) }

// Step implements Stepwise.
func (a RDA) Step(p *Problem) Iterate {
	t := float64(p.step + 1)
	p.mix(p.mu, 1/t)
	bounded := p.convex && a.Beta == 0
	if bounded {
		p.intercept += (p.Energy.Value(p.mu) - dot(p.gradient[:p.lead], p.mu) - p.intercept) / t
	}
	p.tilt(p.mean, t/(t+a.Beta))
	p.infer(1 / t)
	if bounded {
		p.bound = p.intercept - p.logZ
	}
	return p.iterate(p.average, 1/t)
}
