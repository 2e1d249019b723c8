package coordinate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestDecompositionReports checks the statistics of the dual variables, the number of epochs, and that there are at
// most n/5 steps between two yields, where n is the number of examples.
func TestDecompositionReports(t *testing.T) {
	x, y := overlapping(6, 45, 4)
	p := twoClasses(t, multiclass.Binary{LossScale: 100}, x, y, 1e-4)
	s := NewDecomposition()
	d := newDecompositionState(p, s)
	epoch, yields, steps := 0, 0, 0.0
	d.run(s.Tol, solvers.Env{}, func(it solvers.Iterate, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		if yields == 0 && (testbed.Stat(it, "violation") != 1 || testbed.Stat(it, "steps") != 0) {
			t.Errorf("at the start: violation = %v and steps = %v, want 1 and 0", testbed.Stat(it, "violation"),
				testbed.Stat(it, "steps"))
		}
		if it.Epoch != epoch && it.Epoch != epoch+1 || it.Epoch != d.steps/len(x) {
			t.Errorf("epoch = %d after epoch %d and %d steps on %d examples, want %d", it.Epoch, epoch, d.steps, len(x),
				d.steps/len(x))
		}
		if more := testbed.Stat(it, "steps") - steps; more > float64(len(x))/5 {
			t.Errorf("%v steps between two yields, want at most %v", more, float64(len(x))/5)
		}
		epoch, steps = it.Epoch, testbed.Stat(it, "steps")
		yields++
		var support, bounded float64
		for _, a := range d.a {
			if a != 0 {
				support++
			}
			if a >= 1/45. {
				bounded++
			}
		}
		if testbed.Stat(it, "support_vectors") != support || testbed.Stat(it, "bounded") != bounded {
			t.Errorf("support_vectors = %v and bounded = %v, want %v and %v", testbed.Stat(it, "support_vectors"),
				testbed.Stat(it, "bounded"), support, bounded)
		}
		return soon(t, it)
	})
	if steps != float64(d.steps) {
		t.Errorf("the last yield is after %v steps, want all %d", steps, d.steps)
	}
	if v := testbed.Stat(d.iterate(), "violation"); v > s.Tol {
		t.Errorf("violation = %v at the end, want at most %v", v, s.Tol)
	}
	if yields < 3 || steps < 45 {
		t.Errorf("the run ended after %d yields and %v steps: want a harder problem", yields, steps)
	}
}

func TestDecompositionStepAllocatesNothing(t *testing.T) {
	x, y := overlapping(7, 100, 5)
	for _, cache := range []float64{0, 100} {
		d := newDecompositionState(twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 1e-4),
			&Decomposition{Cache: cache, Pair: "second-order"})
		for i := range x {
			d.column(i)
		}
		if n := testing.AllocsPerRun(100, func() {
			if i, violation := d.worst(); violation > 0 {
				d.step(i)
			}
		}); n != 0 {
			t.Errorf("cache of %v MB: %v allocations per step, want 0", cache, n)
		}
	}
}

// TestDecompositionBeyondPrecision checks that a run with a tolerance below the precision of float64 finds the optimum
// and ends.
func TestDecompositionBeyondPrecision(t *testing.T) {
	x, y := overlapping(8, 30, 5)
	p := twoClasses(t, multiclass.Model{}, x, y, 0.1)
	yields, gap := 0, 0.0
	for it := range solvers.Run(&Decomposition{Tol: 1e-300, Pair: "violating"}, p, solvers.Env{Seed: 1}) {
		gap = p.Primal(it.W) - it.Dual()
		if yields++; yields > 2000 {
			break
		}
	}
	if math.Abs(gap) > 1e-12 {
		t.Errorf("final gap = %v, want 0", gap)
	}
}

// TestDecompositionLosses checks three cases of label losses. Check returns an error for a positive label loss of the
// true label. A 0/1 loss over labellings gives the same result as a 0/1 loss over parts. If all label losses are 0, the
// dual is 0.
func TestDecompositionLosses(t *testing.T) {
	x, y := overlapping(9, 10, 3)
	good := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.1)
	with := func(change func(*models.Example)) *models.Risk { return good.Map(change).(*models.Risk) }
	err := solvers.Missing(NewDecomposition(), with(func(e *models.Example) { e.Cost = []float64{1, 1} }))
	if !errors.Is(err, solvers.ErrUnsupported) || !strings.Contains(err.Error(), "label loss of 0") {
		t.Errorf("positive label loss of the truth: Missing = %v, want an error that contains %q", err, "label loss of 0")
	}
	zeroOne := with(func(e *models.Example) { e.Cost, e.ZeroOne = nil, 1 })
	if a, b := ended(t, good), ended(t, zeroOne); a != b {
		t.Errorf("final dual with a 0/1 loss over labellings = %v, want %v as with one over parts", b, a)
	}
	if dual := ended(t, with(func(e *models.Example) { e.Cost = nil })); dual != 0 {
		t.Errorf("final dual without label losses = %v, want 0", dual)
	}
}

// TestDecompositionWithKernel checks that a problem has the same optimum with the linear kernel as without a kernel,
// and that the dual never exceeds the primal.
func TestDecompositionWithKernel(t *testing.T) {
	rows := testbed.OverlappingClasses(30, 4, 2)
	linear := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows).Objective(models.Hinge(), 0.02).(*models.Risk)
	expanded := testbed.TaskOf(t, kernel.Model{Kernel: "linear", LossScale: 1, Cache: 1}, rows).Objective(models.Hinge(),
		0.02).(*models.Risk)
	for _, pair := range []string{"violating", "second-order"} {
		ends := [2]testbed.End{}
		for k, p := range []*models.Risk{linear, expanded} {
			for it, err := range solvers.Run(&Decomposition{Tol: 1e-6, Pair: pair}, p, solvers.Env{Seed: 1}) {
				if err != nil || !soon(t, it) {
					t.Fatal(err)
				}
				ends[k] = testbed.EndAt(it)
				if ends[k].Primal = p.Primal(it.W); ends[k].Primal < ends[k].Dual-1e-12 {
					t.Errorf("%s: primal = %v is below dual = %v", pair, ends[k].Primal, ends[k].Dual)
				}
			}
		}
		if a, b := ends[0], ends[1]; math.Abs(a.Dual-b.Dual) > 1e-6 || math.Abs(a.Primal-b.Primal) > 1e-6 {
			t.Errorf("%s: dual = %v and primal = %v with the kernel, want %v and %v as without", pair, b.Dual, b.Primal, a.Dual,
				a.Primal)
		}
	}
}

// ended runs Decomposition until the run ends by itself, and returns the final dual.
func ended(t *testing.T, p *models.Risk) float64 {
	t.Helper()
	dual := math.NaN()
	for it, err := range solvers.Run(NewDecomposition(), p, solvers.Env{Seed: 1}) {
		if err != nil || !soon(t, it) {
			t.Fatal(err)
		}
		dual = it.Dual()
	}
	return dual
}
