package energy

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
)

// Kinked is an optional interface of an energy with kinks: points that have many subgradients and no gradient.
type Kinked interface {
	Energy
	// SubgradientDistance returns the distance of (μ, g) from the graph of the subdifferential ∂L, or an upper bound of
	// it. g is a vector with a number for each part. The distance is
	//
	//	min_{ν, h ∈ ∂L(ν)} max(|m(ν) − m(μ)|_∞, |h − g|_∞),
	//
	// where m(μ) are the quantities in which L has its kinks, such as sums of marginals. So if μ is close to a kink, the
	// distance is small for every g between the gradients on both sides of the kink.
	SubgradientDistance(mu, g []float64) float64
}

// SubgradientDistance measures how far the iterate is from a stationary point of F. Let θ̃ be the scores it.Tilted, and
// μ = it.Mu their marginals. The gradient of −H(μ) − θ·μ at μ is θ̃ − θ, so the iterate is stationary if θ − θ̃ is a
// subgradient of L at μ. (Proposition 1 of Vilnis et al. 2015 states the same for an energy with a gradient.) If the
// energy implements Kinked, the result is the energy's SubgradientDistance(μ, θ − θ̃). Otherwise it is |θ̃ − (θ −
// ∇L(μ))|_∞. The method makes no oracle call.
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

// absDistance returns the distance of (x, g) from the graph of the subdifferential of ψ|x|. The graph has the points
// (x, ψ sign(x)) and, at x = 0, all (0, h) with |h| ≤ ψ.
func absDistance(psi, x, g float64) float64 {
	return min(math.Abs(psi*sign(x)-g), max(math.Abs(x), math.Abs(g)-psi))
}
