package cuttingplane

import (
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestCuttingPlaneAgree checks that both methods find the same optimum under all settings. TestPeersAgree of package eg
// compares them with other methods.
func TestCuttingPlaneAgree(t *testing.T) {
	for _, c := range []struct {
		name string
		task *models.Task
	}{
		{"binary", testbed.TaskOf(t, multiclass.Binary{LossScale: 100, Bias: 1}, testbed.OverlappingClasses(40, 3, 2))},
		{"multiclass", testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(30, 4, 4))},
		{"chain", testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 3, 3, 1, 5, 2, 4, 2, 3, 6))},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.task.Objective(models.Hinge(), 0.1).(*models.Risk)
			best := bestOf(t, p)
			for name, s := range planeSolvers(5e-5 * best.Primal) {
				at := testbed.EndOf(t, s, p)
				if math.Abs(at.Primal-best.Primal) > 1e-4*best.Primal || math.Abs(at.Dual-best.Primal) > 1e-4*best.Primal {
					t.Errorf("%s: the primal is %v and the dual %v: the optimum is %v", name, at.Primal, at.Dual, best.Primal)
				}
			}
		})
	}
}

// TestCuttingPlaneRescalings checks that margin and slack rescaling are one problem where the label loss is 0 or 1.
// Where it is 0 or 100, margin rescaling with C is slack rescaling with C/10⁴ and a hundredth of w:
//
//	½|100 w|² + C/n Σ max(0, 100 − 100 m_i(w)) = 10⁴ (½|w|² + C/(10⁴ n) Σ 100 max(0, 1 − m_i(w))).
func TestCuttingPlaneRescalings(t *testing.T) {
	rows := testbed.OverlappingClasses(30, 4, 4)
	trees := testbed.AmbiguousTrees()
	for _, scale := range []float64{1, 100} {
		for name, task := range map[string]*models.Task{
			"multiclass": testbed.TaskOf(t, multiclass.Model{LossScale: scale}, rows),
			"cfg":        testbed.TaskOf(t, cfg.Model{LossScale: scale, Forests: 1}, trees),
		} {
			margin := task.Objective(models.Hinge(), 0.1/scale).(*models.Risk) // so that neither has a trivial optimum
			slack := task.Objective(models.Slack(), margin.Lambda*scale*scale).(*models.Risk)
			for method, s := range map[string]solvers.Solver{
				"one-slack": &OneSlack{Epsilon: 1e-8, Cache: 10, CacheRule: "svmstruct", Step: "qp"},
				"n-slack":   &NSlack{Epsilon: 1e-8, Precision: "halving", QP: "coordinate", Batch: 100},
			} {
				m, v := testbed.EndOf(t, s, margin), testbed.EndOf(t, s, slack)
				if math.Abs(m.Primal-v.Primal) > 1e-6*m.Primal {
					t.Errorf("%s, %s, loss %v: the optima are %v and %v: want them the same", method, name, scale, m.Primal, v.Primal)
				}
				for j, w := range v.W {
					if math.Abs(m.W[j]-scale*w) > 1e-3*scale {
						t.Errorf("%s, %s, loss %v: w[%d] is %v and %v: want the ratio %v", method, name, scale, j, m.W[j], w, scale)
						break
					}
				}
			}
			if same := task.Objective(models.Slack(), margin.Lambda).(*models.Risk); scale != 1 {
				m, v := testbed.EndOf(t, exactOneSlack(1e-4), margin), testbed.EndOf(t, exactOneSlack(1e-4), same)
				if math.Abs(m.Primal-v.Primal) < 0.01*m.Primal {
					t.Errorf("%s: with the same C the optima are %v and %v, too", name, m.Primal, v.Primal)
				}
			}
		}
	}
}

// TestCuttingPlaneDrop checks that the optimum stays the same when constraints that have long been inactive leave the
// working set (section 4).
func TestCuttingPlaneDrop(t *testing.T) {
	const eps = 1e-3
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(60, 6, 4)).Objective(models.Hinge(),
		0.003).(*models.Risk)
	sizes := map[string]float64{}
	for _, cache := range []int{0, 10} {
		all := testbed.EndOf(t, &OneSlack{Epsilon: eps, Cache: cache, CacheRule: "svmstruct", Step: "qp"}, p)
		for _, drop := range []int{5, 50} {
			at := testbed.EndOf(t, &OneSlack{Epsilon: eps, Cache: cache, CacheRule: "svmstruct", Step: "qp", Drop: drop}, p)
			if math.Abs(at.Primal-all.Primal) > 1.5*eps || math.Abs(at.Dual-all.Dual) > 1.5*eps {
				t.Errorf("cache %d, drop %d: primal %v and dual %v: without it %v and %v", cache, drop, at.Primal, at.Dual,
					all.Primal, all.Dual)
			}
			if at.Stats["working_set"] >= all.Stats["working_set"] {
				t.Errorf("cache %d, drop %d: %v constraints: want fewer than the %v without it", cache, drop,
					at.Stats["working_set"], all.Stats["working_set"])
			}
			sizes[fmt.Sprint(cache, drop)] = at.Stats["working_set"]
		}
		all = testbed.EndOf(t, &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 3}, p)
		at := testbed.EndOf(t, &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 3, Drop: 5}, p)
		if math.Abs(at.Primal-all.Primal) > 1.5*eps || at.Stats["working_set"] >= all.Stats["working_set"] {
			t.Errorf("n-slack: primal %v with %v constraints: without drop %v with %v", at.Primal, at.Stats["working_set"],
				all.Primal, all.Stats["working_set"])
		}
	}
	if sizes["0 5"] > sizes["0 50"] {
		t.Errorf("drop 5 keeps %v constraints, drop 50 %v", sizes["0 5"], sizes["0 50"])
	}
}

// TestCuttingPlaneKernel checks that with a linear kernel the exact expansion, and the basis of all training pairs
// (OP8), are the problem with explicit features.
func TestCuttingPlaneKernel(t *testing.T) {
	rows := testbed.OverlappingClasses(25, 3, 3)
	const eps = 1e-8
	for _, loss := range []models.Loss{models.Hinge(), models.Slack()} {
		explicit := testbed.EndOf(t, exactOneSlack(eps),
			testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows).Objective(loss, 0.05).(*models.Risk))
		for _, c := range []struct {
			name         string
			basis, cache int
		}{{"exact", 0, 16}, {"exact, computed at each use", 0, 0}, {"basis", rows.Len(), 0}} {
			model := kernel.Model{Kernel: "linear", LossScale: 1, Basis: c.basis, BasisSeed: 1, Cache: c.cache}
			p := testbed.TaskOf(t, model, rows).Objective(loss, 0.05).(*models.Risk)
			for _, cache := range []int{0, 10} {
				o := exactOneSlack(eps)
				o.Cache = cache
				at := testbed.EndOf(t, o, p)
				if math.Abs(at.Primal-explicit.Primal) > 1e-6*explicit.Primal ||
					math.Abs(at.Dual-explicit.Dual) > 1e-6*explicit.Primal {
					t.Errorf("%s, slack rescaling %v, cache %d: primal %v and dual %v: with features %v", c.name, loss.Slack, cache,
						at.Primal, at.Dual, explicit.Primal)
				}
			}
		}
	}
}
