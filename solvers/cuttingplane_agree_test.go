package solvers

import (
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
)

// TestCuttingPlaneAgree: both methods, under all settings, and exponentiated gradient, which has nothing in common with
// them, find the same optimum.
func TestCuttingPlaneAgree(t *testing.T) {
	for _, c := range []struct {
		name string
		task *models.Task
	}{
		{"binary", taskOf(t, multiclass.Binary{LossScale: 100, Bias: 1}, overlappingClasses(40, 3, 2))},
		{"multiclass", taskOf(t, multiclass.Model{LossScale: 3}, overlappingClasses(30, 4, 4))},
		{"chain", taskOf(t, chain.Model{Edges: "tied"}, shortSequences(3, 3, 3, 1, 5, 2, 4, 2, 3, 6))},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.task.Risk(models.Hinge(), 0.1)
			best := bestOf(t, p)
			for name, s := range planeSolvers(5e-5 * best.primal) {
				at := endOf(t, s, p)
				if math.Abs(at.primal-best.primal) > 1e-4*best.primal || math.Abs(at.dual-best.primal) > 1e-4*best.primal {
					t.Errorf("%s: the primal is %v and the dual %v: the optimum is %v", name, at.primal, at.dual, best.primal)
				}
			}
			eg := &EG{Order: "random", Rate: "adaptive"}
			least, most := math.Inf(1), math.Inf(-1)
			for it, err := range Run(eg, p, Env{Seed: 1}) {
				if err != nil {
					t.Fatal(err)
				}
				least, most = min(least, p.Primal(it.W)), max(most, it.Dual())
				if least-most < 1e-4*least || it.Epoch == 20_000 {
					break
				}
			}
			if least > best.primal*(1+1e-4) || most < best.primal*(1-1e-4) || most > best.primal*(1+1e-8) {
				t.Errorf("eg: the primal is %v and the dual %v: the optimum is %v", least, most, best.primal)
			}
		})
	}
}

// TestCuttingPlaneRescalings: margin and slack rescaling are one problem where the label loss is 0 or 1. Where it is
// 0 or 100, margin rescaling with C is slack rescaling with C/10⁴ and a hundredth of w:
//
//	½|100 w|² + C/n Σ max(0, 100 − 100 m_i(w)) = 10⁴ (½|w|² + C/(10⁴ n) Σ 100 max(0, 1 − m_i(w))).
func TestCuttingPlaneRescalings(t *testing.T) {
	rows := overlappingClasses(30, 4, 4)
	trees := ambiguousTrees()
	for _, scale := range []float64{1, 100} {
		for name, task := range map[string]*models.Task{
			"multiclass": taskOf(t, multiclass.Model{LossScale: scale}, rows),
			"cfg":        taskOf(t, cfg.Model{LossScale: scale, Forests: 1}, trees),
		} {
			margin := task.Risk(models.Hinge(), 0.1/scale) // so that neither has a trivial optimum
			slack := task.Risk(models.Slack(), margin.Lambda*scale*scale)
			for method, s := range map[string]Solver{
				"one-slack": &OneSlack{Epsilon: 1e-8, Cache: 10, CacheRule: "svmstruct", Step: "qp", Workers: 1},
				"n-slack":   &NSlack{Epsilon: 1e-8, Precision: "halving", QP: "coordinate", Batch: 100},
			} {
				m, v := endOf(t, s, margin), endOf(t, s, slack)
				if math.Abs(m.primal-v.primal) > 1e-6*m.primal {
					t.Errorf("%s, %s, loss %v: the optima are %v and %v: want them the same", method, name, scale, m.primal, v.primal)
				}
				for j, w := range v.w {
					if math.Abs(m.w[j]-scale*w) > 1e-3*scale {
						t.Errorf("%s, %s, loss %v: w[%d] is %v and %v: want the ratio %v", method, name, scale, j, m.w[j], w, scale)
						break
					}
				}
			}
			if same := task.Risk(models.Slack(), margin.Lambda); scale != 1 {
				m, v := endOf(t, exactOneSlack(1e-4), margin), endOf(t, exactOneSlack(1e-4), same)
				if math.Abs(m.primal-v.primal) < 0.01*m.primal {
					t.Errorf("%s: with the same C the optima are %v and %v, too", name, m.primal, v.primal)
				}
			}
		}
	}
}

// TestCuttingPlaneDrop: taking constraints out of the working set that have been inactive for long does not hurt
// (section 4).
func TestCuttingPlaneDrop(t *testing.T) {
	const eps = 1e-3
	p := taskOf(t, multiclass.Model{LossScale: 3}, overlappingClasses(60, 6, 4)).Risk(models.Hinge(), 0.003)
	sizes := map[string]float64{}
	for _, cache := range []int{0, 10} {
		all := endOf(t, &OneSlack{Epsilon: eps, Cache: cache, CacheRule: "svmstruct", Step: "qp", Workers: 1}, p)
		for _, drop := range []int{5, 50} {
			at := endOf(t, &OneSlack{Epsilon: eps, Cache: cache, CacheRule: "svmstruct", Step: "qp", Drop: drop, Workers: 1}, p)
			if math.Abs(at.primal-all.primal) > 1.5*eps || math.Abs(at.dual-all.dual) > 1.5*eps {
				t.Errorf("cache %d, drop %d: primal %v and dual %v: without it %v and %v", cache, drop, at.primal, at.dual,
					all.primal, all.dual)
			}
			if at.stats["working_set"] >= all.stats["working_set"] {
				t.Errorf("cache %d, drop %d: %v constraints: want fewer than the %v without it", cache, drop,
					at.stats["working_set"], all.stats["working_set"])
			}
			sizes[fmt.Sprint(cache, drop)] = at.stats["working_set"]
		}
		all = endOf(t, &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 3}, p)
		at := endOf(t, &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 3, Drop: 5}, p)
		if math.Abs(at.primal-all.primal) > 1.5*eps || at.stats["working_set"] >= all.stats["working_set"] {
			t.Errorf("n-slack: primal %v with %v constraints: without drop %v with %v", at.primal, at.stats["working_set"],
				all.primal, all.stats["working_set"])
		}
	}
	if sizes["0 5"] > sizes["0 50"] {
		t.Errorf("drop 5 keeps %v constraints, drop 50 %v", sizes["0 5"], sizes["0 50"])
	}
}

// TestCuttingPlaneKernel: with a linear kernel the exact expansion, and the basis of all training pairs (OP8), are the
// problem with explicit features.
func TestCuttingPlaneKernel(t *testing.T) {
	rows := overlappingClasses(25, 3, 3)
	const eps = 1e-8
	for _, loss := range []models.Loss{models.Hinge(), models.Slack()} {
		explicit := endOf(t, exactOneSlack(eps), taskOf(t, multiclass.Model{LossScale: 1}, rows).Risk(loss, 0.05))
		for _, c := range []struct {
			name         string
			basis, cache int
		}{{"exact", 0, 16}, {"exact, computed at each use", 0, 0}, {"basis", rows.Len(), 0}} {
			model := kernel.Model{Kernel: "linear", LossScale: 1, Basis: c.basis, BasisSeed: 1, Cache: c.cache}
			p := taskOf(t, model, rows).Risk(loss, 0.05)
			for _, cache := range []int{0, 10} {
				o := exactOneSlack(eps)
				o.Cache = cache
				at := endOf(t, o, p)
				if math.Abs(at.primal-explicit.primal) > 1e-6*explicit.primal ||
					math.Abs(at.dual-explicit.dual) > 1e-6*explicit.primal {
					t.Errorf("%s, slack rescaling %v, cache %d: primal %v and dual %v: with features %v", c.name, loss.Slack, cache,
						at.primal, at.dual, explicit.primal)
				}
			}
		}
	}
}
