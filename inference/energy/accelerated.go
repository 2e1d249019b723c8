package energy

import (
	"fmt"
	"iter"
	"math"
)

// Accelerated is dual averaging with Nesterov's acceleration, for energies whose gradient is Lipschitz continuous.
// Vilnis et al. 2015 refer to their appendix D for such a method; the derivation here is ours. Problem defines F, L, H,
// θ and MARG. Let ℓ be the Lipschitz constant of ∇L in the 2-norm, and let −H be σ-strongly convex in the 2-norm. From
// w_0 = v_0 = MARG(θ) and ḡ_0 = 0, for t = 1, 2, ...
//
//	ρ = 2/(t + 1),   κ = 4ℓ/(σ t (t + 1)),   u = (1 − ρ)w_{t−1} + ρ v_{t−1}
//	ḡ_t = (1 − ρ)ḡ_{t−1} + ρ∇L(u),   v_t = MARG(θ − ḡ_t/(1 + κ)),   w_t = (1 − ρ)w_{t−1} + ρ v_t
//
// For convex L, Guarantee bounds F(w_t) − F(μ*), where μ* is the optimum. In the iterates, Mu is v_t and Average is
// w_t. A step costs one oracle call and one gradient of L.
type Accelerated struct {
	// Sigma is σ > 0, the assumed modulus of strong convexity of −H. TreeModulus guarantees convergence for trees, but is
	// small. A value of 1 often converges faster, without a guarantee.
	Sigma    float64
	MaxCalls int     // largest number of oracle calls, including the call for the base model's marginals
	Tol      float64 // stop if no marginal of v_t differs from that of v_{t−1} by more than Tol
}

var _ Stepwise = Accelerated{}

// TreeModulus returns 1/(2n − 1). The negative entropy of a tree with n nodes, as a function of the marginals of its
// nodes and edges, is strongly convex in the 2-norm with this modulus. This follows from Pinsker's inequality for each
// of the 2n − 1 marginal distributions. The modulus in proposition 3 of Vilnis et al. 2015, (2n − 1)⁻²/2, is smaller.
func TreeModulus(n int) float64 { return 1 / float64(2*n-1) }

// Supports implements Inference.
func (a Accelerated) Supports(p *Problem) error {
	_, err := a.check(p)
	return err
}

// check checks the settings and the problem. It returns the Lipschitz constant of ∇L, which may take long to compute.
func (a Accelerated) check(p *Problem) (float64, error) {
	if !(a.Sigma > 0) || math.IsInf(a.Sigma, 1) {
		return 0, fmt.Errorf("energy: accelerated: sigma is %v: want a positive finite number, such as TreeModulus", a.Sigma)
	}
	if err := p.checkCap("accelerated", a.MaxCalls, a.Tol); err != nil {
		return 0, err
	}
	l := lipschitz(p.Energy)
	if math.IsInf(l, 1) || math.IsNaN(l) {
		return 0, fmt.Errorf("energy: accelerated needs an energy with a Lipschitz continuous gradient; the gradient of %T "+
			"is not Lipschitz continuous", p.Energy)
	}
	return l, nil
}

// Guarantee returns an upper bound of F(w_t) − min F for a convex energy, where w_t is the average of step t:
//
//	κ_t KL(μ* ‖ μ_0) = 4ℓ KL(μ* ‖ μ_0)/(σ t (t + 1))
//
// Accelerated defines F and the other symbols. lipschitz is ℓ, and κ_t is κ of step t. divergence is KL(μ* ‖ μ_0), the
// divergence of the distribution with the optimal marginals μ* from the base model's distribution, whose marginals are
// μ_0.
func (a Accelerated) Guarantee(lipschitz, divergence float64, t int) float64 {
	return a.kappa(lipschitz, t) * divergence
}

// kappa returns κ = 4ℓ/(σ t (t + 1)) for step t (see Accelerated).
func (a Accelerated) kappa(lipschitz float64, t int) float64 {
	return 4 * lipschitz / (a.Sigma * float64(t) * float64(t+1))
}

// Run implements Inference.
func (a Accelerated) Run(p *Problem) iter.Seq[Iterate] { return run(a, p) }

// Begin implements Stepwise.
func (a Accelerated) Begin(p *Problem) Iterate {
	l, err := a.check(p)
	if err != nil {
		panic(err.Error())
	}
	p.begin()
	p.lipschitz = l
	return p.iterate(p.average, 1)
}

// Done implements Stepwise.
func (a Accelerated) Done(p *Problem) bool { return p.settled(a.MaxCalls, a.Tol) }

// Step implements Stepwise.
func (a Accelerated) Step(p *Problem) Iterate {
	t := p.step + 1
	rho := 2 / float64(t+1)
	u := p.next // infer overwrites p.next, but only after the last use of u
	for r, w := range p.average {
		u[r] = w + rho*(p.mu[r]-w)
	}
	p.mix(u, rho)
	p.tilt(p.mean, 1/(1+a.kappa(p.lipschitz, t)))
	p.infer(rho)
	return p.iterate(p.average, rho)
}
