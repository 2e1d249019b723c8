package energy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// BenchmarkIteration measures inference on a chain like a handwritten word, with 26 labels and 8 positions, and a
// vocabulary of 55 words. It reports the time per oracle call, including the other work of an iteration. The case
// "none" measures the oracle alone.
func BenchmarkIteration(b *testing.B) {
	const k, l = 26, 8
	rng := random(61)
	words := make([][]int, 55)
	for i := range words {
		words[i] = make([]int, 3+rng.IntN(12))
		if i%4 == 0 {
			words[i] = make([]int, l)
		}
		for t := range words[i] {
			words[i][t] = rng.IntN(k)
		}
	}
	v := vocabulary(b, k, words...)
	for _, edges := range []string{"tied", "untied"} {
		chain := chainOf(b, k, l, edges)
		theta := examples.Normals(rng, chain.Features.Parts(), 1)
		for _, name := range []string{"none", "words", "counts", "poisson", "measurements"} {
			p := &energy.Problem{Theta: theta, Oracle: chain.Exp, Energy: benchEnergy(b, rng, name, v, chain, k, l)}
			for _, by := range []energy.Inference{energy.RDA{MaxCalls: 20}, energy.Damped{Rho: 0.5, MaxCalls: 20}} {
				kind := map[bool]string{true: "rda", false: "damped"}[by == energy.Inference(energy.RDA{MaxCalls: 20})]
				if name == "none" && kind == "damped" {
					continue
				}
				b.Run(edges+"/"+name+"/"+kind, func(b *testing.B) {
					b.ReportAllocs()
					calls := 0
					mu := make([]float64, len(theta))
					for b.Loop() {
						if name == "none" {
							chain.Exp.LogSum(mu, theta)
							calls++
							continue
						}
						calls += energy.Solve(p, by).Calls
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(calls), "ns/call")
					b.ReportMetric(float64(calls)/float64(b.N), "calls/op")
				})
			}
		}
	}
}

func benchEnergy(b *testing.B, rng *rand.Rand, name string, v *energy.Vocabulary, chain models.Example, k,
	l int) energy.Energy {
	switch name {
	case "words":
		return energy.Words{Vocabulary: v, Length: l, Strength: energy.Constant(1)}
	case "counts":
		return energy.Counts{Vocabulary: v, Length: l, Strength: energy.Constant(1)}
	case "poisson":
		return randomPoisson(b, rng, chain.Exp, k*l, chain.Features.Parts())
	case "measurements":
		e, err := energy.NewTotals(k, l, measurements(rng, k, 100, true))
		if err != nil {
			b.Fatal(err)
		}
		return e
	}
	return nil
}
