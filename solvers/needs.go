package solvers

import "github.com/gaplab/gaplab/models"

// Needs describes what a solver requires. Missing compares Needs with an objective. A solver with requirements that
// depend on numbers also implements Checker. The zero value describes a solver that supports any loss, calls no oracle,
// begins at w = 0, and uses the Euclidean norm.
type Needs struct {
	Losses   Losses   // kinds of losses that the solver supports; 0 means all
	Oracles  Oracles  // oracles that the solver calls
	Features Features // optional interfaces of feature maps that the solver needs
	PartLoss bool     // if the loss has a margin, the label loss must be a sum over parts, not 0/1 over labellings
	OnePart  bool     // each labelling must be one of two or more parts, as classes are
	Parts    int      // if > 0, each labelling must be one part out of this number of parts
	Polytope bool     // Example.Polytope must be set: only linear equalities and μ ≥ 0 constrain the marginals μ

	// Abilities that not every solver has:
	Norm    bool // the solver supports a non-Euclidean norm of the weights, as kernel expansions have
	Start   bool // the solver can begin at given weights
	Inexact bool // the solver needs only a direction at the present weights, not a function with its gradient

	Memory Memory // the least memory that the solver needs
}

// Memory is the least memory that a solver needs after its first steps, counted in floats of 8 bytes. Data that grow
// during a run, such as cutting planes, are not included.
type Memory struct {
	Weights int // number of stored vectors as long as w; Bytes counts at least 1
	Parts   int // number of stored floats for each part of each example
}

// Bytes returns the memory that the solver needs for the objective o, in bytes.
func (m Memory) Bytes(o models.Objective) float64 {
	var dim int
	var examples []models.Example
	switch o := o.(type) {
	case *models.Risk:
		dim, examples = o.Dim, o.Examples
	case *models.Generative:
		dim, examples = o.Dim(), o.Examples
	case *models.Inference:
		examples = o.Examples
	}
	parts := 0.0
	if m.Parts > 0 {
		for i := range examples {
			parts += float64(examples[i].Features.Parts())
		}
	}
	return 8 * (float64(max(1, m.Weights))*float64(dim) + float64(m.Parts)*parts)
}

// Losses is a set of kinds of losses, with one bit for each kind. Each loss is of one kind.
type Losses uint8

const (
	Smooth     Losses = 1 << iota // losses with a temperature: the log loss, softmax-margin, smoothed hinges
	Hinge                         // the margin-rescaled hinge: Loss.Margin = 1, so its margin is the label loss
	Perceptron                    // hinges with Loss.Margin ≠ 1; with Loss.Margin = 0, the loss of the perceptron
	Slack                         // slack-rescaled hinges
)

// Oracles is a set of oracles that a solver calls, with one bit for each.
type Oracles uint8

const (
	Max Oracles = 1 << iota // the max-oracle: a best labelling
	Exp                     // the exp-oracle: the log-partition and marginals
	// Marginals is the oracle that models.Loss.Marginals and Risk.Gradient call: Exp for a loss with a temperature, Max
	// for any other loss.
	Marginals
	// Violation is the set of oracles that models.Loss.Violated calls: Max, or Slack for a slack-rescaled loss; for a 0/1
	// loss over labellings, Max and Second (the second-best labelling).
	Violation
)

// Features is a set of optional interfaces of a feature map, with one bit for each.
type Features uint8

const (
	Norms     Features = 1 << iota // |Aᵀv|² by models.Gram or by a sparse adjoint
	Sparse                         // models.SparseMap
	Isotropic                      // models.Isotropic
	// Radius is a bound on max_y |Aᵀ(1_truth − 1_y)|². dualspace.RadiusSq computes it by models.Bounded, models.Majorant
	// or Norms, and calls the max-oracle if the bound needs it.
	Radius
)
