// Package energy adds global knowledge to a model: knowledge that scores of parts cannot express. This knowledge has
// the form of an energy L(μ), which can be any function of all marginals of an example. For example, energies express
// "about as many first names as last names", "the letters spell some word of the dictionary", or "this number of birds
// was counted here". Inference becomes
//
//	min_μ F(μ) = −H(μ) − θ·μ + L(μ)   over the marginals of distributions over labellings,
//
// where H is the entropy and θ are the part scores (Vilnis, Belanger, Sheldon and McCallum 2015, "Bethe projections for
// non-local inference"). Besides the energy, inference needs only the model's exp-oracle:
//
//	p := &energy.Problem{Theta: theta, Oracle: example.Exp, Energy: energy.Linear{...}}
//	last := energy.Solve(p, energy.RDA{MaxCalls: 50, Tol: 1e-6})
//	y := last.Predict(nil, example.Max)
//
// RDA is algorithm 1 of Vilnis et al. 2015. Accelerated is a variant for energies with a Lipschitz continuous gradient.
// Damped is a variant with a safeguard, for all other energies. A new energy needs little code (see Example in
// example_test.go). The package does not train models. But if an energy has parameters, the package computes the
// gradient by these parameters, which training needs (see Parametric). Package models/nonlocal combines a base model
// and an energy into one model.
package energy

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
)

// Energy is a function L of the marginals μ of one example.
type Energy = models.Energy

// Smooth is an optional interface of an energy whose gradient is Lipschitz continuous: |∇L(μ) − ∇L(ν)|₂ ≤ Lipschitz()
// |μ − ν|₂. The constant may be +Inf. It may be expensive to compute.
type Smooth interface {
	Energy
	Lipschitz() float64
}

// Leading is an optional interface of an energy that depends only on the first Leading() parts. In a chain, for
// example, the marginals of positions come first. Inference then does not change the scores of the other parts.
type Leading interface {
	Energy
	Leading() int
}

// Parametric is an optional interface of an energy with parameters ψ that can be learned. Let s = S(y) be the indicator
// of the true labelling and μ the result of inference. AddParameterGradient adds the gradient by ψ of the surrogate
// log-likelihood log Q(y; μ), where Q is the distribution with scores θ − ∇L_ψ(μ):
//
//	dψ ← dψ − (∂/∂ψ ∇L_ψ(μ))ᵀ (s − μ)
//
// This is equation (14) of Vilnis et al. 2015 with the opposite sign. The sign here follows from the term −∇L in the
// scores. The gradient by θ is s − μ, as usual.
type Parametric interface {
	Energy
	Parameters() int // number of parameters ψ
	AddParameterGradient(dpsi, mu, s []float64)
}

// Sum is the energy L_1 + L_2 + ... Its parameters are the parameters of its Parametric terms, one after the other.
type Sum []Energy

var (
	_ Smooth     = Sum(nil)
	_ Leading    = Sum(nil)
	_ Parametric = Sum(nil)
)

// Value implements Energy.
func (s Sum) Value(mu []float64) float64 {
	var v float64
	for _, e := range s {
		v += e.Value(mu)
	}
	return v
}

// AddGradient implements Energy.
func (s Sum) AddGradient(g, mu []float64, c float64) {
	for _, e := range s {
		e.AddGradient(g, mu, c)
	}
}

// Convex implements Energy. It reports whether all terms are convex.
func (s Sum) Convex() bool {
	for _, e := range s {
		if !e.Convex() {
			return false
		}
	}
	return true
}

// Lipschitz implements Smooth. It returns the sum of the terms' Lipschitz constants.
func (s Sum) Lipschitz() float64 {
	var v float64
	for _, e := range s {
		v += lipschitz(e)
	}
	return v
}

// Leading implements the interface Leading: it returns the largest number of leading parts that a term depends on.
func (s Sum) Leading() int {
	var n int
	for _, e := range s {
		n = max(n, leading(e, math.MaxInt))
	}
	return n
}

// Parameters implements Parametric.
func (s Sum) Parameters() int {
	var n int
	for _, e := range s {
		n += parameters(e)
	}
	return n
}

// AddParameterGradient implements Parametric.
func (s Sum) AddParameterGradient(dpsi, mu, labelling []float64) {
	checkLengths(len(dpsi), s.Parameters(), "derivatives by parameters")
	for _, e := range s {
		if e, ok := e.(Parametric); ok {
			n := e.Parameters()
			e.AddParameterGradient(dpsi[:n], mu, labelling)
			dpsi = dpsi[n:]
		}
	}
}

// lipschitz returns the Lipschitz constant of an energy's gradient, or +Inf if the energy is not Smooth.
func lipschitz(e Energy) float64 {
	if e, ok := e.(Smooth); ok {
		return e.Lipschitz()
	}
	return math.Inf(1)
}

// leading returns the number of leading parts, or the number of all parts if the energy is not Leading.
func leading(e Energy, parts int) int {
	if e, ok := e.(Leading); ok {
		return min(e.Leading(), parts)
	}
	return parts
}

// parameters returns the number of parameters of an energy, 0 if it is not Parametric.
func parameters(e Energy) int {
	if e, ok := e.(Parametric); ok {
		return e.Parameters()
	}
	return 0
}

// checkLengths panics if a slice has the wrong length.
func checkLengths(got, want int, what string) {
	if got != want {
		panic(fmt.Sprintf("energy: %d %s: want %d", got, what, want))
	}
}

// checkLeast panics if an energy gets too few marginals.
func checkLeast(got, want int) {
	if got < want {
		panic(fmt.Sprintf("energy: %d marginals: want at least %d, which the energy reads", got, want))
	}
}

// sign returns −1, 0 or 1.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
