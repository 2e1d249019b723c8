package models

import (
	"errors"
	"slices"
)

// Objective is the objective of an optimisation problem: a *Risk, a *Generative or an *Inference; there are no other
// types. Its type determines what a solver has to find: weights, log-probabilities, or marginals.
type Objective interface {
	// N returns the number of examples.
	N() int
	// Check returns an error if the objective is not valid: if it has no examples, if λ is not positive, or if a vector
	// has a wrong length.
	Check() error
	// Map returns a copy of the objective in which f has changed each example, for instance to count the calls of its
	// oracles. f gets copies of the examples.
	Map(f func(*Example)) Objective
	sealed()
}

var errNoExamples = errors.New("models: there are no examples")

// mapped returns copies of the examples after f has changed each copy.
func mapped(examples []Example, f func(*Example)) []Example {
	out := slices.Clone(examples)
	for i := range out {
		f(&out[i])
	}
	return out
}

// Unknowns describes what a solver has to find: Weights, *Distributions or Marginals; there are no other types. Each
// type belongs to one type of Objective.
type Unknowns interface {
	dim() int
	objective(examples []Example, loss Loss, lambda float64) Objective
}
