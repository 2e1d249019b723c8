package models

import (
	"fmt"
	"math"
)

// Risk is a regularised risk:
//
//	P(w) = λ/2 |w|² + 1/n Σ_i φ_i(A_i w),   φ_i from Loss, n = len(Examples).
type Risk struct {
	Weights
	Lambda   float64
	Loss     Loss
	Examples []Example

	sums
}

// N implements Objective.
func (p *Risk) N() int { return len(p.Examples) }

// Check implements Objective: λ is positive and finite, the temperature not negative, and there are examples.
func (p *Risk) Check() error {
	switch {
	case !(p.Lambda > 0) || math.IsInf(p.Lambda, 1):
		return fmt.Errorf("models: lambda is %v: want a positive finite number", p.Lambda)
	case len(p.Examples) == 0:
		return errNoExamples
	case p.Start != nil && len(p.Start) != p.Dim:
		return fmt.Errorf("models: %d weights to begin with: want %d", len(p.Start), p.Dim)
	}
	return p.Loss.Check()
}

// Map implements Objective.
func (p *Risk) Map(f func(*Example)) Objective {
	q := *p
	q.Examples = mapped(p.Examples, f)
	return &q
}

// Parallel is the same risk with sums over examples taken by workers goroutines, to the same bits.
func (p *Risk) Parallel(workers int) *Risk {
	q := *p
	q.workers = workers
	return &q
}

// Clocked is the same risk whose loops pass the share of each goroutine but the caller's own to by, which calls it on
// that goroutine: a harness adds up the CPU time of their threads.
func (p *Risk) Clocked(by func(share func())) *Risk {
	q := *p
	q.clocked = by
	return &q
}

// At is the same risk with another λ.
func (p *Risk) At(lambda float64) *Risk {
	q := *p
	q.Lambda = lambda
	return &q
}

func (*Risk) sealed() {}
