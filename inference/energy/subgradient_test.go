package energy_test

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
)

// TestSubgradientDistance compares SubgradientDistance with a search over the graph of the subdifferential. The example
// has one position with the labels 0 and 1. The only word of the vocabulary is the label 0. So L is ψ(|1 − μ_0| +
// |μ_1|) for Words and ψ(|1 − U_0| + |U_1|) for Counts, with the expected label counts U.
func TestSubgradientDistance(t *testing.T) {
	const psi, step = 1.5, 0.01
	v := vocabulary(t, 2, []int{0})
	graph := func(x, g float64) float64 { // distance of (x, g) from the graph of the subdifferential of ψ|x|
		best := math.Inf(1)
		for at := -1.0; at <= 1+step/2; at += step {
			if h := math.Copysign(psi, at); math.Abs(at) > step/2 {
				best = min(best, max(math.Abs(at-x), math.Abs(h-g)))
			}
		}
		for h := -psi; h <= psi+step/2; h += step {
			best = min(best, max(math.Abs(x), math.Abs(h-g)))
		}
		return best
	}
	for name, e := range map[string]energy.Kinked{
		"words":  energy.Words{Vocabulary: v, Length: 1, Strength: energy.Constant(psi)},
		"counts": energy.Counts{Vocabulary: v, Length: 1, Strength: energy.Constant(psi)},
	} {
		rng := random(51)
		for range 200 {
			m := rng.Float64()
			mu, g := []float64{m, 1 - m}, []float64{5 * (rng.Float64() - 0.5), 5 * (rng.Float64() - 0.5)}
			want := max(graph(m-1, g[0]), graph(1-m, g[1]))
			if d := e.SubgradientDistance(mu, g); math.Abs(d-want) > 1.01*step {
				t.Errorf("%s: distance of %v and %v = %v, want %v", name, mu, g, d, want)
			}
			gradient := make([]float64, 2)
			e.AddGradient(gradient, mu, 1)
			if d := e.SubgradientDistance(mu, gradient); d != 0 {
				t.Errorf("%s: distance of the gradient at %v from the subdifferential = %v, want 0", name, mu, d)
			}
		}
	}
}

// TestRDAReachesKinks checks that RDA converges to solutions at a kink of L. There L has no gradient, so the residual
// of Certify does not go to 0. But SubgradientDistance falls as 1/t.
func TestRDAReachesKinks(t *testing.T) {
	rng := random(52)
	kinks := 0
	for range 20 {
		p, _ := chainProblem(t, rng, 3, 4)
		p.Energy = energy.Counts{Vocabulary: vocabulary(t, 3, []int{2, 0, 1, 1}, []int{0, 0, 0, 2}), Length: 4,
			Strength: energy.Constant(2)}
		it := energy.Solve(p, energy.RDA{MaxCalls: 4000})
		if r, _ := p.Certify(it.Mu); r > 0.1 {
			kinks++
		}
		if d := it.SubgradientDistance(); d > 0.01 {
			t.Errorf("distance from the subdifferential after %[2]d calls = %[1]v, want at most 0.01", d, it.Calls)
		}
	}
	if kinks < 5 {
		t.Errorf("solutions at a kink = %d, want at least 5", kinks)
	}
}
