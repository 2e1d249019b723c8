package energy

import (
	"fmt"
	"math"
)

// Poisson is the energy of a collective graphical model (Sheldon and Dietterich 2011; Vilnis et al. 2015, equation 23).
// M individuals move according to the model, and each individual is counted at the rate ψ. The count of cell i is y_i ~
// Poisson(ψ M μ_i), where μ_i is the marginal of the cell. Then
//
//	L(μ) = −(1/M) Σ_i [y_i log(ψ M μ_i) − ψ M μ_i]
//
// is the negative log-likelihood of the counts, divided by M, without log y_i!. The cells are the first parts of the
// example: the labels at its positions. L is convex, but its gradient ψ − y_i/(M μ_i) is unbounded, so use the
// algorithm Damped. For μ_i below 1e-12 the logarithm is replaced by its tangent at 1e-12, which keeps L convex and
// finite.
type Poisson struct {
	counts           []float64
	population, rate float64
}

// smallestMarginal is the marginal below which the logarithm is replaced by its tangent.
const smallestMarginal = 1e-12

var _ Leading = (*Poisson)(nil)

// NewPoisson returns the Poisson energy with the counts y_i, a population of M individuals, and the rate ψ of counts
// (see Poisson). Use NaN as the count of a cell in which nobody counted.
func NewPoisson(counts []float64, population, rate float64) (*Poisson, error) {
	for i, y := range counts {
		if y < 0 || math.IsInf(y, 1) {
			return nil, fmt.Errorf("energy: the count of cell %d is %v: want a finite number ≥ 0, or NaN where nobody counted",
				i, y)
		}
	}
	if !(population > 0) || math.IsInf(population, 1) {
		return nil, fmt.Errorf("energy: population is %v: want a positive finite number", population)
	}
	if !(rate > 0) || math.IsInf(rate, 1) {
		return nil, fmt.Errorf("energy: rate of counts is %v: want a positive finite number", rate)
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

// Leading implements the interface Leading. It returns the number of parts with counts, which come first. The energy
// depends only on these.
func (e *Poisson) Leading() int { return len(e.counts) }
