package solvers

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/models"
)

// Given finds nothing: its one iterate is Problem.Start, or w = 0. It takes weights that an earlier run has found to
// other data.
type Given struct{}

var (
	_ Local      = (*Given)(nil)
	_ Generative = (*Given)(nil)
)

func newGiven() Solver { return &Given{} }

// Local implements Local.
func (*Given) Local() {}

// Generative implements Generative.
func (*Given) Generative() {}

// Supports takes any problem.
func (*Given) Supports(p *models.Problem) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("solvers: given: %w", err)
	}
	return nil
}

// Run implements Solver.
func (*Given) Run(p *models.Problem) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		w := make([]float64, p.Dim)
		copy(w, p.Start)
		yield(Iterate{W: w}, nil)
	}
}
