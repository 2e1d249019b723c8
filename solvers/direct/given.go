// Package direct has solvers without a search: weights that are given, and those in closed form.
package direct

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Given does not optimise: its one iterate is the Start of the objective, or w = 0. It applies weights that an earlier
// run has found to other data.
type Given struct{}

var (
	_ solvers.Trainer = Given{}
	_ solvers.Fitter  = Given{}
)

// NewGiven returns a Given with its default settings.
func NewGiven() *Given { return &Given{} }

// Needs implements Solver: it takes any objective that has weights.
func (Given) Needs() solvers.Needs { return solvers.Needs{Norm: true, Start: true, Inexact: true} }

// Train implements Trainer.
func (s Given) Train(p *models.Risk, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, only(p.Start, p.Dim))
}

// Fit implements Fitter.
func (s Given) Fit(p *models.Generative, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) { only(p.Start, p.Dim())(yield) })
}

func only(start []float64, dim int) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		w := make([]float64, dim)
		copy(w, start)
		yield(solvers.Iterate{W: w}, nil)
	}
}
