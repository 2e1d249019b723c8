package nonlocal

import (
	"fmt"
	"iter"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// example is the feature map and the oracles of one example of the base with its energy. Its parts are the n parts of
// the base, then the parameters ψ of the energy.
type example struct {
	*layer
	below    models.Example    // the example of the base
	strength models.FeatureMap // the map B_i of the example (see Energies); nil: the identity
	scores   []float64         // the part scores A w of the base, if the base is frozen
}

// work is the working memory of one call. It stores its closures, so that a call does not allocate them.
type work struct {
	psi     []float64
	of      func(*models.Example) energy.Parametric
	truth   []float64 // S(y), the indicator of the true labelling y
	change  []float64 // gradient of log Q(y; μ) by ψ (see LogSum)
	problem energy.Problem
	run     iter.Seq[energy.Iterate]
	keep    func(energy.Iterate) bool
	last    energy.Iterate
}

var (
	_ models.FeatureMap = (*example)(nil)
	_ models.Layered    = (*example)(nil)
	_ models.ExpOracle  = (*example)(nil)
	_ models.MaxOracle  = (*example)(nil)
	_ models.Polytope   = (*example)(nil)
)

// begin returns an error if inference would fail. If the base's weights are fixed, it computes the part scores. i is
// the number of the example, for messages.
func (x *example) begin(i int) error {
	n := x.below.Features.Parts()
	if x.below.Exp == nil || x.below.Max == nil {
		return fmt.Errorf("example %d of model %s has no exp-oracle or no max-oracle: want a base with both, such as "+
			"chain", i, x.base.Model)
	}
	if x.strength != nil && x.strength.Parts() != x.parts {
		return fmt.Errorf("the energy of example %d has %d parameters: want %d as for example 0", i, x.strength.Parts(),
			x.parts)
	}
	s := x.working()
	defer x.pool.Put(s)
	e := s.of(&x.below)
	if e == nil || e.Parameters() != x.parts {
		return fmt.Errorf("the energy of example %d is %T: want one with %d parameters", i, e, x.parts)
	}
	if err := x.By.Supports(&energy.Problem{Theta: make([]float64, n), Oracle: x.below.Exp, Energy: e}); err != nil {
		return err
	}
	if !x.Trained {
		x.scores = make([]float64, n)
		x.below.Features.Score(x.scores, x.w)
	}
	return nil
}

// working returns working memory from the layer's pool.
func (l *layer) working() *work {
	s := l.pool.Get()
	if s.run == nil {
		s.psi, s.change = make([]float64, l.parts), make([]float64, l.parts)
		s.of = l.Of(s.psi)
		s.run = l.By.Run(&s.problem)
		s.keep = func(it energy.Iterate) bool { s.last = it; return true }
	}
	return s
}

// Base implements models.Layered.
func (x *example) Base() models.FeatureMap { return x.below.Features }

// Parts implements models.FeatureMap. The parts are the parts of the base and the parameters of the energy.
func (x *example) Parts() int { return x.below.Features.Parts() + x.parts }

// Score implements models.FeatureMap.
func (x *example) Score(theta, w []float64) {
	n, v := x.split(theta, w)
	if x.Trained {
		x.below.Features.Score(theta[:n], w[:len(w)-len(v)])
	} else {
		copy(theta, x.scores)
	}
	if x.strength != nil {
		x.strength.Score(theta[n:], v)
		return
	}
	copy(theta[n:], v)
}

// AddAdjoint implements models.FeatureMap.
func (x *example) AddAdjoint(w []float64, c float64, mu []float64) {
	n, v := x.split(mu, w)
	if x.Trained {
		x.below.Features.AddAdjoint(w[:len(w)-len(v)], c, mu[:n])
	}
	if x.strength != nil {
		x.strength.AddAdjoint(v, c, mu[n:])
		return
	}
	for j, m := range mu[n:] {
		v[j] += c * m
	}
}

// split checks the lengths. It returns the number n of the base's parts, and the weights v of the energy, which are the
// last components of w.
func (x *example) split(parts, w []float64) (n int, v []float64) {
	n = len(parts) - x.parts
	if n != x.below.Features.Parts() {
		panic("nonlocal: len(theta) != Parts()")
	}
	before := 0
	if x.Trained {
		before = x.base.Dim()
	}
	if len(w) != before+len(x.Start) {
		panic("nonlocal: len(w) != Dim")
	}
	return n, w[before:]
}

// LogSum implements models.ExpOracle. It returns a value for which the log loss LogSum(θ) − θ·S(y) of the true
// labelling y is the surrogate −log Q(y; μ) of equation (12) of Vilnis et al. (2015). S(y) is the indicator of y. With
// the marginals μ at which inference ends,
//
//	Q(y; μ) = exp(ρ·S(y) − log Z(ρ)),   ρ = θ − ∇L_ψ(μ)
//
// where Z is the partition function of the base and L_ψ the energy. LogSum writes marginals that, minus S(y), are the
// gradient of the loss at fixed μ: μ for the parts of the base, and −∂ log Q(y; μ)/∂ψ for the parameters (equations 13
// to 17; the paper prints the gradient by ψ with the wrong sign). The gradient by θ at fixed μ is exact only if
// inference has converged. A call needs one more oracle call of the base than inference.
func (x *example) LogSum(mu, theta []float64) float64 {
	s := x.infer(theta)
	defer x.release(s)
	truth := x.below.Truth
	value := truth.Dot(theta) - s.problem.Surrogate(s.last.Mu, truth)
	if mu == nil {
		return value
	}
	if len(mu) != len(theta) {
		panic("nonlocal: len(mu) != len(theta)")
	}
	n := len(s.last.Mu)
	s.truth = scratch.Grow(s.truth, n)
	clear(s.truth)
	for _, r := range truth {
		s.truth[r]++
	}
	clear(s.change)
	s.problem.Energy.(energy.Parametric).AddParameterGradient(s.change, s.last.Mu, s.truth)
	copy(mu, s.last.Mu)
	for j, d := range s.change {
		mu[n+j] = -d
	}
	return value
}

// Max implements models.MaxOracle. It returns the best labelling at the tilted scores at which inference ends, and its
// value at these scores.
func (x *example) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	s := x.infer(theta)
	defer x.release(s)
	return x.below.Max.Max(dst, s.last.Tilted)
}

// Infeasibility implements models.Polytope. It returns the infeasibility of the base's marginals.
func (x *example) Infeasibility(mu []float64) float64 {
	return x.below.Polytope.Infeasibility(mu[:len(mu)-x.parts])
}

// infer runs the inference algorithm until it ends.
func (x *example) infer(theta []float64) *work {
	n := x.below.Features.Parts()
	if len(theta) != n+x.parts {
		panic("nonlocal: len(theta) != Parts()")
	}
	s := x.working()
	copy(s.psi, theta[n:])
	s.problem.Theta, s.problem.Oracle, s.problem.Energy = theta[:n], x.below.Exp, s.of(&x.below)
	s.run(s.keep)
	return s
}

// release returns working memory to the pool, without the reference to the caller's scores.
func (x *example) release(s *work) {
	s.problem.Theta = nil
	x.pool.Put(s)
}

// layer has the settings and the memory that the examples of a task share.
type layer struct {
	Energies
	base  *models.Task
	w     []float64 // weights of the base, as the earlier run trained them
	parts int       // number of parameters ψ of the energies; −1 before the first example
	pool  scratch.Pool[work]
}
