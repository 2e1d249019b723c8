package simplicial

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// rsdRun runs RSD until the gap is small enough or the limit of rounds is reached. It returns the primal, the dual and
// the weights of the last iterate. It calls the function each for every iterate, unless each is nil.
func rsdRun(tb testing.TB, r *RSD, p *models.Generative, gap float64, rounds int,
	each func(it solvers.Iterate, stats map[string]float64)) (primal, dual float64, w []float64) {
	tb.Helper()
	return rsdRunIn(tb, solvers.Env{Seed: 1}, r, p, gap, rounds, each)
}

// rsdRunIn does what rsdRun does, with the given environment.
func rsdRunIn(tb testing.TB, env solvers.Env, r *RSD, p *models.Generative, gap float64, rounds int,
	each func(it solvers.Iterate, stats map[string]float64)) (primal, dual float64, w []float64) {
	tb.Helper()
	for it := range testbed.Iterates(tb, solvers.Run(r, p, env)) {
		primal, dual = it.Primal(), it.Dual()
		w = append(w[:0], it.W...)
		if each != nil {
			stats := map[string]float64{}
			it.Stats(func(name string, v float64) { stats[name] = v })
			each(it, stats)
		}
		if primal-dual <= gap*math.Abs(primal) || it.Epoch >= rounds {
			break
		}
	}
	return primal, dual, w
}

// TestRSDOptimum checks that the primal and the dual both converge to the optimum that the barrier method finds:
// problem (P) of RSD has no duality gap.
func TestRSDOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	for _, c := range rsdCases(t) {
		optimum, _ := barrierOptimum(t, c.p)
		primal, dual, w := rsdRun(t, New(), c.p, 1e-6, 5000, nil)
		size := math.Abs(optimum)
		if !(primal-dual <= 1e-5*size) {
			t.Errorf("%s: dual = %v and primal = %v, want a relative difference of at most 1e-5", c.name, dual, primal)
		}
		if !(primal >= optimum-1e-8*size && dual <= optimum+1e-8*size) {
			t.Errorf("%s: dual = %v and primal = %v do not enclose the optimum %v", c.name, dual, primal, optimum)
		}
		if got := c.p.Primal(w); math.Abs(got-primal) > 1e-9*size {
			t.Errorf("%s: Primal = %v, want the objective at W, %v", c.name, primal, got)
		}
		for i := range c.p.Vectors() {
			mass := 0.0
			for _, x := range w[c.p.First[i]:c.p.First[i+1]] {
				mass += math.Exp(x)
			}
			if mass > 1+1e-12 {
				t.Errorf("%s: the mass of vector %d is %v, want at most 1", c.name, i, mass)
			}
		}
	}
}

// TestRSDBracket checks at every iteration that the dual value Q_n of the proximal problem (see rsdProximal) is at most
// its primal value, and that the primal and the dual of (P) enclose the optimum of (P). It also checks that Q_n does
// not decrease between changes of the centre.
func TestRSDBracket(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	for _, c := range rsdCases(t) {
		optimum, _ := barrierOptimum(t, c.p)
		size := math.Abs(optimum)
		last, changes, changed := math.Inf(-1), 0.0, 0
		rsdRun(t, New(), c.p, 1e-6, 5000, func(it solvers.Iterate, x map[string]float64) {
			if x["proximal_dual"] > x["proximal_primal"]+1e-9*size {
				t.Errorf("%s: round %d: Q_n = %v exceeds P_n = %v", c.name, it.Epoch, x["proximal_dual"], x["proximal_primal"])
			}
			if p, d := it.Primal(), it.Dual(); p < optimum-1e-8*size || d > optimum+1e-8*size {
				t.Errorf("%s: round %d: dual = %v and primal = %v do not enclose the optimum %v", c.name, it.Epoch, d, p, optimum)
			}
			if x["proximal_dual"] < last-1e-9*size {
				t.Errorf("%s: round %d: Q_n decreases from %v to %v", c.name, it.Epoch, last, x["proximal_dual"])
			}
			last = x["proximal_dual"]
			if x["centre_changes"] != changes {
				last, changes = math.Inf(-1), x["centre_changes"]
				changed++
			}
		})
		if changed < 3 {
			t.Errorf("%s: the centre moved only %d times: want a harder problem", c.name, changed)
		}
	}
}

// TestRSDCentreRule checks, for several δ̄, that rule (i) of rsdCentre moves the centre at most as often as the
// objective of (P) can decrease by δ̄.
func TestRSDCentreRule(t *testing.T) {
	for _, c := range rsdCases(t) {
		for _, delta := range []float64{1e-2, 1e-4} {
			r := New()
			r.Delta = delta
			first, descents, optima := math.NaN(), 0.0, 0.0
			primal, dual, _ := rsdRun(t, r, c.p, 1e-9, 5000, func(it solvers.Iterate, x map[string]float64) {
				if it.Epoch == 0 {
					first = it.Primal()
				}
				descents, optima = x["centre_changes_descent"], x["centre_changes_optimal"]
			})
			if most := (first - dual) / (delta * first); descents > most {
				t.Errorf("%s, δ̄ = %v: %v changes by rule (i), want at most %v", c.name, delta, descents, most)
			}
			if optima == 0 || primal-dual > 1e-5*math.Abs(primal) {
				t.Errorf("%s, δ̄ = %v: %v changes by rule (ii) and a gap of %v: want some changes and a small gap",
					c.name, delta, optima, primal-dual)
			}
		}
	}
}

// TestRSDImprovement checks this: if the objective of the proximal problem (P_n) is smaller at a point than at the
// centre, then the objective of (P) is smaller there as well.
func TestRSDImprovement(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, c := range rsdCases(t) {
		improved := 0
		for range 300 {
			centre, theta := make([]float64, c.p.Dim()), make([]float64, c.p.Dim())
			gamma := math.Exp(rng.NormFloat64())
			for j := range theta {
				centre[j] = rng.NormFloat64()
				theta[j] = centre[j] + 0.1*rng.NormFloat64()
			}
			c.p.Shift(centre, centre)
			c.p.Shift(theta, theta)
			far := 0.0
			for j, x := range theta {
				far += (x - centre[j]) * (x - centre[j])
			}
			before, after := c.p.Primal(centre), c.p.Primal(theta)
			if after+gamma/2*far <= before {
				improved++
				if after > before {
					t.Errorf("%s: (P) increases from %v to %v", c.name, before, after)
				}
			}
		}
		if improved == 0 {
			t.Errorf("%s: no point improved (P_n)", c.name)
		}
	}
}

// TestRSDProximalSteps checks that the objective P at the centre θⁿ decreases to the optimum, if each proximal problem
// is solved before the centre moves.
func TestRSDProximalSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	for _, c := range rsdCases(t) {
		optimum, _ := barrierOptimum(t, c.p)
		size := math.Abs(optimum)
		r := New()
		r.Gamma = 0.1
		s := newRSDState(r, c.p, solvers.Env{Seed: 1})
		s.centre.delta, s.centre.tolerance, s.centre.decay = math.Inf(1), 1e-8*size, 1
		last, moves := s.primal, 0
		for s.rounds < 5000 && s.round() {
			if s.centre.optima == moves {
				continue
			}
			moves = s.centre.optima
			if s.centre.value > last+1e-7*size {
				t.Errorf("%s: P(θⁿ) increases from %v to %v", c.name, last, s.centre.value)
			}
			if last = s.centre.value; last-optimum < 1e-8*size {
				break
			}
		}
		if last-optimum > 1e-4*size || moves < 2 {
			t.Errorf("%s: P(θⁿ) = %v after %d exact steps, want the optimum %v", c.name, last, moves, optimum)
		}
	}
}
