package energy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// TestSurrogateGradient checks the gradients in equations (13), (14) and (17) of Vilnis et al. 2015, with corrected
// signs. They are gradients of log Q(y; μ) (see Problem.Surrogate). The test compares them with finite differences with
// fixed μ, where μ is the result of inference. The gradient by θ is S(y) − μ. The gradient by the parameters of the
// energy is AddParameterGradient.
func TestSurrogateGradient(t *testing.T) {
	rng := random(41)
	all := labellings(3, 4)
	for _, name := range []string{"smoothed hinge", "words", "counts"} {
		for found, trial := 0, 0; found < 3; trial++ {
			if trial == 50 {
				t.Fatalf("%s: solutions that are not at a kink = %d, want 3 in 50 trials", name, found)
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
				psi[0] = 0.2 // a small strength, since otherwise the solution is at a kink
			}
			for j := range psi {
				if math.Abs(psi[j]) < 0.01 || psi[j] < 0 && name == "smoothed hinge" {
					psi[j] = 0.3
				}
			}
			mu := slices.Clone(energy.Solve(p, energy.Damped{Rho: 0.5, MaxCalls: 5000, Tol: 1e-13}).Mu)
			if r, _ := p.Certify(mu); r > 1e-10 {
				if name != "counts" {
					t.Fatalf("%s: residual of the inference = %v, want at most 1e-10", name, r)
				}
				continue // the solution is at a kink, where the energy has no gradient
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
					t.Errorf("%s: derivative by score %d = %v, want %v by finite differences", name, r, s[r]-mu[r], want)
				}
			}
			d := make([]float64, len(psi))
			e.AddParameterGradient(d, mu, s)
			for j := range psi {
				if want := central(&psi[j]); math.Abs(d[j]-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%s: derivative by parameter %d = %v, want %v by finite differences", name, j, d[j], want)
				}
			}
		}
	}
}

// TestSurrogateLearns checks that gradient steps in the strength ψ raise log Q(y; μ), and that inference then predicts
// y. The steps are those of algorithm 2 of Vilnis et al. 2015, for an energy that prefers the true labelling y.
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
		p.Theta[pos*3+label] += 3 // makes the true word the word of the vocabulary nearest to μ
	}
	for range 30 {
		mu := slices.Clone(energy.Solve(p, energy.RDA{MaxCalls: 50, Tol: 1e-9}).Mu)
		value := p.Surrogate(mu, y)
		if value < before {
			t.Errorf("log Q = %v at ψ = %v, want at least %v as before", value, psi[0], before)
		}
		before = value
		d := []float64{0}
		p.Energy.(energy.Parametric).AddParameterGradient(d, mu, s)
		psi[0] += 0.5 * d[0]
	}
	if psi[0] < 0.3 || !energy.Solve(p, energy.RDA{MaxCalls: 50}).Predict(nil, chain.Max).Equal(y) {
		t.Errorf("ψ after learning = %v, want at least 0.3, and the true labelling as the prediction", psi[0])
	}
}
