package energy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
)

// TestAcceleratedIsItsFormula compares the tilted scores, the marginals and the averages of each step of Accelerated
// with its formulas, for several moduli, also for an energy of the first parts only.
func TestAcceleratedIsItsFormula(t *testing.T) {
	for i, sigma := range []float64{1, 0.2, 1, 3} {
		rng := random(uint64(60 + i))
		p, chain := chainProblem(t, rng, 3, 4)
		n := len(p.Theta)
		lead := n
		if i%2 == 1 {
			lead = 12
		}
		e := measurements(rng, lead, 5, true)
		p.Energy = e
		var w, v, mean []float64
		l := e.Lipschitz()
		for it := range (energy.Accelerated{Sigma: sigma, MaxCalls: 12}).Run(p) {
			if it.Step == 0 {
				w, v, mean = slices.Clone(it.Mu), slices.Clone(it.Mu), make([]float64, n)
				continue
			}
			step := float64(it.Step)
			rho, kappa := 2/(step+1), 4*l/(sigma*step*(step+1))
			u, g, tilted := make([]float64, n), make([]float64, n), make([]float64, n)
			for r := range u {
				u[r] = (1-rho)*w[r] + rho*v[r]
			}
			e.AddGradient(g, u, 1)
			for r := range g {
				mean[r] = (1-rho)*mean[r] + rho*g[r]
				tilted[r] = p.Theta[r] - mean[r]/(1+kappa)
			}
			before := slices.Clone(v)
			chain.Exp.LogSum(v, tilted)
			change := 0.
			for r := range w {
				w[r] = (1-rho)*w[r] + rho*v[r]
				if r < lead {
					change = max(change, math.Abs(v[r]-before[r]))
				}
			}
			if d := max(distance(it.Tilted, tilted), distance(it.Mu, v), distance(it.Average, w)); d > 1e-11 ||
				math.Abs(it.Rate-rho) > 1e-15 || !math.IsInf(it.Bound, -1) {
				t.Fatalf("sigma %v, step %d: difference %v, rate %v, bound %v", sigma, it.Step, d, it.Rate, it.Bound)
			}
			if it.Change < change-1e-11 || i%2 == 1 && math.Abs(it.Change-change) > 1e-11 || it.Calls != it.Step+1 {
				t.Fatalf("sigma %v, step %d: change %v after %d calls, want %v", sigma, it.Step, it.Change, it.Calls, change)
			}
		}
	}
}

// TestEnds checks for each algorithm that a run makes MaxCalls calls unless a step changes no marginal by more than the
// tolerance, which for Damped is multiplied by the rate, and that it ends at the first such step.
func TestEnds(t *testing.T) {
	rng := random(71)
	p, _ := chainProblem(t, rng, 3, 4)
	p.Energy = measurements(rng, len(p.Theta), 6, true)
	for _, tol := range []float64{0, 1e-6, 1e-3, 0.05} {
		for _, calls := range []int{1, 2, 7, 400} {
			for _, by := range []energy.Inference{energy.RDA{MaxCalls: calls, Tol: tol},
				energy.Damped{Rho: 0.7, MaxCalls: calls, Tol: tol},
				energy.Accelerated{Sigma: 1, MaxCalls: calls, Tol: tol}} {
				var last energy.Iterate
				done := false
				for it := range by.Run(p) {
					if done {
						t.Fatalf("%+v: a step after a change of %v at the rate %v", by, last.Change, last.Rate)
					}
					limit := tol
					if _, damped := by.(energy.Damped); damped {
						limit *= it.Rate
					}
					done, last = it.Change <= limit, it
				}
				if last.Calls > calls || !done && last.Calls < calls && last.Rate > 1e-6 {
					t.Errorf("%+v: ends after %d calls with a change of %v at the rate %v", by, last.Calls, last.Change,
						last.Rate)
				}
			}
		}
	}
}

// plainEnergy hides the optional interfaces of an energy.
type plainEnergy struct{ energy.Energy }
