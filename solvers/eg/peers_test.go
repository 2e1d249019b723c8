package eg_test

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/eg"
	"github.com/gaplab/gaplab/solvers/frankwolfe"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestPeersAgree checks that EG and methods of other families enclose the same optimum of the hinge.
func TestPeersAgree(t *testing.T) {
	const accuracy = 1e-4
	for name, task := range map[string]*models.Task{
		"two classes": testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(30, 3, 2)),
		"binary":      testbed.TaskOf(t, multiclass.Binary{LossScale: 100, Bias: 1}, testbed.OverlappingClasses(40, 3, 2)),
		"multiclass":  testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(30, 4, 4)),
		"chain": testbed.TaskOf(t, chain.Model{Edges: "tied"},
			testbed.ShortSequences(3, 3, 3, 1, 5, 2, 4, 2, 3, 6)),
	} {
		p := task.Objective(models.Hinge(), 0.1).(*models.Risk)
		low, high, ran := math.Inf(-1), math.Inf(1), 0
		for peer, s := range map[string]solvers.Solver{
			"eg":            &eg.Solver{Order: "random", Rate: "adaptive"},
			"one-slack":     &cuttingplane.OneSlack{Epsilon: 1e-5, CacheRule: "svmstruct", Step: "qp"},
			"bmrm":          &cuttingplane.BMRM{Epsilon: 1e-5},
			"smo":           &coordinate.SMO{Order: "permutation", Steps: 3},
			"decomposition": &coordinate.Decomposition{Tol: 1e-9, Pair: "violating"},
			"bcfw":          &frankwolfe.BCFW{Order: "random", Average: true},
		} {
			if solvers.Missing(s, p) != nil {
				continue
			}
			ran++
			dual, primal := math.Inf(-1), math.Inf(1)
			for it, err := range solvers.Run(s, p, solvers.Env{Seed: 1}) {
				if err != nil {
					t.Fatal(err)
				}
				primal, dual = min(primal, p.Primal(it.W)), max(dual, it.Dual())
				if primal-dual <= accuracy*primal || it.Epoch >= 20_000 {
					break
				}
			}
			if primal-dual > 2*accuracy*primal {
				t.Errorf("%s: %s comes to [%v, %v]: want a relative gap of %v", name, peer, dual, primal, accuracy)
			}
			low, high = max(low, dual), min(high, primal)
		}
		if low > high*(1+1e-9) || ran < 3 {
			t.Errorf("%s: of %d methods the best primal is %v and the best dual %v", name, ran, high, low)
		}
	}
}

// TestSDCAVisits logs the marginal calls per example of SDCA, EG and L-BFGS, and checks that SDCA never takes two for a
// step.
func TestSDCAVisits(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	const n, mark = 40, 1e-4
	list := testbed.Structures(t, n)
	list = append(list, testbed.Structured{Name: "multiclass",
		Task: testbed.TaskOf(t, multiclass.Model{}, testbed.OverlappingClasses(n, 6, 5))})
	for _, s := range list {
		for _, c := range []float64{1, 10} {
			p := s.Task.Objective(models.LogLoss(), c/n).(*models.Risk)
			calls := map[string]float64{}
			for name, solver := range map[string]solvers.Solver{
				"sdca":              &coordinate.SDCA{Order: "random", Begin: "truth"},
				"sdca, permutation": &coordinate.SDCA{Order: "permutation", Begin: "truth"},
				"eg":                &eg.Solver{Order: "random", Rate: "adaptive", StartScore: 10},
				"lbfgs":             &gradient.LBFGS{Memory: 10},
			} {
				calls[name] = callsToGap(t, p, solver, mark)
			}
			t.Logf("%s, C = %v: marginal calls per example to a relative gap of %v: %v", s.Name, c, mark, calls)
			if calls["sdca"] > 4*calls["eg"] {
				t.Errorf("%s, C = %v: SDCA takes %v calls per example: EG takes %v", s.Name, c, calls["sdca"], calls["eg"])
			}
		}
	}
}

// callsToGap counts the calls of the exp-oracle, per example and including those of set-up, until
// the relative gap is small at the end of an epoch.
func callsToGap(t *testing.T, p *models.Risk, s solvers.Solver, mark float64) float64 {
	t.Helper()
	var calls atomic.Int64
	q := *p
	q.Examples = slices.Clone(p.Examples)
	for i := range q.Examples {
		q.Examples[i].Exp = countingExp{q.Examples[i].Exp, &calls}
	}
	epoch := 0
	for it, err := range solvers.Run(s, &q, solvers.Env{Seed: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		if it.Epoch == epoch {
			continue
		}
		epoch = it.Epoch
		if primal := p.Primal(it.W); primal-it.Dual() <= mark*primal {
			break
		}
		if it.Epoch == 1000 {
			t.Fatalf("%T has not come to a relative gap of %v in 1000 epochs", s, mark)
		}
	}
	return float64(calls.Load()) / float64(len(p.Examples))
}

type countingExp struct {
	models.ExpOracle
	calls *atomic.Int64
}

func (o countingExp) LogSum(mu, theta []float64) float64 {
	o.calls.Add(1)
	return o.ExpOracle.LogSum(mu, theta)
}
