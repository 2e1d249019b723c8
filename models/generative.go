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

// N implements Objective.
func (p *Generative) N() int { return len(p.Examples) }

// Check implements Objective.
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

// Parallel is Risk.Parallel.
func (p *Generative) Parallel(workers int) *Generative {
	q := *p
	q.workers = workers
	return &q
}

// Clocked is Risk.Clocked.
func (p *Generative) Clocked(by func(share func())) *Generative {
	q := *p
	q.clocked = by
	return &q
}

func (*Generative) sealed() {}

// Primal is the objective at θ, its slacks as small as the margins allow. It does not check that θ is feasible.
// Cost: one Score and one oracle call per example.
func (p *Generative) Primal(theta []float64) float64 {
	if len(theta) != p.Dim() {
		panic("models: len(theta) != Dim")
	}
	return p.Term(theta) + p.losses(p.Examples, p.Loss, theta, p.Penalty)
}

// Bound is NaN: log-probabilities alone give no lower bound of the objective. A solver with multipliers has its own.
func (p *Generative) Bound([]float64) float64 { return math.NaN() }

// Distributions say which log-probabilities the weights θ of a generative model are, and how they are regularised.
type Distributions struct {
	First     []int     // vector i has the components First[i] .. First[i+1]−1 of θ
	Prior     []float64 // c, as long as θ
	Eta       float64   // η > 0
	Terms     Convex    // nil, or the f_i in place of −c_i·θ_i
	Quadratic bool      // h(ε) = ε²/2 in place of ε
}

// Convex are convex terms f_i(θ_i) = Σ_j f_ij(θ_ij), twice differentiable. Components are counted through all vectors.
type Convex interface {
	At(j int, x float64) (value, slope, curvature float64)
	Tail(j int) float64 // the limit of the slope for x → −∞, which may be −∞
}

// Dim returns the length of θ.
func (g *Distributions) Dim() int { return g.First[len(g.First)-1] }

// Vectors is the number of vectors θ_i.
func (g *Distributions) Vectors() int { return len(g.First) - 1 }

// Check refuses vectors without components, a prior of the wrong length or with invalid numbers, and an η that is not
// positive.
func (g *Distributions) Check() error {
	if len(g.First) < 2 || g.First[0] != 0 {
		return fmt.Errorf("models: the vectors of log-probabilities begin at %v: want them from 0 on", g.First)
	}
	dim := g.Dim()
	switch {
	case !(g.Eta > 0) || math.IsInf(g.Eta, 1):
		return fmt.Errorf("models: eta is %v: want a positive finite number", g.Eta)
	case len(g.Prior) != dim && (g.Terms == nil || g.Prior != nil):
		return fmt.Errorf("models: the prior has %d components: want %d", len(g.Prior), dim)
	}
	for i := range g.Vectors() {
		if g.First[i+1] <= g.First[i] {
			return fmt.Errorf("models: vector %d of log-probabilities has no components", i)
		}
	}
	for j, c := range g.Prior {
		if !(c >= 0) || math.IsInf(c, 1) {
			return fmt.Errorf("models: component %d of the prior is %v: want a finite number of at least 0", j, c)
		}
	}
	return nil
}

// Term is Σ_i f_i(θ_i).
func (g *Distributions) Term(theta []float64) float64 {
	var s float64
	if g.Terms == nil {
		for j, c := range g.Prior {
			if c != 0 { // else 0·∞
				s -= c * theta[j]
			}
		}
		return s
	}
	for j, x := range theta {
		v, _, _ := g.Terms.At(j, x)
		s += v
	}
	return s
}

// Penalty is η h(ε) at the least slack that a largest violation of v allows.
func (g *Distributions) Penalty(v float64) float64 {
	v = max(0, v)
	if g.Quadratic {
		return g.Eta / 2 * v * v
	}
	return g.Eta * v
}

// Shift writes into dst the log-probabilities θ, each vector lowered until it is feasible:
//
//	θ_i − max(0, log Σ_j exp(θ_ij)).
//
// It returns the largest shift. dst may be theta.
func (g *Distributions) Shift(dst, theta []float64) float64 {
	largest := 0.0
	for i := range g.Vectors() {
		lo, hi := g.First[i], g.First[i+1]
		by := max(0, logSumExp(theta[lo:hi]))
		for j := lo; j < hi; j++ {
			dst[j] = theta[j] - by
		}
		largest = max(largest, by)
	}
	return largest
}

// Uniform writes the uniform distributions into theta.
func (g *Distributions) Uniform(theta []float64) {
	for i := range g.Vectors() {
		lo, hi := g.First[i], g.First[i+1]
		for j := lo; j < hi; j++ {
			theta[j] = -math.Log(float64(hi - lo))
		}
	}
}

// Normalise writes into theta the logarithms of the relative frequencies of counts, each count enlarged by
// `smoothing`. A vector without counts becomes uniform, a count of 0 without smoothing −∞.
func (g *Distributions) Normalise(theta, counts []float64, smoothing float64) {
	for i := range g.Vectors() {
		lo, hi := g.First[i], g.First[i+1]
		sum := smoothing * float64(hi-lo)
		for _, c := range counts[lo:hi] {
			sum += c
		}
		for j := lo; j < hi; j++ {
			if sum > 0 {
				theta[j] = math.Log((counts[j] + smoothing) / sum)
			} else {
				theta[j] = -math.Log(float64(hi - lo))
			}
		}
	}
}

// logSumExp is log Σ exp(x_j).
func logSumExp(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	var s float64
	for _, v := range x {
		s += math.Exp(v - top)
	}
	return top + math.Log(s)
}
