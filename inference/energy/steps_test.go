package energy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestAcceleratedAverages checks that step t of Accelerated gives its marginals the weight 2/(t + 1) in the average.
func TestAcceleratedAverages(t *testing.T) {
	p, _ := chainProblem(t, random(24), 3, 4)
	p.Energy = measurements(random(25), len(p.Theta), 5, true)
	var average []float64
	for it := range (energy.Accelerated{Sigma: 1, MaxCalls: 20}).Run(p) {
		if it.Step > 0 {
			rho := 2 / float64(it.Step+1)
			for r, m := range it.Mu {
				average[r] += rho * (m - average[r])
				if math.Abs(average[r]-it.Average[r]) > 1e-12 {
					t.Fatalf("step %d: average of part %d = %v, want %v", it.Step, r, it.Average[r], average[r])
				}
			}
		}
		average = slices.Clone(it.Average)
	}
}

// TestDampedRates checks that a failed trial halves ρ, and that a step whose first trial is accepted doubles η = ρ/(1 −
// ρ), at most to its value at Rho.
func TestDampedRates(t *testing.T) {
	const most = 0.9
	rng := random(26)
	p, chain := chainProblem(t, rng, 3, 4)
	failed, grown := 0, 0
	for name, e := range someEnergies(t, len(p.Theta), chain.Exp) {
		p.Theta, p.Energy = examples.Normals(rng, len(p.Theta), 2), e
		s := energy.Damped{Rho: most, MaxCalls: 60}
		if s.Supports(p) != nil {
			continue
		}
		it := s.Begin(p)
		rate, again := most, false
		for !s.Done(p) {
			before := it.Step
			if it = s.Step(p); it.Step == before {
				rate, again = rate/2, true
				failed++
				continue
			}
			if math.Abs(it.Rate-rate) > 1e-15 {
				t.Fatalf("%s, step %d: ρ = %v, want %v", name, it.Step, it.Rate, rate)
			}
			if !again {
				eta := 2 * rate / (1 - rate)
				if longer := min(most, eta/(1+eta)); longer > rate {
					rate = longer
					grown++
				}
			}
			again = false
		}
	}
	if failed == 0 || grown == 0 {
		t.Errorf("failed trials = %d, increases of ρ = %d, want at least 1 of each", failed, grown)
	}
}
