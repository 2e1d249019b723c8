package models

import (
	"fmt"
	"math"
)

// Risk is the objective of regularised risk minimisation:
//
// P(w) = λ/2 |w|² + 1/n Σ_i φ_i(A_i w), where φ_i is Loss for example i, n = len(Examples).
type Risk struct {
	Weights
	Lambda   float64
	Loss     Loss
	Examples []Example

	sums
}

// N returns the number of examples.
func (p *Risk) N() int { return len(p.Examples) }

// Check returns an error if λ is not positive and finite, if there are no examples, if Start has a wrong length, or if
// the loss is not valid.
func (p *Risk) Check() error {
	switch {
	case !(p.Lambda > 0) || math.IsInf(p.Lambda, 1):
		return fmt.Errorf("models: lambda is %v: want a positive finite number", p.Lambda)
	case len(p.Examples) == 0:
		return errNoExamples
	case p.Start != nil && len(p.Start) != p.Dim:
		return fmt.Errorf("models: Start has %d weights: want %d", len(p.Start), p.Dim)
	}
	return p.Loss.Check()
}

// Map implements Objective.
func (p *Risk) Map(f func(*Example)) Objective {
	q := *p
	q.Examples, q.pairs = mapped(p.Examples, f), new(pairs)
	return &q
}

// Parallel returns a copy of the risk that uses workers goroutines for its sums over examples. The results have the
// same bits.
func (p *Risk) Parallel(workers int) *Risk {
	q := *p
	q.workers = workers
	return &q
}

// Clocked returns a copy of the risk in which each additional goroutine passes its share of the work to the function
// by, which must call share in the same goroutine. A harness uses it to measure the CPU time of the threads.
func (p *Risk) Clocked(by func(share func())) *Risk {
	q := *p
	q.clocked = by
	return &q
}

// At returns a copy of the risk with another λ.
func (p *Risk) At(lambda float64) *Risk {
	q := *p
	q.Lambda = lambda
	return &q
}

var _ Objective = (*Risk)(nil)

func (*Risk) sealed() {}

// Weights is the unknown vector w of a Risk.
type Weights struct {
	Dim   int       // length of w
	Start []float64 // initial w; nil: zero. A solver that cannot begin at Start returns an error
	Norm  Norm      // nil: the Euclidean norm
	// Inexact means that the marginals of the oracles give a search direction, not the gradient of the value, and that the
	// value may not be convex. Then no lower bound of min P is known, and a line search may fail.
	Inexact bool
}

// Norm defines the norm of the weights if these are the coefficients of a kernel expansion. It writes K v to dst, where
// K is the Gram matrix of the basis functions. Then |w|² means wᵀKw, and AddAdjoint adds to the coefficients.
type Norm func(dst, v []float64)

func (u Weights) dim() int { return u.Dim }

func (u Weights) objective(examples []Example, loss Loss, lambda float64) Objective {
	return &Risk{Weights: u, Lambda: lambda, Loss: loss, Examples: examples, sums: newSums()}
}

// NormSq returns the squared norm of v: |v|², or vᵀK v if v has the coefficients of a kernel expansion.
func (p *Risk) NormSq(v []float64) float64 {
	if p.Norm == nil {
		return normSq(v)
	}
	x := p.space()
	defer p.done(x)
	x.features = Resize(x.features, len(v))
	p.Norm(x.features, v)
	return dot(v, x.features)
}

// Primal returns P(w) (see Risk). Cost: one Score and one oracle call (value only) per example.
func (p *Risk) Primal(w []float64) float64 {
	p.check(w)
	return p.Lambda/2*p.NormSq(w) + p.losses(p.Examples, p.Loss, w, nil)/float64(len(p.Examples))
}

// Gradient returns P(w) (see Risk) and writes ∇P(w) = λ w + 1/n Σ A_iᵀ(μ_i − 1_{y_i}) to g. The μ_i are the marginals
// that the loss induces at A_i w, and 1_{y_i} is the indicator of the truth. For the hinge, g is a subgradient. With a
// Norm, g has the coefficients of the gradient in the same basis of functions as w, so |∇P|² is gᵀK g with the Gram
// matrix K. Cost: one Score, one oracle call and one AddAdjoint per example, and scratch memory of 2 to 8 times Dim
// floats.
func (p *Risk) Gradient(g, w []float64) float64 {
	value, _ := p.gradient(g, w, p.Loss)
	return value
}

// gradient does what Gradient does with loss instead of p.Loss. It also returns the mean entropy of the induced
// distributions.
func (p *Risk) gradient(g, w []float64, loss Loss) (value, entropy float64) {
	if len(g) != len(w) {
		panic("models: len(g) != len(w)")
	}
	p.inPieces(len(g), func(lo, hi int) {
		for j := lo; j < hi; j++ {
			g[j] = p.Lambda * w[j]
		}
	})
	m := p.AddExpectations(g, w, loss)
	return p.Lambda/2*p.NormSq(w) + m.Loss, m.Entropy
}

// Moments has three means over the examples, for the distributions that a loss φ induces at weights w.
type Moments struct {
	Loss    float64 // the loss φ_i(A_i w) at the part scores A_i w
	Entropy float64 // the entropy; 0 for a loss without a temperature, whose distribution is one labelling
	Cost    float64 // κ cost_i·μ_i: the loss's Margin κ times the expected label loss
}

// AddExpectations adds 1/n Σ A_iᵀ(μ_i − 1_{y_i}), the gradient of the mean loss, to g. The μ_i are the marginals that
// the loss induces at A_i w, and 1_{y_i} is the indicator of the truth. The loss may be p.Loss or any other loss that
// Loss.Marginals accepts. Cost: one Score, one oracle call and one AddAdjoint per example, and scratch memory of 2 to 8
// times Dim floats.
func (p *Risk) AddExpectations(g, w []float64, loss Loss) Moments {
	return p.AddExpectationsOf(g, w, loss, nil)
}

// AddExpectationsOf does what AddExpectations does. It also calls the function each with the marginals μ_i of every
// example. The calls come from several goroutines, in any order. mu is valid only during the call.
func (p *Risk) AddExpectationsOf(g, w []float64, loss Loss, each func(i int, mu []float64)) Moments {
	p.check(w)
	p.check(g)
	var partial [gradientBlocks]*workspace
	blocks := p.blocks()
	p.InBlocks(len(p.Examples), blocks, func(b, lo, hi int) {
		partial[b] = p.expectations(lo, hi, w, loss, each)
	})
	p.inPieces(len(g), func(lo, hi int) {
		for _, x := range partial[:blocks] {
			for j, v := range x.features[lo:hi] {
				g[lo+j] += v
			}
		}
	})
	var m Moments
	for _, x := range partial[:blocks] {
		m.Loss += x.loss
		m.Entropy += x.entropy
		m.Cost += x.cost
		p.done(x)
	}
	n := float64(len(p.Examples))
	return Moments{Loss: m.Loss / n, Entropy: m.Entropy / n, Cost: m.Cost / n}
}

// expectations computes the sums of AddExpectationsOf over the examples lo to hi − 1.
func (p *Risk) expectations(lo, hi int, w []float64, loss Loss, each func(i int, mu []float64)) *workspace {
	n := float64(len(p.Examples))
	x := p.space()
	x.features = Resize(x.features, len(w))
	clear(x.features)
	x.loss, x.entropy, x.cost = 0, 0, 0
	for i := lo; i < hi; i++ {
		e := &p.Examples[i]
		x.theta, x.mu = Resize(x.theta, e.Features.Parts()), Resize(x.mu, e.Features.Parts())
		theta, mu := x.theta, x.mu
		e.Features.Score(theta, w)
		truth := e.Truth.Dot(theta)
		var v float64
		v, x.y = loss.Marginals(mu, e, theta, x.y)
		x.loss += v
		if loss.Temp > 0 { // theta is now s = augmented scores (see Loss.Augment); the entropy is log Σ exp(s·y) − μ·s
			x.entropy += (v+truth)/loss.Temp - dot(mu, theta)
		}
		if loss.Margin != 0 {
			x.cost += loss.Margin * dot(e.Cost, mu)
		}
		if each != nil {
			each(i, mu)
		}
		for _, r := range e.Truth {
			mu[r]--
		}
		e.Features.AddAdjoint(x.features, 1/n, mu)
	}
	return x
}

// blocks returns the number of partial gradients. It depends on Dim only, not on the number of workers.
func (p *Risk) blocks() int {
	return min(gradientBlocks, max(2, gradientFloats/max(1, p.Dim)))
}

// Bound returns a lower bound of min P from w alone, for solvers without dual variables. The bound is the dual value at
// the distributions that w induces. For a loss with the temperature τ > 0 the dual value is exactly
//
//	D = P(w) − |∇P(w)|² / 2λ,
//
// since the weights 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i) of these distributions are w − ∇P(w)/λ. For the hinge, let P_τ be P
// with the loss smoothed with a temperature τ. The distributions are the ones that this loss induces, and the dual
// value is
//
//	D = P_τ(w) − |∇P_τ(w)|² / 2λ − τ · mean entropy;
//
// Bound returns the largest value over several temperatures. Every temperature gives a valid bound, but the bounds are
// loose. The cost is one Gradient per temperature. Bound returns NaN for slack rescaling, for a 0/1 loss over
// labellings with a margin, if the examples have no exp-oracle, and if Inexact is set.
func (p *Risk) Bound(w []float64) float64 {
	if p.Inexact || p.Loss.Slack || len(p.Examples) == 0 || p.Examples[0].Exp == nil ||
		p.Examples[0].ZeroOne > 0 && p.Loss.Margin != 0 {
		return math.NaN()
	}
	g := make([]float64, len(w))
	if p.Loss.Smooth() {
		value := p.Gradient(g, w)
		return value - p.NormSq(g)/(2*p.Lambda)
	}
	best := math.Inf(-1)
	for _, temp := range []float64{1, 0.3, 0.1, 0.03, 0.01} {
		loss := p.Loss
		loss.Temp = temp
		value, entropy := p.gradient(g, w, loss)
		best = math.Max(best, value-p.NormSq(g)/(2*p.Lambda)-temp*entropy)
	}
	return best
}

func (p *Risk) check(w []float64) {
	if len(w) != p.Dim {
		panic("models: len(w) != Dim")
	}
}
