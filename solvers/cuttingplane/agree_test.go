package cuttingplane

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestCuttingPlaneRescalings checks two relations of margin and slack rescaling. If the label loss is 0 or 1, both are
// the same problem. If the label loss is 0 or 100, the objective of margin rescaling with C at the weights 100 w is 10⁴
// times the objective of slack rescaling with C/10⁴ at the weights w. With the margin m_i(w) of example i,
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
			margin := task.Objective(models.Hinge(), 0.1/scale).(*models.Risk) // at this λ, no optimum is w = 0
			slack := task.Objective(models.Slack(), margin.Lambda*scale*scale).(*models.Risk)
			for method, s := range map[string]solvers.Solver{
				"one-slack": &OneSlack{Epsilon: 1e-8, Cache: 10, CacheRule: "svmstruct", Step: "qp"},
				"n-slack":   &NSlack{Epsilon: 1e-8, Precision: "halving", QP: "coordinate", Batch: 100},
			} {
				m, v := testbed.EndOf(t, s, margin), testbed.EndOf(t, s, slack)
				if math.Abs(m.Primal-v.Primal) > 1e-6*m.Primal {
					t.Errorf("%s, %s, loss %v: optimum of margin rescaling = %v, want %v as of slack rescaling", method, name, scale,
						m.Primal, v.Primal)
				}
				for j, w := range v.W {
					if math.Abs(m.W[j]-scale*w) > 1e-3*scale {
						t.Errorf("%s, %s, loss %v: w[%d] = %v with margin and %v with slack rescaling, want the ratio %v", method, name,
							scale, j, m.W[j], w, scale)
						break
					}
				}
			}
			if same := task.Objective(models.Slack(), margin.Lambda).(*models.Risk); scale != 1 {
				m, v := testbed.EndOf(t, exactOneSlack(1e-4), margin), testbed.EndOf(t, exactOneSlack(1e-4), same)
				if math.Abs(m.Primal-v.Primal) < 0.01*m.Primal {
					t.Errorf("%s: with the same C, the optima are %v and %v, want different optima", name, m.Primal, v.Primal)
				}
			}
		}
	}
}

// TestCuttingPlaneDrop checks that removing constraints that have been inactive for many QPs (section 4 of Joachims,
// Finley and Yu (2009)) does not change the optimum, and makes the working set smaller.
func TestCuttingPlaneDrop(t *testing.T) {
	const eps = 1e-3
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(60, 6, 4)).Objective(models.Hinge(),
		0.003).(*models.Risk)
	sizes := func(with func(drop int) solvers.Solver, drops ...int) (out []float64) {
		all := testbed.EndOf(t, with(0), p)
		for _, drop := range drops {
			at := testbed.EndOf(t, with(drop), p)
			if math.Abs(at.Primal-all.Primal) > 1.5*eps || math.Abs(at.Dual-all.Dual) > 1.5*eps {
				t.Errorf("%T, drop %d: primal = %v and dual = %v, want %v and %v as with drop 0", with(drop), drop, at.Primal,
					at.Dual, all.Primal, all.Dual)
			}
			if at.Stats["working_set"] >= all.Stats["working_set"] {
				t.Errorf("%T, drop %d: working_set = %v, want fewer than %v as with drop 0", with(drop), drop,
					at.Stats["working_set"], all.Stats["working_set"])
			}
			out = append(out, at.Stats["working_set"])
		}
		return out
	}
	for _, cache := range []int{0, 10} {
		n := sizes(func(drop int) solvers.Solver {
			return &OneSlack{Epsilon: eps, Cache: cache, CacheRule: "svmstruct", Step: "qp", Drop: drop}
		}, 5, 50)
		if cache == 0 && n[0] > n[1] {
			t.Errorf("working_set = %v with drop 5, want at most %v as with drop 50", n[0], n[1])
		}
	}
	sizes(func(drop int) solvers.Solver {
		return &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 3, Drop: drop}
	}, 5)
	sizes(func(drop int) solvers.Solver { return &BMRM{Epsilon: eps, Drop: drop} }, 5)
}

// TestCuttingPlaneKernel checks that a linear kernel gives the same results as explicit features. It tests both forms
// of model kernel: the exact expansion in all examples, and a basis of all training pairs (OP8 in Joachims, Finley and
// Yu (2009)).
func TestCuttingPlaneKernel(t *testing.T) {
	rows := testbed.OverlappingClasses(25, 3, 3)
	withCache := exactOneSlack(1e-8)
	withCache.Cache = 10
	for _, c := range []struct {
		solver solvers.Solver
		loss   models.Loss
	}{
		{exactOneSlack(1e-8), models.Hinge()}, {withCache, models.Hinge()}, {exactOneSlack(1e-8), models.Slack()},
		{withCache, models.Slack()}, {&BMRM{Epsilon: 1e-8}, models.Hinge()}, {&BMRM{Epsilon: 1e-8}, models.LogLoss()},
	} {
		want := testbed.EndOf(t, c.solver,
			testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows).Objective(c.loss, 0.05).(*models.Risk))
		for name, k := range map[string]kernel.Model{"exact": {Cache: 16}, "exact, computed at each use": {},
			"basis": {Basis: rows.Len(), BasisSeed: 1}} {
			k.Kernel, k.LossScale = "linear", 1
			at := testbed.EndOf(t, c.solver, testbed.TaskOf(t, k, rows).Objective(c.loss, 0.05).(*models.Risk))
			if math.Abs(at.Primal-want.Primal) > 1e-6*want.Primal || math.Abs(at.Dual-want.Dual) > 1e-6*want.Primal {
				t.Errorf("%+v, %+v, %s: primal = %v and dual = %v, want %v and %v as with features", c.solver, c.loss, name,
					at.Primal, at.Dual, want.Primal, want.Dual)
			}
		}
	}
}

// TestCuttingPlaneWarm checks that a session keeps its working set when λ changes. At the new λ, it must find the
// optimum, and need fewer passes than a cold start.
func TestCuttingPlaneWarm(t *testing.T) {
	const eps = 1e-3
	passes := func(e testbed.End) float64 {
		if passes, ok := e.Stats["oracle_passes"]; ok {
			return passes
		}
		return float64(e.Epoch)
	}
	primal := func(e testbed.End) float64 {
		if best, ok := e.Stats["primal_best"]; ok {
			return best
		}
		return e.Primal
	}
	for name, s := range map[string]solvers.Warm{
		"one-slack":        &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp", Drop: 50},
		"one-slack, cache": &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50},
		"n-slack":          &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50},
		"n-slack, fixed":   &NSlack{Epsilon: eps, Precision: "fixed", QP: "decomposition", Batch: 100, Drop: 50},
		"bmrm":             &BMRM{Epsilon: eps},
	} {
		check := func(t *testing.T, p *models.Risk) {
			if solvers.Missing(s, p) != nil || p.Loss == (models.Loss{}) {
				t.Skip("the method does not support the problem, or solves it in one pass because there is no margin")
			}
			session, err := s.Start(p, solvers.Env{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			before := testbed.EndOfRun(t, session.Run(p.Lambda), p)
			for _, lambda := range []float64{0.01, 0.005, 0.02} {
				q := p.At(lambda)
				warm, cold := testbed.EndOfRun(t, session.Run(lambda), q), testbed.EndOf(t, s, q)
				if math.Abs(primal(warm)-primal(cold)) > 1.501*eps || warm.Dual > primal(cold) {
					t.Errorf("λ = %v: primal = %v and dual = %v, want the primal %v of a cold start, and a dual not above it", lambda,
						primal(warm), warm.Dual, primal(cold))
				}
				if took := passes(warm) - passes(before); took >= passes(cold) {
					t.Errorf("λ = %v: %v passes, want fewer than %v as from a cold start", lambda, took, passes(cold))
				}
				before = warm
			}
		}
		t.Run(name, func(t *testing.T) { eachBundle(t, 0.02, check) })
	}
}

// TestCuttingPlaneSettings checks that Missing and Run return an error that names the setting if a setting is out of
// range.
func TestCuttingPlaneSettings(t *testing.T) {
	p := planeCases(t)[0].Task.Objective(models.Hinge(), 0.1).(*models.Risk)
	for _, c := range []struct {
		name   string
		solver solvers.Solver
	}{
		{"eps is NaN", &OneSlack{Epsilon: math.NaN(), CacheRule: "paper", Step: "qp"}},
		{"tolerance is -1", &OneSlack{Tolerance: -1, CacheRule: "paper", Step: "qp"}},
		{"drop is 1", &OneSlack{Drop: 1, CacheRule: "paper", Step: "qp"}},
		{"drop is 1", &NSlack{Drop: 1, Precision: "halving", QP: "coordinate", Batch: 100}},
		{"precision: fixed needs eps > 0", &NSlack{Precision: "fixed", QP: "coordinate", Batch: 100}},
		{"batch is 0", &NSlack{Precision: "halving", QP: "coordinate"}},
		{"drop is 1", &BMRM{Drop: 1}},
		{"eps is -1", &BMRM{Epsilon: -1}},
	} {
		err := solvers.Missing(c.solver, p)
		if err == nil || errors.Is(err, solvers.ErrUnsupported) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%T: Missing = %v, want an error that contains %q", c.solver, err, c.name)
			continue
		}
		for _, got := range solvers.Run(c.solver, p, solvers.Env{Seed: 1}) {
			if got == nil || got.Error() != err.Error() {
				t.Errorf("%T: error of Run = %v, want %v as from Missing", c.solver, got, err)
			}
		}
	}
}

// TestCuttingPlaneNeeds checks that Missing returns an error for problems that a method cannot solve, and that the
// error gives the reason.
func TestCuttingPlaneNeeds(t *testing.T) {
	cases := planeCases(t)
	kernel := cases[0].Task.Objective(models.Hinge(), 0.1).(*models.Risk)
	kernel.Norm = func(dst, w []float64) { copy(dst, w) }
	for _, c := range []struct {
		solver solvers.Solver
		p      models.Objective
		says   string
	}{
		{NewOneSlack(), cases[0].Task.Objective(models.LogLoss(), 0.1), "smooth losses"},
		{NewNSlack(), kernel, "kernel expansion"},
		{NewBMRM(), cases[0].Task.Objective(models.Slack(), 0.1), "slack rescaling"},
		{NewBMRM(), cases[2].Task.Objective(models.Hinge(), 0.1), "0/1 loss"},
	} {
		if err := solvers.Missing(c.solver, c.p); !errors.Is(err, solvers.ErrUnsupported) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%T: Missing = %v, want ErrUnsupported with %q", c.solver, err, c.says)
		}
	}
}
