package energy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestIteratesAreFeasible checks that Mu and Average of every iterate are marginals of a distribution, also far from
// convergence.
func TestIteratesAreFeasible(t *testing.T) {
	rng := random(21)
	p, chain := chainProblem(t, rng, 3, 4)
	for name, e := range someEnergies(t, len(p.Theta), chain.Exp) {
		p.Energy = e
		algorithms := []energy.Inference{
			energy.RDA{MaxCalls: 40}, energy.RDA{Beta: 3, MaxCalls: 40}, energy.Damped{Rho: 0.5, MaxCalls: 40},
			energy.Accelerated{Sigma: 1, MaxCalls: 40},
		}
		for _, by := range algorithms {
			if by.Supports(p) != nil {
				continue
			}
			steps := 0
			for it := range by.Run(p) {
				for _, mu := range [][]float64{it.Mu, it.Average} {
					if worst := max(chain.Polytope.Infeasibility(mu), -slices.Min(mu)); !(worst <= 1e-9) {
						t.Fatalf("%s, %T, step %d: infeasibility = %v, want at most 1e-9", name, by, it.Step, worst)
					}
				}
				if it.Step != steps || it.Calls < steps+1 || it.Calls > 40 {
					t.Errorf("%s, %T: iterate %d has Step = %d and Calls = %d, want its number, and "+
						"more calls than steps, at most 40", name, by, steps, it.Step, it.Calls)
				}
				steps++
			}
		}
	}
}

// TestRDAFormulas compares the iterates of RDA with the formulas in RDA's comment, for β = 0 and β > 0. It compares
// Average with the mean of all marginals so far.
func TestRDAFormulas(t *testing.T) {
	for _, beta := range []float64{0, 2.5} {
		p, chain := chainProblem(t, random(24), 3, 4)
		p.Energy = measurements(random(25), len(p.Theta), 5, true)
		mean, sum := make([]float64, len(p.Theta)), make([]float64, len(p.Theta))
		mu, theta := make([]float64, len(p.Theta)), slices.Clone(p.Theta)
		chain.Exp.LogSum(mu, theta)
		for it := range (energy.RDA{Beta: beta, MaxCalls: 20}).Run(p) {
			if n := float64(it.Step); n > 0 {
				g := make([]float64, len(mu))
				p.Energy.AddGradient(g, mu, 1)
				for r := range g {
					mean[r] = (n-1)/n*mean[r] + g[r]/n
					theta[r] = p.Theta[r] - n/(n+beta)*mean[r]
				}
				chain.Exp.LogSum(mu, theta)
				for r, m := range mu {
					sum[r] += m
					if d := sum[r]/n - it.Average[r]; math.Abs(d) > 1e-12 {
						t.Fatalf("step %d: error of the average of part %d = %v, want at most 1e-12", it.Step, r, d)
					}
				}
			}
			if d := max(distance(mu, it.Mu), distance(theta, it.Tilted)); d > 1e-12 {
				t.Fatalf("β = %v, step %d: error of Mu or Tilted = %v, want at most 1e-12", beta, it.Step, d)
			}
			if beta > 0 && !math.IsInf(it.Bound, -1) {
				t.Errorf("step %d: bound = %v, want −Inf with β > 0", it.Step, it.Bound)
			}
		}
	}
}

// TestWithoutEnergy checks that with a strength of 0 inference returns the base model's marginals, and ends after at
// most two oracle calls.
func TestWithoutEnergy(t *testing.T) {
	p, chain := chainProblem(t, random(26), 3, 4)
	base := make([]float64, len(p.Theta))
	logZ := chain.Exp.LogSum(base, p.Theta)
	want, _ := chain.Max.Max(nil, p.Theta)
	p.Energy = energy.Words{Vocabulary: vocabulary(t, 3, []int{0, 1, 1, 0}), Length: 4, Strength: energy.Constant(0)}
	for _, by := range []energy.Inference{energy.RDA{MaxCalls: 1}, energy.RDA{MaxCalls: 50},
		energy.Damped{Rho: 0.5, MaxCalls: 1}, energy.Damped{Rho: 0.5, MaxCalls: 50}} {
		it := energy.Solve(p, by)
		if !slices.Equal(it.Mu, base) || it.Value() != -logZ || !it.Predict(nil, chain.Max).Equal(want) {
			t.Errorf("%+v: F = %v, want −log Z = %v and the base model's marginals", by, it.Value(), -logZ)
		}
		if it.Calls > 2 {
			t.Errorf("%+v: oracle calls = %d, want at most 2", by, it.Calls)
		}
	}
}

// TestPredictions checks by enumeration that a prediction is a complete labelling and the mode of the distribution at
// the tilted scores.
func TestPredictions(t *testing.T) {
	rng := random(27)
	all := labellings(3, 4)
	for range 20 {
		p, chain := chainProblem(t, rng, 3, 4)
		for _, e := range someEnergies(t, len(p.Theta), chain.Exp) {
			p.Energy = e
			it := energy.Solve(p, energy.Damped{Rho: 0.5, MaxCalls: 60})
			y := it.Predict(nil, chain.Max)
			best := math.Inf(-1)
			for _, z := range all {
				best = max(best, z.Dot(it.Tilted))
			}
			if d := best - y.Dot(it.Tilted); !(d <= 1e-9*(1+math.Abs(best))) || len(y) != 7 {
				t.Errorf("%T: score of the best labelling − score of the prediction = %v, want 0", e, d)
			}
		}
	}
}

// TestDampedDescends checks that Damped never increases F: for smooth energies, for energies that are not convex, and
// for energies with unbounded gradients.
func TestDampedDescends(t *testing.T) {
	rng := random(28)
	p, chain := chainProblem(t, rng, 3, 4)
	energies := someEnergies(t, len(p.Theta), chain.Exp)
	for _, name := range []string{"smoothed hinge", "pair totals", "label totals", "poisson", "convex sum",
		"sum", "counts", "words"} {
		for _, rho := range []float64{1, 0.5, 0.1} {
			p.Theta = examples.Normals(rng, len(p.Theta), 2)
			p.Energy = energies[name]
			before, steps := math.Inf(1), 0
			for it := range (energy.Damped{Rho: rho, MaxCalls: 200}).Run(p) {
				value := p.Objective(it.Mu)
				if value > before+1e-9 {
					t.Errorf("%s, ρ = %v: increase of F = %v at step %d, want 0 or less", name, rho, value-before, it.Step)
				}
				if it.Rate > rho {
					t.Errorf("%s: rate = %v, want at most the first rate %v", name, it.Rate, rho)
				}
				before, steps = value, steps+1
			}
			if steps < 2 {
				t.Errorf("%s, ρ = %v: want at least one step", name, rho)
			}
		}
	}
}

// TestPoissonOptimum checks that on Poisson energies Damped ends within 1e-6 of the optimum, certified by a lower
// bound. It logs how often RDA, which may overshoot, is far from the optimum.
func TestPoissonOptimum(t *testing.T) {
	worst, calls, gone := 0.0, 0, 0
	for trial := range 20 {
		rng := random(uint64(100 + trial))
		k, l := 3+trial%3, 4+trial%4
		p, chain := chainProblem(t, rng, k, l)
		p.Energy = randomPoisson(t, rng, chain.Exp, k*l, len(p.Theta))
		best, bound, used := math.Inf(1), math.Inf(-1), 0
		for it := range (energy.Damped{Rho: 1, MaxCalls: 2000, Tol: 1e-10}).Run(p) {
			_, lower := p.Certify(it.Mu)
			best, bound, used = it.Value(), max(bound, lower), it.Calls
			if best-bound < 1e-8 {
				break
			}
		}
		if !(best-bound <= 1e-6) || best-bound < -1e-9 {
			t.Errorf("trial %d: F = %v, bound = %v after %d calls, want a difference of at most 1e-6", trial, best, bound, used)
		}
		worst, calls = max(worst, best-bound), max(calls, used)
		if it := energy.Solve(p, energy.RDA{MaxCalls: 100}); it.Value() > best+1 {
			gone++
		}
	}
	t.Logf("gap at most %.2g after at most %d calls; after 100 calls F of RDA exceeds the optimum by more than 1 in %d "+
		"of 20",
		worst, calls, gone)
}

// TestFewIterations checks that RDA has a relative suboptimality of at most 1e-2 after 10 iterations. The measurements
// are differences of label counts, like those in the citation model of package models/nonlocal.
func TestFewIterations(t *testing.T) {
	rng := random(30)
	const k, l = 8, 25
	for range 5 {
		p, _ := chainProblem(t, rng, k, l)
		e := energy.Linear{Smoothed: true}
		for range 20 {
			a, b := int32(rng.IntN(k-1)), int32(0)
			b = a + 1 + int32(rng.IntN(k-1-int(a)))
			row := models.Sparse{Index: []int32{a, b}, Value: []float64{1, -1}}
			e.Rows, e.Weights = append(e.Rows, row), append(e.Weights, rng.Float64())
		}
		of, err := energy.NewTotals(k, l, e)
		if err != nil {
			t.Fatal(err)
		}
		p.Energy = of
		optimum := energy.Solve(p, energy.Damped{Rho: 1, MaxCalls: 2000, Tol: 1e-12}).Value()
		ten := energy.Solve(p, energy.RDA{MaxCalls: 11})
		if excess := (ten.Value() - optimum) / math.Abs(optimum); !(excess >= -1e-9 && excess <= 1e-2) {
			t.Errorf("after 10 iterations F = %v, want within 1e-2 of the optimum %v", ten.Value(), optimum)
		}
	}
}

// TestReuse checks that a Problem that is used again, for examples of other sizes and with other energies, yields the
// same results as a new Problem.
func TestReuse(t *testing.T) {
	rng := random(32)
	used := &energy.Problem{}
	for _, l := range []int{5, 2, 7} {
		for _, by := range []energy.Inference{energy.RDA{MaxCalls: 20}, energy.Damped{Rho: 1, MaxCalls: 20},
			energy.Accelerated{Sigma: 1, MaxCalls: 20}} {
			p, _ := chainProblem(t, rng, 3, l)
			p.Energy = measurements(rng, 3*l, 4, true)
			used.Theta, used.Oracle, used.Energy = p.Theta, p.Oracle, p.Energy
			for range by.Run(used) {
				break
			}
			a, b := energy.Solve(p, by), energy.Solve(used, by)
			if !slices.Equal(a.Mu, b.Mu) || !slices.Equal(a.Tilted, b.Tilted) || !slices.Equal(a.Average, b.Average) ||
				a.Calls != b.Calls {
				t.Errorf("%T on %d positions: a reused Problem has other results than a new one", by, l)
			}
		}
	}
}

// TestAllocations checks that after the first run on a Problem, the number of allocations of a run does not depend on
// its number of steps.
func TestAllocations(t *testing.T) {
	p, chain := chainProblem(t, random(31), 3, 4)
	for name, e := range someEnergies(t, len(p.Theta), chain.Exp) {
		p.Energy = e
		for _, by := range []func(n int) energy.Inference{
			func(n int) energy.Inference { return energy.RDA{MaxCalls: n} },
			func(n int) energy.Inference { return energy.Damped{Rho: 0.5, MaxCalls: n} },
		} {
			count := func(n int) float64 {
				run := by(n)
				return testing.AllocsPerRun(10, func() { energy.Solve(p, run) })
			}
			if few, many := count(2), count(60); many != few {
				t.Errorf("%s, %T: allocations with 60 calls = %v, want %v as with 2 calls", name, by(1), many, few)
			}
		}
	}
}
