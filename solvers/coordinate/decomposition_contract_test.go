package coordinate

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestDecompositionReports checks that the statistics count the dual variables correctly, and that epochs and yields
// come as promised.
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
			t.Errorf("at the start the violation is %v after %v steps: want 1 after 0", testbed.Stat(it, "violation"),
				testbed.Stat(it, "steps"))
		}
		if it.Epoch != epoch && it.Epoch != epoch+1 || it.Epoch != d.steps/len(x) {
			t.Errorf("epoch %d follows epoch %d after %d steps on %d examples", it.Epoch, epoch, d.steps, len(x))
		}
		if more := testbed.Stat(it, "steps") - steps; more > float64(len(x))/5 {
			t.Errorf("%v steps between two yields", more)
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
			t.Errorf("%v support vectors, %v of them bounded: want %v and %v", testbed.Stat(it, "support_vectors"),
				testbed.Stat(it, "bounded"),
				support, bounded)
		}
		return soon(t, it)
	})
	if steps != float64(d.steps) {
		t.Errorf("the last yield is after %v steps of %d", steps, d.steps)
	}
	if v := testbed.Stat(d.iterate(), "violation"); v > s.Tol {
		t.Errorf("the run ended at a violation of %v: want at most %v", v, s.Tol)
	}
	if yields < 3 || steps < 45 {
		t.Errorf("the run ended after %d yields and %v steps: too easy to test anything", yields, steps)
	}
}

// TestDecompositionStepAllocatesNothing checks that a step allocates nothing once its columns have been seen.
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
			t.Errorf("with a cache of %v MB a step allocates %v times", cache, n)
		}
	}
}

// TestDecompositionBeyondPrecision checks that a run with a tolerance below the precision of float64 finds the optimum
// and does not hang. It may end or go on.
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
		t.Errorf("the final gap is %v", gap)
	}
}

func TestDecompositionNeeds(t *testing.T) {
	x, y := overlapping(9, 10, 3)
	good := twoClasses(t, multiclass.Binary{LossScale: 1}, x, y, 0.1)
	if err := solvers.Missing(NewDecomposition(), good); err != nil {
		t.Fatalf("Missing says %v of a binary problem", err)
	}
	with := func(change func(*models.Risk)) *models.Risk {
		p := *good
		p.Examples = slices.Clone(good.Examples)
		change(&p)
		return &p
	}
	last := len(x) - 1
	for _, c := range []struct {
		name, want string
		problem    *models.Risk
	}{
		{"log loss", "hinge", with(func(p *models.Risk) { p.Loss = models.LogLoss() })},
		{"slack rescaling", "slack rescaling", with(func(p *models.Risk) { p.Loss = models.Loss{Slack: true} })},
		{"no margin", "hinge", with(func(p *models.Risk) { p.Loss.Margin = 0 })},
		{"ten classes", "1 of 10 parts",
			testbed.Build(t, multiclass.Model{}, generated.Digits{Train: 10, Seed: 1}).Objective(models.Hinge(),
				1).(*models.Risk)},
		{"no adjoint", "Adjoint", with(func(p *models.Risk) {
			p.Examples[last].Features = struct{ models.FeatureMap }{p.Examples[last].Features}
		})},
		{"loss of the truth", "label loss of 0", with(func(p *models.Risk) { p.Examples[last].Cost = []float64{1, 1} })},
	} {
		err := solvers.Missing(NewDecomposition(), c.problem)
		if !errors.Is(err, solvers.ErrUnsupported) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Missing says %v: want ErrUnsupported with %q", c.name, err, c.want)
		}
	}
	for _, s := range []*Decomposition{{Tol: 0, Pair: "violating"}, {Tol: math.NaN(), Pair: "violating"},
		{Tol: 1, Cache: -1, Pair: "violating"}, {Tol: 1, Pair: "second"}} {
		if err := solvers.Missing(s, good); err == nil || errors.Is(err, solvers.ErrUnsupported) {
			t.Errorf("%+v: Missing says %v: want the setting refused", *s, err)
		}
	}
	zeroOne := with(func(p *models.Risk) {
		for i := range p.Examples {
			p.Examples[i].Cost, p.Examples[i].ZeroOne = nil, 1
		}
	})
	if a, b := ended(t, good), ended(t, zeroOne); a != b {
		t.Errorf("a 0/1 loss over labellings ends at %v, one over parts at %v", b, a)
	}
	if dual := ended(t, with(func(p *models.Risk) {
		for i := range p.Examples {
			p.Examples[i].Cost = nil
		}
	})); dual != 0 {
		t.Errorf("without label losses the dual is %v: want 0", dual)
	}
}

// ended returns the dual at the end of a run.
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
