package solvers

import (
	"iter"

	"github.com/gaplab/gaplab/models"
)

// Given finds nothing: its one iterate is the Start of the objective, or w = 0. It takes weights that an earlier run
// has found to other data.
type Given struct{}

var (
	_ Trainer = Given{}
	_ Fitter  = Given{}
)

func newGiven() Solver { return &Given{} }

// Needs implements Solver: it takes any objective that has weights.
func (Given) Needs() Needs { return Needs{Norm: true, Start: true, Inexact: true} }

// Train implements Trainer.
func (s Given) Train(p *models.Risk, _ Env) iter.Seq2[Iterate, error] {
	return Checked(s, p, only(p.Start, p.Dim))
}

// Fit implements Fitter.
func (s Given) Fit(p *models.Generative, _ Env) iter.Seq2[Iterate, error] {
	return Checked(s, p, func(yield func(Iterate, error) bool) { only(p.Start, p.Dim())(yield) })
}

func only(start []float64, dim int) iter.Seq2[Iterate, error] {
	return func(yield func(Iterate, error) bool) {
		w := make([]float64, dim)
		copy(w, start)
		yield(Iterate{W: w}, nil)
	}
}
