package nonlocal_test

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/nonlocal"
)

// verb is an energy that favours sequences in which label 1 occurs once: L(μ) = ψ/2 (Σ_t μ_t(1) − 1)², for ψ ≥ 0.
type verb struct {
	length int
	psi    []float64
}

func (e verb) missing(mu []float64) float64 {
	n := -1.0
	for t := range e.length {
		n += mu[2*t+1]
	}
	return n
}

func (e verb) Value(mu []float64) float64 {
	return max(0, e.psi[0]) / 2 * e.missing(mu) * e.missing(mu)
}

func (e verb) AddGradient(g, mu []float64, c float64) {
	for t := range e.length {
		g[2*t+1] += c * max(0, e.psi[0]) * e.missing(mu)
	}
}

func (e verb) Convex() bool    { return true }
func (e verb) Parameters() int { return 1 }

// AddParameterGradient implements energy.Parametric. The derivative of ∇L (see verb) by ψ is Σ_t μ_t(1) − 1 for each
// part that is label 1, and 0 for the others.
func (e verb) AddParameterGradient(dpsi, mu, s []float64) {
	dpsi[0] -= e.missing(mu) * (e.missing(s) - e.missing(mu))
}

// ExampleEnergies adds a user-defined energy to a chain. The strength of the energy is a weight like the others, and
// any solver that uses gradients can learn it.
func ExampleEnergies() {
	sentences := &datasets.Sequences{
		X:     datasets.Rows{N: 7, Dim: 1, Value: []float64{1, 0, 1, 1, -1, 1, 1}},
		Start: []int{0, 4, 7}, Y: []int{0, 1, 0, 0, 0, 1, 0}, Labels: []string{"other", "verb"},
	}
	base, err := chain.Model{}.Build(sentences, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := []float64{1, -1, 0, 0, 0, 0} // the weights of the base, as if trained before
	task, err := nonlocal.Energies{
		Start: []float64{0},
		Of: func(psi []float64) func(*models.Example) energy.Parametric {
			return func(e *models.Example) energy.Parametric { return verb{(len(e.Truth) + 1) / 2, psi} }
		},
		By: energy.RDA{MaxCalls: 20, Tol: 1e-6},
	}.Extend(base, w, sentences, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := task.Objective(models.LogLoss(), 0.01).(*models.Risk)
	psi, g := task.Unknowns.(models.Weights).Start, make([]float64, 1)
	for step := range 41 {
		value := p.Gradient(g, psi)
		if step%20 == 0 {
			fmt.Printf("ψ = %.2f, surrogate %.3f\n", psi[0], value)
		}
		psi[0] -= 5 * g[0]
	}
	// Output:
	// ψ = 0.00, surrogate 2.727
	// ψ = 0.73, surrogate 2.722
	// ψ = 0.85, surrogate 2.722
}
