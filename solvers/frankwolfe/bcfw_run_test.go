package frankwolfe

import (
	"fmt"
	"iter"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// TestBCFWEnds checks runs with a very large λ, for which the optimum has all mass on labellings in which every part
// is wrong. A few passes find this optimum exactly, and the run ends. The last iterate is the optimum, even with
// averaging.
func TestBCFWEnds(t *testing.T) {
	for _, task := range []*models.Task{
		testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(12, 3, 2)),
		testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 2, 3, 1, 5, 2, 4, 2, 3, 6)),
	} {
		p := task.Objective(models.Hinge(), 1e4).(*models.Risk)
		for _, order := range []string{"random", "permutation", "cyclic"} {
			for _, average := range []bool{true, false} {
				b := &BCFW{Order: order, Average: average}
				solvertest.Resumes(t, fmt.Sprint(task.Model, ", ", order), func(env solvers.Env) iter.Seq2[solvers.Iterate, error] {
					return solvers.Run(b, p, env)
				})
				end := testbed.EndOf(t, b, p)
				if end.Epoch > 50 || !(end.Dual > 0) || math.Abs(end.Primal-end.Dual) > 1e-11*end.Primal {
					t.Errorf("%s, %s, average %v: primal = %v and dual = %v at the end, in epoch %d: want a gap of 0 by epoch 50",
						task.Model, order, average, end.Primal, end.Dual, end.Epoch)
				}
			}
		}
	}
}

// TestBCFWEitherNorm checks that a run has the same results if |Aᵀv|² is computed by NormSq or by Adjoint. In the
// second case, the solver also updates w and the average with the result of Adjoint.
func TestBCFWEitherNorm(t *testing.T) {
	eachHinge(t, 8, 1, func(t *testing.T, p *models.Risk) {
		b := &BCFW{Order: "permutation", Average: true}
		want, other := testbed.Trace(t, solvers.Run(b, testbed.WithFeatures(p, testbed.NewNormOnly), solvers.Env{Seed: 1})),
			testbed.Trace(t, solvers.Run(b, testbed.WithFeatures(p, testbed.NewSparseOnly), solvers.Env{Seed: 1}))
		for k := range min(20, len(want)) { // compare only these: later, rounding errors may decide ties differently
			if d := testbed.Distance(want[k].W, other[k].W); d > 1e-8*(1+math.Sqrt(dualspace.Dot(want[k].W, want[k].W))) {
				t.Errorf("the weights of both runs differ by %v at yield %d, want 0", d, k)
				break
			}
		}
	})
}

// TestBCFWVisitAllocatesNothing checks that visits allocate no memory after the first visits of each example.
func TestBCFWVisitAllocatesNothing(t *testing.T) {
	eachHinge(t, 20, 1, func(t *testing.T, p *models.Risk) {
		for name, p := range map[string]*models.Risk{"": p, " with norms": testbed.WithFeatures(p, testbed.NewNormOnly),
			" without norms": testbed.WithFeatures(p, testbed.NewSparseOnly)} {
			st := newBCFWState(&BCFW{Order: "permutation", Average: true}, p, 1)
			visit := func() {
				st.visit(st.visits.Next())
				if st.visits.Done%len(p.Examples) == 0 {
					st.endEpoch()
				}
			}
			for range 3 * len(p.Examples) {
				visit()
			}
			if n := testing.AllocsPerRun(2*len(p.Examples), visit); n != 0 {
				t.Errorf("features%s: %v allocations per visit, want 0", name, n)
			}
		}
	})
}

// bounds contains the least primal and the largest dual value of a run.
type bounds struct{ primal, dual float64 }

func (b bounds) gap() float64 { return (b.primal - b.dual) / b.primal }

// gapTo runs a solver until the gap is at most accuracy, but for at most the given number of epochs. It returns the
// bounds of the run.
func gapTo(t *testing.T, p *models.Risk, s solvers.Solver, accuracy float64, epochs int) bounds {
	t.Helper()
	at := bounds{primal: math.Inf(1), dual: math.Inf(-1)}
	last := 0
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
		if it.Epoch > 5 && it.Epoch == last {
			continue
		}
		last = it.Epoch
		at = bounds{min(at.primal, p.Primal(it.W)), max(at.dual, it.Dual())}
		if at.gap() <= accuracy || it.Epoch >= epochs {
			break
		}
	}
	return at
}

// BenchmarkBCFW measures the time of one visit, on examples with as many features and classes as MNIST, and on
// structures.
func BenchmarkBCFW(b *testing.B) {
	run := func(name string, p *models.Risk) {
		for _, average := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/average=%v", name, average), func(b *testing.B) {
				st := newBCFWState(&BCFW{Order: "random", Average: average}, p, 1)
				for range 2 * len(p.Examples) {
					st.visit(st.visits.Next())
				}
				b.ReportAllocs()
				for b.Loop() {
					st.visit(st.visits.Next())
				}
			})
		}
	}
	list := append(testbed.Structures(b, 300),
		testbed.Structured{Name: "multiclass",
			Task: testbed.Build(b, multiclass.Model{}, generated.Digits{Train: 2000, Seed: 1})})
	for _, s := range list {
		run(s.Name, s.Task.Objective(models.Hinge(), 1/float64(len(s.Task.Train))).(*models.Risk))
	}
}

// TestBCFWStillVisits checks which visits count for the end of a run: those that found no gap at the present w. If w
// has changed since the oracle was called, in a minibatch, the visit does not count. An example counts only once.
func TestBCFWStillVisits(t *testing.T) {
	task := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(6, 3, 2))
	p := task.Objective(models.Hinge(), 1e4).(*models.Risk)
	st := newBCFWState(&BCFW{Order: "cyclic", Minibatch: 2}, p, 1)
	st.visit(3) // with this λ, one step reaches the optimum of the block
	for _, x := range []struct {
		slot, i int
		prepare []int // examples for the slots 0, 1, ..., or nil
		still   int
	}{
		{0, 4, []int{4, 3}, 0}, {1, 3, nil, 0}, {0, 3, []int{3, 4}, 1}, {1, 4, nil, 2}, {0, 4, []int{4, 3}, 2},
		{1, 3, nil, 2},
		{0, 5, []int{5, 3}, 0}, {1, 3, nil, 0}, {0, 3, []int{3}, 1},
	} {
		for slot, i := range x.prepare {
			st.Prepare(slot, i)
		}
		if st.Step(x.slot, x.i, 1); st.still != x.still {
			t.Errorf("%+v: %d examples without a gap since the last change, want %d", x, st.still, x.still)
		}
	}
}
