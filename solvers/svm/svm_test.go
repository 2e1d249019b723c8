package svm_test

import (
	"maps"
	"math"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/interior"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
	"github.com/gaplab/gaplab/solvers/solvertest"
	"github.com/gaplab/gaplab/solvers/svm"
)

func TestConformance(t *testing.T) {
	once := func(n int) (low, high int) { return n, n }
	solvertest.Each(t, solvertest.With("", svm.New(), solvertest.Random(), solvertest.MonotoneDual(),
		solvertest.CallsPerEpoch(once)))
}

// raw returns a problem of dim columns and k classes (Binary if k is 2), whose values are multiplied by scale.
func raw(t *testing.T, dim, k int, scale, lambda float64) *models.Risk {
	t.Helper()
	rows := testbed.OverlappingClasses(60, dim, k)
	for j := range rows.X.Value {
		rows.X.Value[j] *= scale
	}
	var model models.Builder = multiclass.Model{LossScale: 1}
	if k == 2 {
		model = multiclass.Binary{LossScale: 1}
	}
	return testbed.TaskOf(t, model, rows).Objective(models.Hinge(), lambda).(*models.Risk)
}

// TestFaster checks which method is selected, by the statistics of the iterates. It must be the interior-point method
// on raw values and for a small λ, and DCD otherwise. It must also be DCD if there are more weights than the
// interior-point method supports. The test also checks that the selected method reaches a small gap.
func TestFaster(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test solves seven problems to the end")
	}
	for _, c := range []struct {
		name          string
		dim, k        int
		scale, lambda float64
		interior      bool
	}{
		{"scaled", 4, 3, 1, 0.1, false},
		{"raw", 4, 3, 1000, 0.1, true},
		{"two classes, scaled", 4, 2, 1, 0.1, false},
		{"two classes, raw", 4, 2, 1000, 0.1, true},
		{"small λ", 4, 3, 1, 1e-7, true},
		{"raw, many weights", 1001, 2, 1000, 0.1, true},
		{"raw, too many weights", 2001, 2, 1000, 0.1, false},
	} {
		p := raw(t, c.dim, c.k, c.scale, c.lambda)
		stats, gap := map[string]bool{}, math.Inf(1)
		for it := range testbed.Iterates(t, svm.New().Train(p, solvers.Env{Seed: 1})) {
			if it.Stats == nil {
				continue
			}
			for name := range statistics(it) {
				stats[name] = true
			}
			if primal := p.Primal(it.W); it.Dual != nil {
				gap = (primal - it.Dual()) / primal
			}
			if gap < 1e-4 || it.Epoch > 100 {
				break
			}
		}
		want := map[string]bool{"active": true, "violation": true}
		if c.interior {
			want = map[string]bool{"complementarity": true}
		}
		if !maps.Equal(stats, want) {
			t.Errorf("%s: the columns are %v, want %v", c.name, stats, want)
		}
		if !(gap < 1e-4) && c.dim < 2000 {
			t.Errorf("%s: the relative gap is %.2g after 100 epochs, want at most 1e-4", c.name, gap)
		}
	}
}

// TestPath runs a session over values of λ for which the methods alternate. It checks that no epoch is left out,
// that each stage reaches a small gap, and that the bounds of each stage agree with the bounds of the interior-point
// method.
func TestPath(t *testing.T) {
	p := raw(t, 4, 3, 30, 1)
	session, err := svm.New().Start(p, solvers.Env{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	last, methods := 0, ""
	for _, lambda := range []float64{30, 1e-3, 10, 1e-4, 20} {
		at, low, high, method := p.At(lambda), math.Inf(-1), math.Inf(1), "d"
		for it := range testbed.Iterates(t, session.Run(lambda)) {
			if it.Epoch < last || it.Epoch > last+1 {
				t.Fatalf("λ = %v: epoch %d after epoch %d", lambda, it.Epoch, last)
			}
			last = it.Epoch
			if it.Dual == nil {
				continue
			}
			low, high = max(low, it.Dual()), min(high, at.Primal(it.W))
			if _, inner := statistics(it)["complementarity"]; inner {
				method = "i"
			}
			if high-low <= 1e-6*high {
				break
			}
		}
		methods += method
		primal, dual := testbed.After(t, at, interior.NewSVM(), 60)
		if !(high-low <= 1e-6*high) || low > primal*(1+1e-9) || high < dual*(1-1e-9) {
			t.Errorf("λ = %v: bounds %v and %v, want a relative gap of 1e-6, and the optimum between %v and %v", lambda, low,
				high, dual, primal)
		}
	}
	if methods != "didid" {
		t.Errorf("the methods were %s, want d (DCD) and i (interior point) in turn", methods)
	}
}

func statistics(it solvers.Iterate) map[string]float64 {
	out := map[string]float64{}
	it.Stats(func(name string, v float64) { out[name] = v })
	return out
}
