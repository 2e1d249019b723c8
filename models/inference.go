package models

// Inference is the search for marginals, for each example separately,
//
//	min_μ −H(μ) − θ·μ + L(μ)   over the marginals of distributions over labellings,
//
// H the entropy, θ the part scores, which depend on no weights, L the Energy of the example. There is nothing to learn:
// no weights, no λ, no loss. Values are means over the examples. Package energy has the algorithms.
type Inference struct {
	Examples []Example // each with an Energy
}

// N returns the number of examples.
func (p *Inference) N() int { return len(p.Examples) }

// Check returns an error if there are no examples.
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

var _ Objective = (*Inference)(nil)

func (*Inference) sealed() {}

// Marginals stands for the unknown marginals of an Inference. There are no weights to learn.
type Marginals struct{}

func (Marginals) dim() int { return 0 }

func (Marginals) objective(examples []Example, _ Loss, _ float64) Objective {
	return &Inference{Examples: examples}
}
