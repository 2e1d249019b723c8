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

// TestDampedRates checks that a failed trial halves ρ, and that a step whose first trial is accepted doubles η =
// ρ/(1 − ρ), at most to its value at Rho.
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

// TestRunIsItsSteps checks that Run yields the iterates of Begin and Step, without the failed trials of Damped, each
// time that the sequence is used: also on another problem after one that took more steps, or after a run that was left.
func TestRunIsItsSteps(t *testing.T) {
	failed := 0
	for _, by := range []energy.Stepwise{energy.RDA{MaxCalls: 12}, energy.Damped{Rho: 0.9, MaxCalls: 40},
		energy.Accelerated{Sigma: 1, MaxCalls: 12, Tol: 1e-3}} {
		var used energy.Problem
		run := by.Run(&used)
		rng := random(27)
		for _, l := range []int{5, 2, 4} {
			p, _ := chainProblem(t, rng, 3, l)
			p.Theta, p.Energy = examples.Normals(rng, len(p.Theta), 3), measurements(rng, len(p.Theta), 9, true)
			used.Theta, used.Oracle, used.Energy = p.Theta, p.Oracle, p.Energy
			for range run {
				break
			}
			type step struct {
				step, calls int
				mu          []float64
			}
			var want []step
			last := -1
			for it := by.Begin(p); ; it = by.Step(p) {
				if it.Step > last {
					want = append(want, step{it.Step, it.Calls, slices.Clone(it.Mu)})
				} else {
					failed++
				}
				if last = it.Step; by.Done(p) {
					break
				}
			}
			k := 0
			for it := range run {
				if k >= len(want) || it.Step != want[k].step || it.Calls != want[k].calls || !slices.Equal(it.Mu, want[k].mu) {
					t.Fatalf("%T on %d positions: iterate %d of Run has step %d after %d calls; want as Begin and Step: %+v", by, l, k,
						it.Step, it.Calls, want[:min(k+1, len(want))])
				}
				k++
			}
			if k != len(want) {
				t.Errorf("%T on %d positions: iterates of Run = %d, want %d", by, l, k, len(want))
			}
		}
	}
	if failed == 0 {
		t.Error("no trial of Damped has failed, so the test does not test what it should")
	}
}
