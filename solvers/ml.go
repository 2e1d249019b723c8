package solvers

import (
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
)

// ML is maximum likelihood for generative models: relative frequencies of the labelled training examples, after
// Smoothing has been added to every count n_ij,
//
//	θ_ij = log (n_ij + Smoothing)/(Σ_j n_ij + Smoothing·d_i).
//
// It minimises −Σ_k log P(s_k, o_k), not the objective of the problem: it is what discriminative training is compared
// with. There is one iterate, and no call of an oracle.
type ML struct {
	// added to every count; 0: what does not occur in the training data has probability 0
	Smoothing float64 `yaml:"smoothing" jsonschema:"minimum=0"`
}

var _ Generative = (*ML)(nil)

func newML() Solver { return &ML{Smoothing: 0.1} }

// Generative implements Generative.
func (*ML) Generative() {}

// Supports needs log-probabilities.
func (s *ML) Supports(p *models.Problem) error {
	switch {
	case p.Generative == nil:
		return fmt.Errorf("%w: ml needs a generative model, whose weights are log-probabilities", ErrUnsupported)
	case !(s.Smoothing >= 0) || math.IsInf(s.Smoothing, 1):
		return fmt.Errorf("solvers: ml: smoothing is %v: want a finite number of at least 0", s.Smoothing)
	case len(p.Examples) == 0:
		return fmt.Errorf("solvers: ml: the problem has no examples")
	}
	if err := p.Generative.Check(p.Dim); err != nil {
		return fmt.Errorf("solvers: ml: %w", err)
	}
	return nil
}

// Run yields the estimate.
func (s *ML) Run(p *models.Problem) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		if err := s.Supports(p); err != nil {
			yield(Iterate{}, err)
			return
		}
		yield(Iterate{W: p.Generative.MaximumLikelihood(p.Examples, s.Smoothing)}, nil)
	}
}
