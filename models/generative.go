package models

import (
	"errors"
	"fmt"
	"math"
)

// Generative is the objective of a generative model, whose weights θ are log-probabilities. θ consists of vectors θ_i,
// one after the other, one for each conditional distribution. Training minimises (Yu, Bertsekas and Rousu, (2) to (5))
//
//	Σ_i f_i(θ_i) + η Σ_k h(ε_k)   subject to   a_k(s)·θ + b_k(s) ≤ ε_k for every labelling s of every example k,
//	Σ_j exp(θ_ij) ≤ 1,   θ ≤ 0,   ε ≥ 0,
//
// where a_k(s) = A_kᵀ(1_s − 1_truth) are differences of counts, b_k(s) is the label loss, f_i(θ_i) = −c_i·θ_i is the
// divergence from a distribution c_i up to a constant, and h(ε) = ε, or ε²/2 if Distributions.Quadratic. The fields of
// Distributions define c, η, and other choices of f_i. As in the paper, there is no squared norm, and the sums are not
// divided by the number of examples. With the slack-rescaled loss the constraints are b_k(s) (1 + a_k(s)·θ) ≤ ε_k.
type Generative struct {
	*Distributions
	Loss     Loss
	Examples []Example
	Start    []float64 // initial log-probabilities; nil: the solver chooses them

	sums
}

// N returns the number of examples.
func (p *Generative) N() int { return len(p.Examples) }

// Check returns an error if the distributions, the initial values or the loss are not valid, or if there are no
// examples.
func (p *Generative) Check() error {
	if p.Distributions == nil {
		return errors.New("models: Generative.Distributions is nil: want the distributions that the weights describe")
	}
	if err := p.Distributions.Check(); err != nil {
		return err
	}
	switch {
	case len(p.Examples) == 0:
		return errNoExamples
	case p.Start != nil && len(p.Start) != p.Dim():
		return fmt.Errorf("models: Start has %d log-probabilities: want %d", len(p.Start), p.Dim())
	}
	return p.Loss.Check()
}

// Map implements Objective.
func (p *Generative) Map(f func(*Example)) Objective {
	q := *p
	q.Examples = mapped(p.Examples, f)
	return &q
}

// Parallel returns a copy that uses several goroutines for sums over examples, as Risk.Parallel does.
func (p *Generative) Parallel(workers int) *Generative {
	q := *p
	q.workers = workers
	return &q
}

// Clocked returns a copy in which each additional goroutine runs its share of the work inside the function by, which
// can measure it (see Risk.Clocked).
func (p *Generative) Clocked(by func(share func())) *Generative {
	q := *p
	q.clocked = by
	return &q
}

var _ Objective = (*Generative)(nil)

func (*Generative) sealed() {}

// Primal returns the objective at θ with the smallest slacks ε_k that satisfy the constraints of the labellings. It
// does not check whether θ is feasible. Cost: one Score and one oracle call per example.
func (p *Generative) Primal(theta []float64) float64 {
	if len(theta) != p.Dim() {
		panic("models: len(theta) != Dim")
	}
	return p.Term(theta) + p.losses(p.Examples, p.Loss, theta, p.Penalty)
}

// Bound returns NaN, since log-probabilities alone give no lower bound of the objective. A solver with Lagrange
// multipliers computes its own bound.
func (p *Generative) Bound([]float64) float64 { return math.NaN() }

func (g *Distributions) objective(examples []Example, loss Loss, _ float64) Objective {
	return &Generative{Distributions: g, Loss: loss, Examples: examples, sums: newSums()}
}
