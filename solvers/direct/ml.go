package direct

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// ML is maximum likelihood for generative models: relative frequencies of the labelled training examples, after
// Smoothing has been added to every count n_ij,
//
//	θ_ij = log (n_ij + Smoothing)/(Σ_j n_ij + Smoothing·d_i).
//
// It minimises −Σ_k log P(s_k, o_k), not the objective of the problem: discriminative training is compared with it.
// There is one iterate, and no call of an oracle.
type ML struct {
	// added to every count; 0: what does not occur in the training data has probability 0
	Smoothing float64 `yaml:"smoothing" jsonschema:"minimum=0"`
}

var _ solvers.Fitter = (*ML)(nil)

// NewML returns an ML with its default settings.
func NewML() *ML { return &ML{Smoothing: 0.1} }

// Needs implements Solver: nothing but log-probabilities.
func (*ML) Needs() solvers.Needs {
	return solvers.Needs{}
}

// Fit implements Fitter: it yields the estimate.
func (s *ML) Fit(p *models.Generative, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		yield(solvers.Iterate{W: p.MaximumLikelihood(p.Examples, s.Smoothing)}, nil)
	})
}
