package models

import "github.com/gaplab/gaplab/datasets"

// Task is what a model makes of a data set: the examples to train on, those to validate on, what is to be found, and
// how predictions are scored.
type Task struct {
	Model      string
	Unknowns   Unknowns
	Train      []Example
	Validation []Example
	Metrics    []Metric
	Classes    []string           // names of the classes, for predictions; nil if the labels are not classes
	Facts      map[string]float64 // quantities of the model itself, such as its number of rules: columns of every row
	// Examples makes examples of other data, with the features of the training data, for a model that extends this
	// one (Extender). It is nil for a model that cannot be extended.
	Examples func(datasets.Data) ([]Example, error)
	// Vocabulary returns what Restorer.Restore reads; it is written as JSON. It is nil for a task that cannot be
	// restored.
	Vocabulary func() any
	Warnings   []string
}

// Unknowns is what a solver has to find: Weights, *Distributions or Marginals, and nothing else. Each is the unknown of
// one Objective.
type Unknowns interface {
	dim() int
	objective(examples []Example, loss Loss, lambda float64) Objective
}

// Weights are the unknowns of a Risk: a vector w.
type Weights struct {
	Dim   int       // length of w
	Start []float64 // initial w; nil: zero. A solver that cannot start there refuses the risk
	Norm  Norm      // nil: the Euclidean norm
	// Inexact reports that the oracles' marginals are a direction to follow, not the gradient of the value, and that the
	// value need not be convex. Then no lower bound on min P is known, and a line search may fail.
	Inexact bool
}

// Norm is the norm of the weights. It writes K v into dst, where K is the Gram matrix of the basis in which the weights
// are written. Then w holds the coefficients of a kernel expansion, |w|² means wᵀKw, and AddAdjoint adds to the
// coefficients.
type Norm func(dst, v []float64)

// Marginals are the unknowns of an Inference. There are no weights to learn.
type Marginals struct{}

var (
	_ Unknowns = Weights{}
	_ Unknowns = (*Distributions)(nil)
	_ Unknowns = Marginals{}
)

func (u Weights) dim() int        { return u.Dim }
func (g *Distributions) dim() int { return g.Dim() }
func (Marginals) dim() int        { return 0 }

func (u Weights) objective(examples []Example, loss Loss, lambda float64) Objective {
	return &Risk{Weights: u, Lambda: lambda, Loss: loss, Examples: examples, sums: newSums()}
}

func (g *Distributions) objective(examples []Example, loss Loss, _ float64) Objective {
	return &Generative{Distributions: g, Loss: loss, Examples: examples, sums: newSums()}
}

func (Marginals) objective(examples []Example, _ Loss, _ float64) Objective {
	return &Inference{Examples: examples}
}

// Dim returns the length of w or of the log-probabilities θ; 0 for marginals.
func (t *Task) Dim() int { return t.Unknowns.dim() }

// Objective returns what is optimised on the training examples, which are shared, not copied: a *Risk for Weights, a
// *Generative for *Distributions, an *Inference for Marginals. Only a Risk uses lambda; an Inference does not use loss
// either.
func (t *Task) Objective(loss Loss, lambda float64) Objective {
	return t.Unknowns.objective(t.Train, loss, lambda)
}
