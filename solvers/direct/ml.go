package direct

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// ML computes the maximum-likelihood estimate of a generative model. The estimate is the relative frequencies in the
// labelled training examples, with Smoothing added to every count n_ij:
//
//	θ_ij = log (n_ij + Smoothing)/(Σ_j n_ij + Smoothing·d_i),
//
// where n_ij is the number of times that distribution i has value j, and d_i is the number of its values. ML minimises
// −Σ_k log P(s_k, o_k) for the labels s_k and observations o_k of the examples, not the objective of the problem. ML
// serves as a baseline for discriminative training. It yields one iterate and calls no oracle.
type ML struct {
	// number added to every count; 0: events that do not occur in the training data have probability 0
	Smoothing float64 `yaml:"smoothing" jsonschema:"minimum=0"`
}

var _ solvers.Fitter = (*ML)(nil)

// NewML returns an ML with its default settings.
func NewML() *ML { return &ML{Smoothing: 0.1} }

// Needs implements Solver. ML needs nothing except a model whose weights are log-probabilities.
func (*ML) Needs() solvers.Needs {
	return solvers.Needs{}
}

// Fit implements Fitter. It yields the estimate.
func (s *ML) Fit(p *models.Generative, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		yield(solvers.Iterate{W: p.MaximumLikelihood(p.Examples, s.Smoothing)}, nil)
	})
}
