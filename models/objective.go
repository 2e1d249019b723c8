package models

import (
	"errors"
	"slices"
)

// Objective is what is optimised: a *Risk, a *Generative or an *Inference, and nothing else. Its type determines what a
// solver has to find: weights, log-probabilities, or marginals.
type Objective interface {
	// N returns the number of examples.
	N() int
	// Check returns an error if the objective is not valid: no examples, a λ that is not positive, shapes that do not fit.
	Check() error
	// Map returns a copy of the objective in which f has changed each example, for instance to oracles that count their
	// calls. f gets copies of the examples.
	Map(f func(*Example)) Objective
	sealed()
}

var errNoExamples = errors.New("models: there are no examples")

func mapped(examples []Example, f func(*Example)) []Example {
	out := slices.Clone(examples)
	for i := range out {
		f(&out[i])
	}
	return out
}

// Unknowns is what a solver has to find: Weights, *Distributions or Marginals, and nothing else. Each belongs to one
// Objective.
type Unknowns interface {
	dim() int
	objective(examples []Example, loss Loss, lambda float64) Objective
}
