package energy

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Problem is the problem of inference with an energy for one example:
//
//	min_μ F(μ) = −H(μ) − θ·μ + L(μ)
//
// Every algorithm keeps an average ḡ of gradients of L. Its iterates are the marginals μ = MARG(θ − cḡ) of the base
// model at the tilted scores θ − cḡ. The factor c depends on the algorithm and the step; it is 1 for Damped. So every μ
// belongs to a distribution, and its entropy is exactly log Z − μ·(θ − cḡ).
//
// A Problem has the working memory of the algorithms. To reuse it for the next example without allocations, set Theta
// and Energy again. Do not copy a Problem, and do not use it in two goroutines at once.
type Problem struct {
	Theta  []float64        // θ, the part scores of the base model
	Oracle models.ExpOracle // exp-oracle of the base model
	Energy Energy           // L, the energy that inference adds
	// Entropy computes H of any marginals, as models.ChainEntropy or the method of an Entropic polytope does. Only
	// Objective needs it. It may be nil.
	Entropy func(mu []float64) float64

	memory
}

// Entropic is an optional interface of a models.Polytope that has a formula for the entropy H of any marginals in it.
type Entropic interface {
	models.Polytope
	Entropy(mu []float64) float64
}

// Inference is an algorithm for a Problem.
type Inference interface {
	Supports(p *Problem) error
	// Run yields the base model's marginals and then each further iterate. It ends at the algorithm's tolerance or largest
	// number of oracle calls. The caller may stop at any iterate, since all iterates are feasible. Run panics if Supports
	// returns an error.
	Run(p *Problem) iter.Seq[Iterate]
}

// Iterate is the result of one step of inference. Its slices belong to the problem and are valid until the loop body
// returns. In the result of Solve they are valid until the problem is used again.
type Iterate struct {
	Step  int // number of steps so far; 0 for the base model
	Calls int // number of oracle calls so far
	// Mu are the marginals at the scores Tilted. Average is the weighted mean of all Mu so far for which the algorithm's
	// convergence theorem holds. In Damped the theorem holds for Mu, so Average is Mu.
	Mu, Tilted, Average []float64
	Change              float64 // largest change in this step of a marginal that L depends on; +Inf at step 0
	// Bound is a lower bound of the optimum min F (see Problem). If L is convex, RDA with β = 0 computes Bound without
	// further oracle calls: Bound is the minimum of F with L replaced by the mean of the tangents of L so far. In all
	// other cases Bound is −Inf; use Certify.
	Bound float64
	Rate  float64 // ρ, the weight of the newest gradient in the mean ḡ of the gradients

	logZ    float64
	problem *Problem
}

// Value returns F(Mu). Each call evaluates L. The rounding error of the value is proportional to the tilted scores,
// which are huge after a huge gradient.
func (it Iterate) Value() float64 {
	p := it.problem
	value := p.Energy.Value(it.Mu) - it.logZ
	for r, m := range it.Mu[:p.lead] {
		value -= m * (p.Theta[r] - it.Tilted[r])
	}
	return value
}

// Predict returns the best labelling at the tilted scores. It is the mode of the distribution whose marginals are Mu.
// (The most probable parts, chosen one by one, may not form a labelling.)
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
		return errors.New("energy: the problem has no exp-oracle: the model cannot sum over labellings")
	case p.Energy == nil:
		return errors.New("energy: the problem has no energy")
	case len(p.Theta) == 0:
		return errors.New("energy: the problem has no part scores")
	}
	return nil
}

// checkCap checks what all algorithms require: a complete problem, and valid settings max_calls and tol.
func (p *Problem) checkCap(name string, maxCalls int, tol float64) error {
	switch err := p.Check(); {
	case err != nil:
		return err
	case maxCalls < 1:
		return fmt.Errorf("energy: %s: max_calls is %d: want at least 1, for the base model's marginals", name, maxCalls)
	case !(tol >= 0):
		return fmt.Errorf("energy: %s: tol is %v: want 0 or more", name, tol)
	}
	return nil
}

// Objective returns the objective F(μ) for any marginals μ. It panics if Entropy is nil.
func (p *Problem) Objective(mu []float64) float64 {
	if p.Entropy == nil {
		panic("energy: Objective needs Problem.Entropy")
	}
	return p.Energy.Value(mu) - p.Entropy(mu) - dot(p.Theta, mu)
}

// Certify measures how far marginals μ are from solving the problem. It costs one oracle call. residual is |MARG(θ −
// ∇L(μ)) − μ|_∞. If L is differentiable at μ, residual is zero exactly at stationary points of F (Vilnis et al. 2015,
// proposition 1). For convex L, bound is a lower bound of min F: the minimum of F with L replaced by its tangent at μ.
// Otherwise bound is −Inf.
func (p *Problem) Certify(mu []float64) (residual, bound float64) {
	p.tiltAt(mu)
	bound = math.Inf(-1)
	if p.Energy.Convex() {
		bound = p.Energy.Value(mu) + dot(p.other, mu) - dot(p.Theta, mu) // L(μ) − ∇L(μ)·μ: other is θ − ∇L(μ)
	}
	bound -= p.Oracle.LogSum(p.otherMu, p.other)
	for r, m := range p.otherMu {
		residual = max(residual, math.Abs(m-mu[r]))
	}
	return residual, bound
}

// Surrogate returns log Q(y; μ), where Q is the distribution with scores θ − ∇L(μ). Learning maximises the sum of these
// values over the examples (Vilnis et al. 2015, equation 12). A call of Surrogate costs one oracle call. Let μ solve
// the problem, and let S(y) be the indicator of the labelling y. Then the gradient of log Q by θ is S(y) − μ, and
// Parametric gives the gradient by the parameters of the energy.
func (p *Problem) Surrogate(mu []float64, y models.Vertex) float64 {
	p.tiltAt(mu)
	return y.Dot(p.other) - p.Oracle.LogSum(nil, p.other)
}

// tiltAt writes the tilted scores θ − ∇L(μ) to p.other.
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

// memory is the working memory of a run. Each slice has one number per part. In slices of gradients, only the first
// lead numbers are used.
type memory struct {
	lead                int       // number of leading parts of the energy
	gradient, mean      []float64 // the last gradient ∇L, and the mean ḡ of the gradients
	tilted, mu, average []float64 // the fields Tilted, Mu and Average of Iterate
	next                []float64 // the marginals that the current step computes

	// Fields of Damped: ∇L and ḡ of the present trial; the weight ρ of the last step and of the next trial; whether
	// ∇L(μ) is known (started); whether a trial has failed since the last step (retried).
	trialGradient, trialMean []float64
	rate, trialRate          float64
	started, retried         bool

	other, otherMu []float64 // working memory of Certify and Surrogate, which must not disturb a run

	convex      bool
	logZ        float64 // the log-partition log Z at the scores tilted
	value       float64 // the energy L(μ); used by Damped if L is not convex
	intercept   float64 // for RDA: mean of L(μ) − ∇L(μ)·μ; the mean of the tangents is intercept + ḡ·μ
	lipschitz   float64 // for Accelerated: ℓ, the Lipschitz constant of ∇L
	bound       float64 // the field Bound of Iterate
	change      float64 // the field Change of Iterate
	step, calls int
}
