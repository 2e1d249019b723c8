package solvers

import "github.com/gaplab/gaplab/models"

// Needs states as data what a solver requires. Missing compares it with an objective; requirements on numbers are left
// to a Checker. The zero value takes any loss, calls no oracle, and begins at zero in the Euclidean norm.
type Needs struct {
	Losses   Losses   // 0: any
	Oracles  Oracles  // all that it calls
	Features Features // optional interfaces of the feature maps, all of which it needs
	PartLoss bool     // label losses over parts, not 0/1 over labellings, wherever the loss has a margin
	OnePart  bool     // each labelling is one of two or more parts: classes
	Parts    int      // if > 0: each labelling is one of this many parts
	Polytope bool     // Example.Polytope: equalities that marginals obey, and no other constraint

	// What not every solver can do:
	Norm    bool // a norm other than the Euclidean one: kernel expansions
	Start   bool // it can begin at a given start
	Inexact bool // it needs no more than a direction at its present weights

	Memory Memory // the least memory that it needs
}

// Memory is the least memory that a solver needs after its first steps, in numbers of 8 bytes. It leaves out what grows
// during a run, such as planes.
type Memory struct {
	Weights int // vectors as long as the weights; at least 1 is counted
	Parts   int // numbers for each part of each example
}

// Bytes returns the memory for an objective, at 8 bytes a number.
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

// Losses is a set of kinds of losses; each loss is of one kind.
type Losses uint8

const (
	Smooth     Losses = 1 << iota // with a temperature: the log loss, softmax-margin, smoothed hinges
	Hinge                         // margin-rescaled, with margin 1
	Perceptron                    // without a temperature, and with another margin, such as 0
	Slack                         // slack-rescaled
)

// Oracles is a set of what a solver calls of each example.
type Oracles uint8

const (
	Max Oracles = 1 << iota // a best labelling
	Exp                     // the log-partition, and marginals
	// what models.Loss.Marginals calls, and so Risk.Gradient: Exp with a temperature, else Max
	Marginals
	Violation // what models.Loss.Violated calls: Max, or Slack; for a 0/1 loss Max and Second
)

// Features is a set of what a feature map offers besides scores and adjoints.
type Features uint8

const (
	Norms     Features = 1 << iota // |Aᵀv|²: models.Gram, or a sparse adjoint
	Sparse                         // models.SparseMap
	Isotropic                      // models.Isotropic
	Radius                         // a bound of max_y |Aᵀ(1_truth − 1_y)|²: models.Bounded, models.Majorant or Norms,
	// and the max-oracle where that takes it
)
