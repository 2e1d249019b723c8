// Package direct contains solvers that do not search: Given returns given weights, and ML computes weights in closed
// form.
package direct

import (
	"iter"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Given does not optimise. Its only iterate has the weights Start of the objective, or w = 0 if Start is nil. Use it to
// apply the weights of an earlier run to other data.
type Given struct{}

var (
	_ solvers.Trainer = Given{}
	_ solvers.Fitter  = Given{}
)

// NewGiven returns a Given with its default settings.
func NewGiven() *Given { return &Given{} }

// Needs implements Solver. Given supports every objective that has weights.
func (Given) Needs() solvers.Needs { return solvers.Needs{Norm: true, Start: true, Inexact: true} }

// Train implements Trainer.
func (s Given) Train(p *models.Risk, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, only(p.Start, p.Dim))
}

// Fit implements Fitter.
func (s Given) Fit(p *models.Generative, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) { only(p.Start, p.Dim())(yield) })
}

// only returns a sequence of one iterate: the weights start, or w = 0 of dimension dim if start is nil.
func only(start []float64, dim int) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		w := make([]float64, dim)
		copy(w, start)
		yield(solvers.Iterate{W: w}, nil)
	}
}
