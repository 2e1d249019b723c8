package energy

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
)

// Kinked is an optional interface of an energy with kinks, at which there are many subgradients and no gradient.
type Kinked interface {
	Energy
	// SubgradientDistance is how far marginals and a vector g over their parts are from the graph of ∂L,
	//
	//	min_{ν, h ∈ ∂L(ν)} max(|m(ν) − m(μ)|_∞, |h − g|_∞),
	//
	// m(μ) being what L has its kinks in, such as sums of marginals. So at a kink, and close to it, any g between the
	// gradients on either side is near. It may be an upper bound.
	SubgradientDistance(mu, g []float64) float64
}

// SubgradientDistance is how far the iterate is from being stationary: as the gradient of −H(μ) − θ·μ at μ = MARG(θ̃),
// θ̃ the tilted scores, is θ̃ − θ, it is so where θ − θ̃ ∈ ∂L(μ), which is proposition 1 with a subgradient. This is
// the distance of θ − θ̃ from ∂L(μ) in the max-norm, for a Kinked energy that of both from the graph of ∂L. Where L
// is differentiable it is |θ̃ − (θ − ∇L(μ))|_∞. It costs no call of the oracle.
func (it Iterate) SubgradientDistance() float64 {
	p := it.problem
	p.other = scratch.Grow(p.other, len(it.Mu))
	g := p.other
	for r, theta := range p.Theta {
		g[r] = theta - it.Tilted[r]
	}
	if e, ok := p.Energy.(Kinked); ok {
		return e.SubgradientDistance(it.Mu, g)
	}
	p.Energy.AddGradient(g, it.Mu, -1)
	var worst float64
	for _, x := range g {
		worst = max(worst, math.Abs(x))
	}
	return worst
}

// absDistance is how far (x, g) is from the graph of the subdifferential of ψ|x|: h = ψ sign(x), or at x = 0 all |h| ≤
// ψ.
func absDistance(psi, x, g float64) float64 {
	return min(math.Abs(psi*sign(x)-g), max(math.Abs(x), math.Abs(g)-psi))
}
