package cuttingplane

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// Theorems and lemmas have the numbers of Joachims, Finley and Yu (2009). The paper's objectives are C = 1/λ times
// gaplab's objectives. So the bound on the duality gap is Cε in the paper, and ε in these tests.

// TestCuttingPlaneTheorems1And2 checks that the n-slack and the 1-slack problem have the same solutions, where ξ of
// the 1-slack problem is the mean of the ξ_i of the n-slack problem.
func TestCuttingPlaneTheorems1And2(t *testing.T) {
	eachRescaling(t, 0.1, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		const few = 3 // number of examples whose joint labellings are enumerated
		rng := rand.New(rand.NewPCG(5, 5))
		q := *p
		q.Examples = p.Examples[:few]
		w := make([]float64, p.Dim)
		for trial := range 30 {
			for j := range w {
				w[j] = rng.NormFloat64() * []float64{0.1, 1, 10}[trial%3]
			}
			xi := c.MostViolated(p.Loss, w, few)
			if mean := q.Primal(w) - q.Lambda/2*dualspace.Dot(w, w); math.Abs(xi-mean) > 1e-9*(1+xi) {
				t.Fatalf("smallest ξ of the 1-slack problem = %v, want the mean of the ξ_i, %v", xi, mean)
			}
		}
		const eps1, epsN = 0.02, 0.05
		one := testbed.EndOf(t, &OneSlack{Epsilon: eps1, CacheRule: "svmstruct", Step: "qp"}, p)
		n := testbed.EndOf(t, &NSlack{Epsilon: epsN, Precision: "halving", QP: "coordinate", Batch: 100}, p)
		if d := math.Abs(one.Dual - n.Dual); d > eps1+epsN {
			t.Errorf("duals of one-slack and n-slack = %v and %v, want a difference of at most %v", one.Dual, n.Dual, eps1+epsN)
		}
		exactOne := testbed.EndOf(t, exactOneSlack(1e-8), p)
		exactN := testbed.EndOf(t, &NSlack{Epsilon: 1e-8, Precision: "halving", QP: "coordinate", Batch: 100}, p)
		apart := 0.0
		for j, v := range exactOne.W {
			apart += (v - exactN.W[j]) * (v - exactN.W[j])
		}
		if most := 8 * 1.5e-8 / p.Lambda; apart > most { // each w is within √(2 gap/λ) of the optimal w
			t.Errorf("|w₁ − w_n|² = %v, want at most %v", apart, most)
		}
		if mean := exactN.Primal - p.Lambda/2*dualspace.Dot(exactN.W,
			exactN.W); math.Abs(mean-exactOne.Stats["slack"]) > 1e-3 {
			t.Errorf("ξ = %v, want the mean of the ξ_i, %v", exactOne.Stats["slack"], mean)
		}
	})
}

// TestCuttingPlaneTheorems3And4 checks that at the end of a run of the 1-slack method, ½|w|² + Cξ is at most the
// optimum, and no constraint is violated by more than ξ + ε.
func TestCuttingPlaneTheorems3And4(t *testing.T) {
	eachRescaling(t, 0.1, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		best := bestOf(t, p)
		for _, eps := range []float64{0.3, 0.03, 0.003} {
			for name, o := range map[string]*OneSlack{
				"exact":       exactOneSlack(eps),
				"exact cache": {Epsilon: eps, Cache: 5, CacheRule: "paper", Tolerance: 1e-10, Step: "qp"},
				"default":     {Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50},
			} {
				at := testbed.EndOf(t, o, p)
				xi, tolerance := at.Stats["slack"], o.Tolerance
				if tolerance == 0 {
					tolerance = 1.5 * eps // at the end, the QP's gap plus the last violation is at most ε + ε/2
				}
				if value := p.Lambda/2*dualspace.Dot(at.W, at.W) + xi; value > best.Primal+tolerance+1e-9 {
					t.Errorf("%s, ε = %v: λ/2 |w|² + ξ = %v, want at most the optimum %v", name, eps, value, best.Primal)
				}
				if v := at.Primal - p.Lambda/2*dualspace.Dot(at.W, at.W); v > xi+1.001*eps {
					t.Errorf("%s, ε = %v: violation of the most violated constraint = %v, want at most ξ + ε with ξ = %v",
						name, eps, v, xi)
				}
				if len(p.Examples) > 4 {
					continue
				}
				if v := c.MostViolated(p.Loss, at.W, len(p.Examples)); v > xi+1.001*eps {
					t.Errorf("%s, ε = %v: largest violation of all constraints = %v, want at most ξ + ε with ξ = %v",
						name, eps, v, xi)
				}
			}
		}
	})
}

// TestCuttingPlaneGap checks that the duality gap at the end of a run is at most ε (section 3.2) plus the error of the
// QP, which is at most ε/2.
func TestCuttingPlaneGap(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test solves tens of problems to the end")
	}
	eachRescaling(t, 0.1, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		for _, lambda := range []float64{1, 0.1, 0.01} {
			q := *p
			q.Lambda = lambda
			for _, eps := range []float64{0.5, 0.1, 0.01, 1e-4} {
				for name, s := range planeSolvers(eps) {
					at := testbed.EndOf(t, s, &q)
					if gap := at.Primal - at.Dual; gap > 1.501*eps || gap < -1e-9 {
						t.Errorf("%s, λ = %v: P − D = %v, want at most ε + ε/2 = %v", name, lambda, gap, 1.5*eps)
					}
				}
			}
		}
	})
}

// TestCuttingPlaneExactGap checks runs with exact QPs: in every iteration, the violation that the oracle finds is the
// duality gap of the weights (section 3.2). So the duality gap is at most ε at the end.
func TestCuttingPlaneExactGap(t *testing.T) {
	const eps, rounding = 1e-3, 1e-8
	eachRescaling(t, 0.01, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		gap := math.NaN() // duality gap of the last iterate
		for it := range testbed.Iterates(t, solvers.Run(exactOneSlack(eps), p, solvers.Env{Seed: 1})) {
			at := testbed.EndAt(it)
			if v := at.Stats["violation"]; at.Epoch > 0 && math.Abs(gap-v) > rounding {
				t.Fatalf("iteration %d: violation = %v, want the gap of the last iterate, %v", at.Epoch, v, gap)
			}
			gap = p.Primal(at.W) - at.Dual
		}
		if !(gap <= eps+rounding) {
			t.Errorf("P − D at the end = %v, want at most ε = %v", gap, eps)
		}
	})
}

// TestCuttingPlaneDuality checks that the primal and the dual QP of the working set have the same optimal value, up to
// the tolerance of the QP (lemma 1, OP6 and OP7).
func TestCuttingPlaneDuality(t *testing.T) {
	eachRescaling(t, 0.01, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		for _, tolerance := range []float64{1e-2, 1e-6, 1e-10} {
			o := exactOneSlack(1e-3)
			o.Tolerance = tolerance
			for it := range testbed.Iterates(t, solvers.Run(o, p, solvers.Env{Seed: 1})) {
				at := testbed.EndAt(it)
				primal := p.Lambda/2*dualspace.Dot(at.W, at.W) + at.Stats["slack"]
				if gap := primal - at.Dual; at.Epoch > 0 && gap > tolerance+1e-11 || gap < -1e-11 {
					t.Fatalf("QP %d: primal = %v and dual = %v, want a difference of at most %v", at.Epoch, primal, at.Dual, tolerance)
				}
			}
		}
	})
}
