package models

import (
	"errors"
	"fmt"
	"math"
)

// Generative is the objective of a generative model, whose weights θ are log-probabilities: vectors θ_i, one for each
// conditional distribution, one after the other. Training minimises (Yu, Bertsekas and Rousu, (2) to (5))
//
//	Σ_i f_i(θ_i) + η Σ_k h(ε_k)   subject to   a_k(s)·θ + b_k(s) ≤ ε_k for every labelling s of every example k,
//	Σ_j exp(θ_ij) ≤ 1,   θ ≤ 0,   ε ≥ 0,
//
// where a_k(s) are the counts A_kᵀ(1_s − 1_truth) of an example's feature map, b_k(s) its label loss, f_i(θ_i) =
// −c_i·θ_i the divergence from a distribution c_i up to a constant, and h(ε) = ε. There is no squared norm and no
// mean over examples: the sums are the paper's. With the slack-rescaled loss the constraints are b_k(s) (1 +
// a_k(s)·θ) ≤ ε_k.
type Generative struct {
	*Distributions
	Loss     Loss
	Examples []Example
	Start    []float64 // log-probabilities to begin with; nil: the solver's own

	sums
}

// N returns the number of examples.
func (p *Generative) N() int { return len(p.Examples) }

// Check returns an error if the distributions, the initial values or the loss are not valid, or if there are no
// examples.
func (p *Generative) Check() error {
	if p.Distributions == nil {
		return errors.New("models: a generative objective needs its distributions")
	}
	if err := p.Distributions.Check(); err != nil {
		return err
	}
	switch {
	case len(p.Examples) == 0:
		return errNoExamples
	case p.Start != nil && len(p.Start) != p.Dim():
		return fmt.Errorf("models: %d log-probabilities to begin with: want %d", len(p.Start), p.Dim())
	}
	return p.Loss.Check()
}

// Map implements Objective.
func (p *Generative) Map(f func(*Example)) Objective {
	q := *p
	q.Examples = mapped(p.Examples, f)
	return &q
}

// Parallel does what Risk.Parallel does.
func (p *Generative) Parallel(workers int) *Generative {
	q := *p
	q.workers = workers
	return &q
}

// Clocked does what Risk.Clocked does.
func (p *Generative) Clocked(by func(share func())) *Generative {
	q := *p
	q.clocked = by
	return &q
}

var _ Objective = (*Generative)(nil)

func (*Generative) sealed() {}

// Primal returns the objective at θ, with the smallest slacks that the margins allow. It does not check whether θ is
// feasible. Cost: one Score and one oracle call per example.
func (p *Generative) Primal(theta []float64) float64 {
	if len(theta) != p.Dim() {
		panic("models: len(theta) != Dim")
	}
	return p.Term(theta) + p.losses(p.Examples, p.Loss, theta, p.Penalty)
}

// Bound returns NaN: log-probabilities alone give no lower bound of the objective. A solver with multipliers computes
// its own.
func (p *Generative) Bound([]float64) float64 { return math.NaN() }

func (g *Distributions) objective(examples []Example, loss Loss, _ float64) Objective {
	return &Generative{Distributions: g, Loss: loss, Examples: examples, sums: newSums()}
}
