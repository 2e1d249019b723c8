package energy

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
)

// begin resets the memory for a new run and computes the base model's marginals.
func (p *Problem) begin() {
	n := len(p.Theta)
	p.lead = leading(p.Energy, n)
	p.convex = p.Energy.Convex()
	for _, s := range []*[]float64{&p.gradient, &p.mean, &p.tilted, &p.mu, &p.average, &p.next} {
		*s = scratch.Grow(*s, n)
	}
	clear(p.mean[:p.lead])
	copy(p.tilted, p.Theta)
	p.logZ = p.Oracle.LogSum(p.mu, p.tilted)
	copy(p.average, p.mu)
	p.step, p.calls = 0, 1
	p.bound, p.change = math.Inf(-1), math.Inf(1)
}

// differentiate writes the gradient ∇L(μ) of the energy to g.
func (p *Problem) differentiate(g, mu []float64) {
	clear(g[:p.lead])
	p.Energy.AddGradient(g, mu, 1)
}

// mix computes the gradient ∇L(μ) of the energy and updates the mean ḡ of the gradients: ḡ ← (1 − ρ)ḡ + ρ∇L(μ).
func (p *Problem) mix(mu []float64, rho float64) {
	p.differentiate(p.gradient, mu)
	mean := p.mean[:p.lead]
	for r, g := range p.gradient[:p.lead] {
		mean[r] += rho * (g - mean[r])
	}
}

// tilt writes the tilted scores θ − c v to p.tilted, where θ is p.Theta.
func (p *Problem) tilt(v []float64, c float64) {
	tilted, theta := p.tilted[:p.lead], p.Theta[:p.lead]
	for r, g := range v[:p.lead] {
		tilted[r] = theta[r] - c*g
	}
}

// infer computes the marginals μ at the scores p.tilted and makes them the current marginals. It also updates average ←
// (1 − ρ)average + ρ μ.
func (p *Problem) infer(rho float64) {
	p.logZ = p.Oracle.LogSum(p.next, p.tilted)
	p.calls++
	average := p.average[:len(p.next)]
	for r, m := range p.next {
		average[r] += rho * (m - average[r])
	}
	p.advance()
}

// advance makes p.next the current marginals and computes p.change, the largest change of a marginal. It compares only
// the marginals that the energy L depends on, since ∇L stays the same if these do not change.
func (p *Problem) advance() {
	before, change := p.mu[:p.lead], 0.0
	for r, m := range p.next[:p.lead] {
		if d := math.Abs(m - before[r]); d > change {
			change = d
		}
	}
	p.step++
	p.change = change
	p.mu, p.next = p.next, p.mu
}

// iterate returns the current iterate, with the given values of Average and Rate.
func (p *Problem) iterate(average []float64, rate float64) Iterate {
	return Iterate{
		Step: p.step, Calls: p.calls, Mu: p.mu, Tilted: p.tilted, Average: average,
		Change: p.change, Bound: p.bound, Rate: rate, logZ: p.logZ, problem: p,
	}
}
