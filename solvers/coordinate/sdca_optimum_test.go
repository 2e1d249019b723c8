package coordinate

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// SDCA finds the optimum of L-BFGS, by both bounds, at a linear rate.
func TestSDCAOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	for name, p := range sdcaProblems(t, 12, 1) {
		least, dual := testbed.After(t, p, &gradient.LBFGS{Memory: 10}, 300)
		if least-dual > 1e-8*least {
			t.Fatalf("%s: L-BFGS ends with the bounds %v and %v", name, least, dual)
		}
		for _, s := range []*SDCA{{Order: "random", Begin: "truth"},
			{Order: "permutation", Begin: "uniform"}, {Order: "cyclic", Begin: "truth"}} {
			marks := []float64{1e-2, 1e-4, 1e-6} // relative gaps
			var at []int
			last, epoch := math.Inf(-1), -1
			for it, err := range solvers.Run(s, p, solvers.Env{Seed: 1}) {
				if err != nil {
					t.Fatal(err)
				}
				bound := it.Dual()
				if bound < last-1e-12*(1+math.Abs(last)) || bound > least*(1+1e-10) {
					t.Fatalf("%s, %+v, epoch %d: the dual is %v after %v, the optimum %v", name, *s, it.Epoch, bound, last, least)
				}
				last = bound
				if it.Epoch == epoch {
					continue
				}
				epoch = it.Epoch
				primal := p.Primal(it.W)
				for len(at) < len(marks) && primal-bound <= marks[len(at)]*primal {
					at = append(at, epoch)
				}
				if len(at) == len(marks) {
					if math.Abs(primal-least) > 1e-6*least || math.Abs(bound-least) > 1e-6*least {
						t.Errorf("%s, %+v: primal %v and dual %v: the optimum is %v", name, *s, primal, bound, least)
					}
					break
				}
				if epoch == 1000 {
					t.Fatalf("%s, %+v: the primal is %v and the dual %v after 1000 epochs: the optimum is %v", name, *s, primal, bound,
						least)
				}
			}
			if at[2]-at[1] > 2*(at[1]-at[0])+5 {
				t.Errorf("%s, %+v: relative gaps of %v at epochs %v: want equal distances", name, *s, marks, at)
			}
		}
	}
}

// What SDCA costs beside EG and L-BFGS, in marginal calls per example. SDCA never takes two for a step.
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
			p := s.Task.Risk(models.LogLoss(), c/n)
			calls := map[string]float64{}
			for name, solver := range map[string]solvers.Solver{
				"sdca":              &SDCA{Order: "random", Begin: "truth"},
				"sdca, permutation": &SDCA{Order: "permutation", Begin: "truth"},
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
