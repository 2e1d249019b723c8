package solvers

import "github.com/gaplab/gaplab/models"

// Needs describes what a solver requires. Missing compares it with an objective. Requirements that depend on numbers
// need a Checker. The zero value describes a solver that supports any loss, calls no oracle, begins at w = 0, and uses
// the Euclidean norm.
type Needs struct {
	Losses   Losses   // kinds of losses that it supports; 0 means all
	Oracles  Oracles  // oracles that it calls
	Features Features // optional interfaces of the feature maps that it needs
	PartLoss bool     // if the loss has a margin, it needs a label loss over parts, not a 0/1 loss over labellings
	OnePart  bool     // each labelling must be one of two or more parts, as classes are
	Parts    int      // if > 0, each labelling must be one of this number of parts
	Polytope bool     // it needs Example.Polytope: marginals with linear equalities as their only constraint

	// Abilities that not every solver has:
	Norm    bool // it supports a norm other than the Euclidean one, for kernel expansions
	Start   bool // it can begin at given weights
	Inexact bool // it needs only a direction at its present weights, not a function with its gradient

	Memory Memory // the least memory that it needs
}

// Memory is the least memory that a solver needs after its first steps, in numbers of 8 bytes. It does not include what
// grows during a run, such as cutting planes.
type Memory struct {
	Weights int // number of vectors of the length of w; Bytes counts at least 1
	Parts   int // how many numbers the solver stores for each part of each example
}

// Bytes returns the memory for an objective in bytes.
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

// Losses is a set of kinds of losses. Each loss has one kind.
type Losses uint8

const (
	Smooth     Losses = 1 << iota // losses with a temperature: the log loss, softmax-margin, smoothed hinges
	Hinge                         // the margin-rescaled hinge: Loss.Margin = 1, so its margin is the label loss
	Perceptron                    // hinges with another Loss.Margin; with 0, the loss of the perceptron
	Slack                         // slack-rescaled hinges
)

// Oracles is a set of oracles of an example that a solver calls.
type Oracles uint8

const (
	Max Oracles = 1 << iota // the max-oracle: a best labelling
	Exp                     // the exp-oracle: the log-partition and marginals
	// Marginals are the oracles that models.Loss.Marginals and Risk.Gradient call: Exp with a temperature, otherwise Max.
	Marginals
	// Violation are the oracles that models.Loss.Violated calls: Max or Slack, and for a 0/1 loss Max and Second.
	Violation
)

// Features is a set of optional interfaces of a feature map.
type Features uint8

const (
	Norms     Features = 1 << iota // |Aᵀv|² by models.Gram or by a sparse adjoint
	Sparse                         // models.SparseMap
	Isotropic                      // models.Isotropic
	// Radius is a bound on max_y |Aᵀ(1_truth − 1_y)|² by models.Bounded, models.Majorant or Norms, and by the max-oracle
	// if the bound needs it.
	Radius
)
