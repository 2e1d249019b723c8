package models

// Inference is the objective of finding marginals, separately for each example:
//
//	min_μ −H(μ) − θ·μ + L(μ)   over the marginals of distributions over labellings,
//
// where H is the entropy, θ are the part scores, which do not depend on weights, and L is the Energy of the example.
// There are no weights to learn, no λ and no loss. Values are means over the examples. Package inference/energy has the
// algorithms.
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

// Marginals represents the unknown marginals of an Inference.
type Marginals struct{}

func (Marginals) dim() int { return 0 }

func (Marginals) objective(examples []Example, _ Loss, _ float64) Objective {
	return &Inference{Examples: examples}
}
