package energy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// TestSurrogateGradient checks the gradients (13), (14) and (17) of log Q(y; μ), with corrected signs, at the solution
// of the inference and with μ fixed, by finite differences: S(y) − μ with respect to θ, and AddParameterGradient with
// respect to the energy's parameters.
func TestSurrogateGradient(t *testing.T) {
	rng := random(41)
	all := labellings(3, 4)
	for _, name := range []string{"smoothed hinge", "words", "counts"} {
		for found, trial := 0, 0; found < 3; trial++ {
			if trial == 50 {
				t.Fatalf("%s: %d solutions that are at no kink", name, found)
			}
			p, chain := chainProblem(t, rng, 3, 4)
			e := someEnergies(t, len(p.Theta), chain.Exp)[name].(energy.Parametric)
			p.Energy = e
			var psi []float64
			switch e := e.(type) {
			case energy.Linear:
				psi = e.Weights
			case energy.Words:
				psi = e.Strength.Psi
			case energy.Counts:
				psi = e.Strength.Psi
				psi[0] = 0.2 // weak, or the solution is at a kink
			}
			for j := range psi {
				if math.Abs(psi[j]) < 0.01 || psi[j] < 0 && name == "smoothed hinge" {
					psi[j] = 0.3
				}
			}
			mu := slices.Clone(energy.Solve(p, energy.Damped{Rho: 0.5, MaxCalls: 5000, Tol: 1e-13}).Mu)
			if r, _ := p.Certify(mu); r > 1e-10 {
				if name != "counts" {
					t.Fatalf("%s: the inference has a residual of %v", name, r)
				}
				continue // at a kink
			}
			found++
			y := all[rng.IntN(len(all))]
			s := indicator(y, len(mu))
			const h = 1e-5
			central := func(x *float64) float64 {
				before := *x
				*x = before + h
				up := p.Surrogate(mu, y)
				*x = before - h
				down := p.Surrogate(mu, y)
				*x = before
				return (up - down) / (2 * h)
			}
			for r := range p.Theta {
				if want := central(&p.Theta[r]); math.Abs(s[r]-mu[r]-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%s: derivative by score %d is %v: by finite differences %v", name, r, s[r]-mu[r], want)
				}
			}
			d := make([]float64, len(psi))
			e.AddParameterGradient(d, mu, s)
			for j := range psi {
				if want := central(&psi[j]); math.Abs(d[j]-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%s: derivative by parameter %d is %v: by finite differences %v", name, j, d[j], want)
				}
			}
		}
	}
}

// TestSurrogateLearns checks that, where the solution satisfies the surrogate's equations, learning by its gradient
// raises it: a few steps of algorithm 2 for the strength of an energy that agrees with the labelling.
func TestSurrogateLearns(t *testing.T) {
	p, chain := chainProblem(t, random(42), 3, 4)
	word := []int{2, 0, 1, 1}
	psi := []float64{0}
	p.Energy = energy.Words{Vocabulary: vocabulary(t, 3, word, []int{0, 0, 0, 2}), Length: 4,
		Strength: energy.Strength{Psi: psi}}
	var y models.Vertex
	for pos, label := range word {
		y = append(y, pos*3+label)
	}
	for pos := range 3 {
		y = append(y, 12+pos*9+word[pos]*3+word[pos+1])
	}
	slices.Sort(y)
	s, before := indicator(y, len(p.Theta)), math.Inf(-1)
	for pos, label := range word {
		p.Theta[pos*3+label] += 3 // the nearest word is the true one
	}
	for range 30 {
		mu := slices.Clone(energy.Solve(p, energy.RDA{MaxCalls: 50, Tol: 1e-9}).Mu)
		value := p.Surrogate(mu, y)
		if value < before {
			t.Errorf("log Q falls from %v to %v at ψ = %v", before, value, psi[0])
		}
		before = value
		d := []float64{0}
		p.Energy.(energy.Parametric).AddParameterGradient(d, mu, s)
		psi[0] += 0.5 * d[0]
	}
	if psi[0] < 0.3 || !energy.Solve(p, energy.RDA{MaxCalls: 50}).Predict(nil, chain.Max).Equal(y) {
		t.Errorf("ψ ends at %v", psi[0])
	}
}
