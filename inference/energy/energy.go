// Package energy adds to a model what its parts cannot say: an energy L(μ), any function of all marginals of an example
// together. "About as many first names as last names", "the letters spell some word of the dictionary", "so many
// birds were counted here" are energies. Inference becomes
//
//	min_μ F(μ) = −H(μ) − θ·μ + L(μ)   over the marginals of distributions over labellings,
//
// H the entropy and θ the part scores (Vilnis, Belanger, Sheldon and McCallum 2015, "Bethe projections for non-local
// inference"). Besides the energy it needs only the model's own marginal oracle:
//
//	p := &energy.Problem{Theta: theta, Oracle: example.Exp, Energy: energy.Linear{...}}
//	last := energy.Solve(p, energy.RDA{MaxCalls: 50, Tol: 1e-6})
//	y := last.Predict(nil, example.Max)
//
// RDA is the paper's algorithm 1, Accelerated its variant for energies with a Lipschitz gradient, Damped the one with a
// safeguard for all others. An energy is little code (see the package's example). The package never trains: it gives
// the gradients of the energies' own parameters. Package models/nonlocal combines base model and energy into one model.
package energy

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
)

// Energy is a function L of the marginals μ of one example: the type in models.Example.
type Energy = models.Energy

// Smooth is an optional interface of an energy whose gradient is Lipschitz continuous: |∇L(μ) − ∇L(ν)|₂ ≤ Lipschitz()
// |μ − ν|₂. The constant may be +Inf, and it may be expensive to compute.
type Smooth interface {
	Energy
	Lipschitz() float64
}

// Leading is an optional interface of an energy whose gradient is zero beyond the first Leading() parts, and that does
// not read the others. In a chain, for example, the marginals of positions come first. Inference then does not change
// the scores of the other parts.
type Leading interface {
	Energy
	Leading() int
}

// Parametric is an optional interface of an energy with parameters ψ of its own, to be learned. With s = S(y) the
// indicator of the true labelling and μ the result of inference, AddParameterGradient adds the gradient of the
// surrogate log-likelihood log Q(y; μ), where Q is the distribution with scores θ − ∇L_ψ(μ):
//
//	dψ ← dψ − (∂/∂ψ ∇L_ψ(μ))ᵀ (s − μ)
//
// This is (14) of the paper, with the sign that follows from the penalty −∇L in the scores; the opposite one is
// printed. The gradient by θ is s − μ, as usual.
type Parametric interface {
	Energy
	Parameters() int // length of ψ
	AddParameterGradient(dpsi, mu, s []float64)
}

// Sum is L_1 + L_2 + ... Its parameters are those of its terms, one after the other. Terms without parameters add none.
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

// Convex implements Energy: all terms are.
func (s Sum) Convex() bool {
	for _, e := range s {
		if !e.Convex() {
			return false
		}
	}
	return true
}

// Lipschitz implements Smooth.
func (s Sum) Lipschitz() float64 {
	var v float64
	for _, e := range s {
		v += lipschitz(e)
	}
	return v
}

// Leading implements Leading.
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

// lipschitz returns the Lipschitz constant of an energy's gradient; +Inf if the energy is not Smooth.
func lipschitz(e Energy) float64 {
	if e, ok := e.(Smooth); ok {
		return e.Lipschitz()
	}
	return math.Inf(1)
}

// leading returns the number of leading parts; all parts if the energy is not Leading.
func leading(e Energy, parts int) int {
	if e, ok := e.(Leading); ok {
		return min(e.Leading(), parts)
	}
	return parts
}

func parameters(e Energy) int {
	if e, ok := e.(Parametric); ok {
		return e.Parameters()
	}
	return 0
}

// checkLengths panics on misuse of shapes.
func checkLengths(got, want int, what string) {
	if got != want {
		panic(fmt.Sprintf("energy: %d %s: want %d", got, what, want))
	}
}

// checkLeast panics if there are too few marginals for an energy.
func checkLeast(got, want int) {
	if got < want {
		panic(fmt.Sprintf("energy: %d marginals: the energy needs %d", got, want))
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
