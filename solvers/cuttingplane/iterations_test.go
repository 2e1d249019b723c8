package cuttingplane

import (
	"context"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// Algorithms, propositions and theorems have the numbers of Joachims, Finley and Yu (2009). An iteration of algorithms
// 3 and 4 solves a QP and searches for a violated constraint. The first QP has no constraints. An epoch of OneSlack is
// a QP with constraints, so a run of k epochs has k + 1 iterations.

// iterationBound returns the bound of theorem 5 (margin rescaling) or 6 (slack rescaling) on the number of iterations,
// and whether the bound holds for this ε. Let Δ be the largest label loss and R the largest |ψ_i(y)| (see OneSlack).
// The bounds are
//
//	max(0, ⌈log₂ Δ/(4R²C)⌉) + ⌈16 R²C/ε⌉ + 1          if ε ≤ 4R²C,
//	max(0, ⌈log₂ 1/(4R²ΔC)⌉) + ⌈16 Δ²R²C/ε⌉ + 1       if ε ≤ 4Δ²R²C.
//
// The last 1 is added because one step of the proof does not round the number of iterations up. The logarithm is
// negative for large C, so the bound uses max(0, ·).
func iterationBound(loss models.Loss, delta, radius, c, eps float64) (bound int, holds bool) {
	first := math.Ceil(math.Log2(delta / (4 * radius * c)))
	if loss.Slack {
		first = math.Ceil(math.Log2(1 / (4 * radius * delta * c)))
		radius *= delta * delta
	}
	return int(max(0, first)+math.Ceil(16*radius*c/eps)) + 1, eps <= 4*radius*c
}

// TestCuttingPlaneTheorems5And6 checks that the number of iterations is within the bound of iterationBound.
func TestCuttingPlaneTheorems5And6(t *testing.T) {
	eachRescaling(t, 1, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		delta, radius := c.Largest()
		checked := 0
		for _, cost := range []float64{1e-3, 0.01, 0.1, 1, 100} {
			for _, eps := range []float64{1, 0.1, 1e-2, 1e-4} {
				bound, holds := iterationBound(p.Loss, delta, radius, cost, eps)
				if !holds {
					continue
				}
				checked++
				q := *p
				q.Lambda = 1 / cost
				lineSearch := exactOneSlack(eps)
				lineSearch.Step = "line-search"
				for name, o := range map[string]*OneSlack{
					"exact":       exactOneSlack(eps),
					"default":     {Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50},
					"line search": lineSearch,
				} {
					if name == "line search" && bound > 20_000 { // skipped to save time: needs nearly bound iterations
						continue
					}
					if at := testbed.EndOf(t, o, &q); at.Epoch+1 > bound {
						t.Errorf("%s, C = %v, ε = %v: %d iterations, want at most %d", name, cost, eps, at.Epoch+1, bound)
					}
				}
			}
		}
		if checked < 10 {
			t.Errorf("the bound applies to %d pairs of C and ε, want at least 10", checked)
		}
	})
}

// TestCuttingPlaneDualGain checks that adding a constraint whose violation exceeds ξ by γ increases the dual by at
// least min(Cγ/2, γ²/(8R²)) (propositions 1 and 2; see iterationBound for R and Δ). With slack rescaling, Δ²R² replaces
// R².
func TestCuttingPlaneDualGain(t *testing.T) {
	eachRescaling(t, 1, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		delta, radius := c.Largest()
		if p.Loss.Slack {
			radius *= delta * delta
		}
		for _, cost := range []float64{0.01, 1, 100} {
			for name, change := range map[string]func(*OneSlack){
				"":            func(*OneSlack) {},
				"cache":       func(o *OneSlack) { o.Cache = 10 },
				"drop":        func(o *OneSlack) { o.Drop = 5 },
				"line search": func(o *OneSlack) { o.Step = "line-search" },
			} {
				o := exactOneSlack(1e-3)
				change(o)
				q := *p
				q.Lambda = 1 / cost
				checkGain(t, name, o, &q, radius)
			}
		}
	})
}

// checkGain checks the increase of the dual at each QP of a run.
func checkGain(t *testing.T, name string, o *OneSlack, p *models.Risk, radius float64) {
	t.Helper()
	c, before, epoch, first := 1/p.Lambda, 0.0, 0, math.NaN()
	for it := range testbed.Iterates(t, solvers.Run(o, p, solvers.Env{Seed: 1})) {
		at := testbed.EndAt(it)
		gamma := at.Stats["added_violation"]
		if at.Epoch > epoch {
			want := min(c*gamma/2, gamma*gamma/(8*radius))
			if gain := c * (at.Dual - before); gain < want*(1-1e-9)-1e-9*c {
				t.Fatalf("%s, C = %v: QP %d increases the dual by %v, want at least %v, because γ = %v", name, c, at.Epoch, gain,
					want, gamma)
			}
		}
		if at.Epoch == 1 {
			first = gamma
		}
		if before, epoch = at.Dual, at.Epoch; epoch == 300 {
			break
		}
	}
	if !(first > 0) {
		t.Errorf("%s, C = %v: γ of the first constraint = %v, want > 0", name, c, first)
	}
}

// TestCuttingPlaneTight checks that the bound of theorem 5 is tight in ε and C up to constants. The problem has one
// example, x = (1), of the first of many classes. After k constraints, w, the largest violation and ξ are
//
//	(k/(k+1), −1/(k+1), ..., −1/(k+1), 0, ...)   violation 1/(k+1) of another class, ξ = 0,        for C ≥ 1,
//	(C, −C/k, ..., −C/k, 0, ...)                 violation C/k beyond ξ = 1 − C − C/k,             for C ≤ ½,
//
// So there are ⌈1/ε⌉ iterations for C ≥ 1, and ⌈C/ε⌉ + 1 for C ≤ ½. The last iteration finds no violated constraint.
func TestCuttingPlaneTight(t *testing.T) {
	for _, c := range []float64{1, 3, 1000, 0.5, 0.3, 0.05} {
		for _, eps := range []float64{0.3, 0.07, 0.0234, 0.013} {
			if c < 1 && eps >= c {
				continue
			}
			iterations := int(math.Ceil(1 / eps))
			if c <= 0.5 {
				iterations = int(math.Ceil(c/eps)) + 1
			}
			set, err := generated.Single{Classes: iterations + 2}.Load(context.Background(), datasets.Source{})
			if err != nil {
				t.Fatal(err)
			}
			p := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, set.Train).Objective(models.Hinge(), 1/c).(*models.Risk)
			for _, cache := range []int{0, 10} {
				o := exactOneSlack(eps)
				o.Cache = cache
				last := 0
				for it := range testbed.Iterates(t, solvers.Run(o, p, solvers.Env{Seed: 1})) {
					last = it.Epoch
					checkTightWeights(t, it.W, float64(last), c)
				}
				if last+1 != iterations {
					t.Errorf("C = %v, ε = %v, cache %d: %d iterations, want %d", c, eps, cache, last+1, iterations)
				}
				if bound, holds := iterationBound(p.Loss, 1, 2, c, eps); holds && iterations > bound {
					t.Errorf("C = %v, ε = %v: %d iterations, want at most %d by theorem 5", c, eps, iterations, bound)
				}
			}
		}
	}
}

// checkTightWeights checks w after k constraints in TestCuttingPlaneTight.
func checkTightWeights(t *testing.T, w []float64, k, c float64) {
	t.Helper()
	first := k / (k + 1)
	if c <= 0.5 && k > 0 {
		first = c
	}
	negative := 0.0
	for j, v := range w {
		want := first
		switch {
		case j > 0 && v == 0:
			continue
		case j > 0:
			want = -first / k
			negative++
		}
		if math.Abs(v-want) > 1e-7 {
			t.Fatalf("C = %v, %v constraints: w[%d] = %v, want %v", c, k, j, v, want)
		}
	}
	if negative != k {
		t.Fatalf("C = %v: %v classes have a negative weight, want %v", c, negative, k)
	}
}

// TestCuttingPlaneLineSearch checks that a line search in place of the QP finds the same optimum (section 3.2).
// TestCuttingPlaneTheorems5And6 checks its number of iterations.
func TestCuttingPlaneLineSearch(t *testing.T) {
	eachRescaling(t, 1, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		best := bestOf(t, p)
		for _, eps := range []float64{0.3, 0.1, 0.03} {
			for _, cache := range []int{0, 10} {
				at := testbed.EndOf(t, &OneSlack{Epsilon: eps, Cache: cache, CacheRule: "svmstruct", Step: "line-search"}, p)
				if at.Primal > best.Primal+1.001*eps || at.Dual < best.Dual-1.001*eps {
					t.Errorf("ε = %v, cache %d: primal = %v and dual = %v, want both within ε of the optimum %v", eps, cache,
						at.Primal, at.Dual, best.Primal)
				}
			}
		}
	})
}
