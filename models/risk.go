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

// N returns the number of examples.
func (p *Risk) N() int { return len(p.Examples) }

// Check returns an error unless λ is positive and finite, the temperature is not negative, and there are examples.
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

// Parallel returns the same risk, whose sums over examples are computed by this many goroutines. The results have the
// same bits.
func (p *Risk) Parallel(workers int) *Risk {
	q := *p
	q.workers = workers
	return &q
}

// Clocked returns the same risk, whose loops pass the work of each additional goroutine to by. by must call it on that
// goroutine; so a harness can add up the CPU time of the threads.
func (p *Risk) Clocked(by func(share func())) *Risk {
	q := *p
	q.clocked = by
	return &q
}

// At returns the same risk with another λ.
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
	Start []float64 // initial w; nil: zero. A solver that cannot start there refuses the risk
	Norm  Norm      // nil: the Euclidean norm
	// Inexact reports that the oracles' marginals are a direction to follow, not the gradient of the value, and that the
	// value need not be convex. Then no lower bound on min P is known, and a line search may fail.
	Inexact bool
}

// Norm is the norm of the weights. It writes K v into dst, where K is the Gram matrix of the basis in which the weights
// are written. Then w holds the coefficients of a kernel expansion, |w|² means wᵀKw, and AddAdjoint adds to the
// coefficients.
type Norm func(dst, v []float64)

func (u Weights) dim() int { return u.Dim }

func (u Weights) objective(examples []Example, loss Loss, lambda float64) Objective {
	return &Risk{Weights: u, Lambda: lambda, Loss: loss, Examples: examples, sums: newSums()}
}

// NormSq returns the squared norm of the function that v represents: |v|², or vᵀK v in the basis of a kernel expansion.
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

// Primal returns P(w). Cost: one Score and one oracle call (value only) per example.
func (p *Risk) Primal(w []float64) float64 {
	p.check(w)
	return p.Lambda/2*p.NormSq(w) + p.losses(p.Examples, p.Loss, w, nil)/float64(len(p.Examples))
}

// Gradient returns P(w) and writes ∇P(w) = λ w + 1/n Σ A_iᵀ(μ_i − 1_{y_i}) into g; a subgradient for the hinge.
// With a Norm it is the gradient in the space of functions, in the basis of w: |∇P|² is gᵀK g.
// Cost: one Score, one oracle call and one AddAdjoint per example; 2 to 8 times Dim floats of scratch.
func (p *Risk) Gradient(g, w []float64) float64 {
	value, _ := p.gradient(g, w, p.Loss)
	return value
}

// gradient evaluates P with another loss in place of p.Loss. It also returns the mean entropy of the induced
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

// Moments are means over the examples, under the distributions that a loss φ induces at weights w.
type Moments struct {
	Loss    float64 // φ_i(A_i w)
	Entropy float64 // H of the distribution; 0 for a loss without a temperature, whose distribution is one labelling
	Cost    float64 // κ cost_i·μ_i, the expected label loss
}

// AddExpectations adds 1/n Σ A_iᵀ(μ_i − 1_{y_i}) to g, where μ_i are the marginals that the loss induces at A_i w. This
// is the gradient of the mean loss, and minus the expected difference of features. The loss may be p.Loss or any other
// that Loss.Marginals accepts. Cost: one Score, one oracle call and one AddAdjoint per example; 2 to 8 times Dim floats
// of scratch.
func (p *Risk) AddExpectations(g, w []float64, loss Loss) Moments {
	return p.AddExpectationsOf(g, w, loss, nil)
}

// AddExpectationsOf does what AddExpectations does, and also calls each with the marginals μ_i of every example. The
// calls come from several goroutines, in any order; each must not keep mu.
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
		if loss.Temp > 0 { // theta now holds the augmented scores s, and H = log Σ exp(s·y) − μ·s
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

// blocks returns the number of partial gradients. It depends on Dim only.
func (p *Risk) blocks() int {
	return min(gradientBlocks, max(2, gradientFloats/max(1, p.Dim)))
}

// Bound returns a lower bound on min P from w alone, for solvers that keep no dual: the dual value at the
// distributions that w induces. With τ > 0 that value is exactly
//
//	D = P(w) − |∇P(w)|² / 2λ,
//
// since w(α) = w − ∇P(w)/λ. For the hinge the distributions are those of the loss smoothed with a temperature τ, and
//
//	D = P_τ(w) − |∇P_τ(w)|² / 2λ − τ · mean entropy;
//
// the best over several temperatures is returned. Each of them is valid, but loose. Bound costs one Gradient per
// temperature; it is NaN where there is no exp-oracle, and for inexact directions.
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
