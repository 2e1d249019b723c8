package energy

import (
	"fmt"
	"math"
)

// Poisson is the energy of a collective graphical model (Sheldon and Dietterich 2011; equation 23 of the paper). M
// individuals move according to the model, and y_i of them are counted in cell i, y_i ~ Poisson(ψ M μ_i). Then
//
//	L(μ) = −(1/M) Σ_i [y_i log(ψ M μ_i) − ψ M μ_i]
//
// is minus the log-likelihood of the counts per individual, without log y_i!; i runs over the first parts of the
// example, the marginals of positions. It is convex, but its gradient ψ − y_i/(M μ_i) is unbounded: use Damped. Below
// 1e-12 the logarithm is continued by its tangent, which keeps L convex and finite.
type Poisson struct {
	counts           []float64
	population, rate float64
}

const smallestMarginal = 1e-12

var _ Leading = (*Poisson)(nil)

// NewPoisson returns the energy for the counts of the first parts, which are NaN where no count was made, the number M
// of individuals and the rate ψ.
func NewPoisson(counts []float64, population, rate float64) (*Poisson, error) {
	for i, y := range counts {
		if y < 0 || math.IsInf(y, 1) {
			return nil, fmt.Errorf("energy: the count of cell %d is %v: want 0 or a positive finite number, NaN where nobody "+
				"counted", i, y)
		}
	}
	if !(population > 0) || math.IsInf(population, 1) {
		return nil, fmt.Errorf("energy: a population of %v: want a positive finite number", population)
	}
	if !(rate > 0) || math.IsInf(rate, 1) {
		return nil, fmt.Errorf("energy: a rate of counts of %v: want a positive finite number", rate)
	}
	return &Poisson{counts, population, rate}, nil
}

// Value implements Energy.
func (e *Poisson) Value(mu []float64) float64 {
	checkLeast(len(mu), len(e.counts))
	var v float64
	expected := e.rate * e.population
	for i, y := range e.counts {
		switch m := mu[i]; {
		case math.IsNaN(y):
		case y == 0:
			v += expected * m
		case m < smallestMarginal:
			v -= y*(math.Log(expected*smallestMarginal)+m/smallestMarginal-1) - expected*m
		default:
			v -= y*math.Log(expected*m) - expected*m
		}
	}
	return v / e.population
}

// AddGradient implements Energy.
func (e *Poisson) AddGradient(g, mu []float64, c float64) {
	checkLeast(len(mu), len(e.counts))
	for i, y := range e.counts {
		if !math.IsNaN(y) {
			g[i] += c * (e.rate - y/(e.population*max(mu[i], smallestMarginal)))
		}
	}
}

// Convex implements Energy.
func (e *Poisson) Convex() bool { return true }

// Leading implements Leading.
func (e *Poisson) Leading() int { return len(e.counts) }
