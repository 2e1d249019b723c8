package models

import (
	"errors"
	"slices"
)

// Objective is what is optimised: a *Risk, a *Generative or an *Inference, and nothing else. Its type determines what a
// method has to find: weights, log-probabilities, or marginals.
type Objective interface {
	// N is the number of examples.
	N() int
	// Check reports why it is not a valid objective: no examples, a λ that is not positive, shapes that do not fit.
	Check() error
	// Map is a copy with examples changed by f, for instance to oracles that count their calls. f gets copies.
	Map(f func(*Example)) Objective
	sealed()
}

var (
	_ Objective = (*Risk)(nil)
	_ Objective = (*Generative)(nil)
	_ Objective = (*Inference)(nil)
)

// Inference is the search for marginals, for each example by itself,
//
//	min_μ −H(μ) − θ·μ + L(μ)   over the marginals of distributions over labellings,
//
// H the entropy, θ the part scores, which depend on no weights, L the Energy of the example. There is nothing to learn:
// no weights, no λ, no loss. Values are means over the examples. Package energy has the algorithms.
type Inference struct {
	Examples []Example // each with an Energy
}

// N implements Objective.
func (p *Inference) N() int { return len(p.Examples) }

// Check implements Objective.
func (p *Inference) Check() error {
	if len(p.Examples) == 0 {
		return errNoExamples
	}
	return nil
}

// Map implements Objective.
func (p *Inference) Map(f func(*Example)) Objective {
	return &Inference{Examples: mapped(p.Examples, f)}
}

func (*Inference) sealed() {}

var errNoExamples = errors.New("models: there are no examples")

func mapped(examples []Example, f func(*Example)) []Example {
	out := slices.Clone(examples)
	for i := range out {
		f(&out[i])
	}
	return out
}
