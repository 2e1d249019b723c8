package energy

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Problem is inference with an energy for one example:
//
//	min_μ F(μ) = −H(μ) − θ·μ + L(μ)
//
// Every algorithm keeps an average ḡ of gradients of L and the marginals μ = MARG(θ − cḡ) of the base model at these
// tilted scores. So every μ is the marginals of a distribution, and its entropy is exact, log Z − μ·(θ − cḡ).
//
// A Problem holds the working memory of the algorithms. Set new scores and another energy to use it for the next
// example; then nothing is allocated. It must not be copied, nor used by two goroutines at once.
type Problem struct {
	Theta  []float64
	Oracle models.ExpOracle
	Energy Energy
	// Entropy is nil, or H of any marginals, such as models.ChainEntropy or that of an Entropic polytope. Objective
	// needs it.
	Entropy func(mu []float64) float64

	memory
}

// Entropic is an optional interface of a models.Polytope: H of any marginals in it, where there is a formula.
type Entropic interface {
	models.Polytope
	Entropy(mu []float64) float64
}

// Inference is an algorithm for a Problem.
type Inference interface {
	Supports(p *Problem) error
	// Run yields the base model's marginals and then each further iterate, until the algorithm's tolerance or cap is
	// reached. The caller may stop at any iterate; all are feasible. Run panics if Supports returns an error.
	Run(p *Problem) iter.Seq[Iterate]
}

// Iterate is one step of inference. Its slices are borrowed from the problem until the loop body returns; those of
// Solve's result, until the problem is used again.
type Iterate struct {
	Step  int // 0 is the base model
	Calls int // of the marginal oracle so far
	// Mu are the marginals at the scores Tilted, the last iterate. Average is what the algorithm's convergence theorem is
	// about: a mean of all Mu so far. In Damped the theorem is about Mu, so Average is Mu.
	Mu, Tilted, Average []float64
	Change              float64 // |μ_t − μ_{t−1}|_∞ over the parts that L reads; +Inf at step 0
	// Bound is a lower bound of min F. RDA with β = 0 has it for free where L is convex: it is the minimum with the mean
	// of the tangents so far in place of L. Otherwise it is −Inf; see Certify.
	Bound float64
	Rate  float64 // ρ, weight of the newest gradient in ḡ

	logZ    float64
	problem *Problem
}

// Value returns F(Mu). It evaluates L. Its rounding error is that of the tilted scores, which are huge after a huge
// gradient.
func (it Iterate) Value() float64 {
	p := it.problem
	value := p.Energy.Value(it.Mu) - it.logZ
	for r, m := range it.Mu[:p.lead] {
		value -= m * (p.Theta[r] - it.Tilted[r])
	}
	return value
}

// Predict returns the best labelling at the tilted scores, which is the mode of the distribution at which inference
// ends. (The best labels of single parts may not fit together.)
func (it Iterate) Predict(dst models.Vertex, best models.MaxOracle) models.Vertex {
	y, _ := best.Max(dst, it.Tilted)
	return y
}

// Solve runs the algorithm to its end and returns the last iterate.
func Solve(p *Problem, by Inference) Iterate {
	var last Iterate
	for it := range by.Run(p) {
		last = it
	}
	return last
}

// Check returns an error if the problem lacks an oracle, an energy or scores.
func (p *Problem) Check() error {
	switch {
	case p.Oracle == nil:
		return errors.New("energy: the problem has no marginal oracle: this model cannot sum over labellings")
	case p.Energy == nil:
		return errors.New("energy: the problem has no energy")
	case len(p.Theta) == 0:
		return errors.New("energy: the problem has no part scores")
	}
	return nil
}

// checkCap checks what all algorithms require of a problem and of the cap on oracle calls.
func (p *Problem) checkCap(name string, maxCalls int, tol float64) error {
	switch err := p.Check(); {
	case err != nil:
		return err
	case maxCalls < 1:
		return fmt.Errorf("energy: %s: max_calls is %d: want at least 1, the base model's marginals", name, maxCalls)
	case !(tol >= 0):
		return fmt.Errorf("energy: %s: tol is %v: want 0 or more", name, tol)
	}
	return nil
}

// Objective returns F(μ) of any marginals. It needs Entropy.
func (p *Problem) Objective(mu []float64) float64 {
	if p.Entropy == nil {
		panic("energy: Objective needs the entropy")
	}
	return p.Energy.Value(mu) - p.Entropy(mu) - dot(p.Theta, mu)
}

// Certify returns how far marginals are from solving the problem, at the cost of one oracle call. residual is |MARG(θ −
// ∇L(μ)) − μ|_∞. It is zero at a stationary point of F (proposition 1) where L is differentiable. For convex L, bound
// is the minimum with the tangent at μ in place of L, which is at most min F; otherwise it is −Inf.
func (p *Problem) Certify(mu []float64) (residual, bound float64) {
	p.tiltAt(mu)
	bound = math.Inf(-1)
	if p.Energy.Convex() {
		bound = p.Energy.Value(mu) + dot(p.other, mu) - dot(p.Theta, mu) // L(μ) − ∇L(μ)·μ
	}
	bound -= p.Oracle.LogSum(p.otherMu, p.other)
	for r, m := range p.otherMu {
		residual = max(residual, math.Abs(m-mu[r]))
	}
	return residual, bound
}

// Surrogate returns log Q(y; μ), where Q is the distribution with scores θ − ∇L(μ). It is a term of (12), which
// learning maximises. It costs one oracle call. If μ solves the problem, its gradient with respect to θ is S(y) − μ,
// and that with respect to the energy's parameters is the one of Parametric.
func (p *Problem) Surrogate(mu []float64, y models.Vertex) float64 {
	p.tiltAt(mu)
	return y.Dot(p.other) - p.Oracle.LogSum(nil, p.other)
}

// tiltAt writes θ − ∇L(μ) into other.
func (p *Problem) tiltAt(mu []float64) {
	checkLengths(len(mu), len(p.Theta), "marginals")
	p.other, p.otherMu = scratch.Grow(p.other, len(mu)), scratch.Grow(p.otherMu, len(mu))
	copy(p.other, p.Theta)
	p.Energy.AddGradient(p.other, mu, -1)
}

func dot(x, y []float64) float64 {
	var s float64
	for r, v := range x {
		s += v * y[r]
	}
	return s
}

// memory is the working memory of a run. All slices have a number for each part; of the gradients only the first lead
// numbers are in use.
type memory struct {
	lead                int
	gradient, mean      []float64 // ∇L at the last point of tangency, and ḡ
	tilted, mu, average []float64
	next                []float64 // the marginals of the step that is being taken

	// of Damped: its trials', ∇L and ḡ; ρ of the last step and of the next trial
	trialGradient, trialMean []float64
	rate, trialRate          float64
	started, retried         bool // whether ∇L(μ) is known; whether a trial has failed since the last step

	other, otherMu []float64 // working memory of Certify and Surrogate, apart from that of a run

	convex      bool
	logZ        float64 // at tilted
	value       float64 // L(μ), in Damped with a non-convex L
	intercept   float64 // of RDA: mean of L(μ) − ∇L(μ)·μ; the tangents' mean is intercept + ḡ·μ
	lipschitz   float64 // of Accelerated
	bound       float64 // of Iterate
	change      float64
	step, calls int
}
