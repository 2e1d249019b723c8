package eg_test

import (
	"context"
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/inputs"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
	"github.com/gaplab/gaplab/solvers/gradient"
)

// problem returns the objective of a built-in experiment on its smoke data with 200 training examples. c is the value
// of C.
func problem(t *testing.T, id string, c float64, set ...string) *models.Risk {
	t.Helper()
	e, err := harness.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At("smoke", append([]string{"dataset.train=200", "dataset.validation=20"}, set...))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	o := harness.Options{}.Schedule()
	task, _, err := inputs.New(s, o.Catalogue, o.Source).Task(context.Background(), runs[0])
	if err != nil {
		t.Fatal(err)
	}
	loss, ok := models.LossNamed(runs[0].Model.Loss)
	if !ok {
		t.Fatalf("no loss %q", runs[0].Model.Loss)
	}
	return task.Objective(loss, lang.ConventionEG.Lambda(c, len(task.Train))).(*models.Risk)
}

// TestDualRisesAtEveryUpdateBelowThePrimal checks claim c3 of eg/fig05: no update of EG lowers the dual, and the dual
// is never above the primal. With at most nine examples, EG yields after every update, so the test sees primal and dual
// after each update.
func TestDualRisesAtEveryUpdateBelowThePrimal(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains on all listed problems")
	}
	for _, loss := range []string{"log", "hinge"} {
		for _, c := range []float64{1000, 100, 10, 1} {
			p := problem(t, "eg/fig05", c, "model.loss="+loss)
			p.Lambda *= float64(len(p.Examples)) / 9 // so that C = λn stays the same with 9 examples
			p.Examples = p.Examples[:9]
			for k, order := range []string{"random", "random", "permutation", "cyclic", "batch"} {
				start := 10 * float64(min(k, 1)) // 0 in the first case: the uniform distribution; then 10, as in the experiments
				eg := &eg.Solver{Order: order, Rate: "adaptive", Eta: 0.5, StartScore: start}
				before, updates := math.Inf(-1), 0
				for it, err := range eg.Train(p, solvers.Env{Seed: 1}) {
					if err != nil {
						t.Fatal(err)
					}
					dual, primal := it.Dual(), p.Primal(it.W)
					tol := 1e-9 * (1 + math.Abs(dual))
					if dual < before-tol {
						t.Fatalf("%s, C=%v, %s: update %d lowers the dual from %.12g to %.12g", loss, c, order, updates, before, dual)
					}
					if primal < dual-tol {
						t.Fatalf("%s, C=%v, %s: after update %d the primal %.12g is below the dual %.12g", loss, c, order, updates,
							primal, dual)
					}
					before = dual
					if updates++; updates > 250 {
						break
					}
				}
			}
		}
	}
}

// TestPrimalAndDualMeetInOneOptimum checks claim c1 of eg/dual: the smallest primal equals the largest dual, and the
// weights of the best dual point are the best weights. The paper states C w* = w(α*). Both of its sides are C times
// the weights of this program, so the relative distance of the two sides is the same here.
func TestPrimalAndDualMeetInOneOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains on all listed problems")
	}
	for _, c := range []float64{1000, 100, 10} {
		p := problem(t, "eg/dual", c)
		const gap = 1e-8
		eg := meet(t, p, &eg.Solver{Order: "random", Rate: "adaptive", Eta: 0.5, StartScore: 10}, gap)
		lbfgs := meet(t, p, &gradient.LBFGS{Memory: 10}, gap)
		optimum := p.Primal(lbfgs.w)
		for name, v := range map[string]float64{"primal of eg": p.Primal(eg.w), "dual of eg": eg.dual,
			"dual of lbfgs": lbfgs.dual} {
			if math.Abs(v-optimum) > 3*gap*math.Abs(optimum) {
				t.Errorf("C=%v: the %s is %.12g, the primal of lbfgs %.12g", c, name, v, optimum)
			}
		}
		var away, norm float64
		for j, x := range eg.w {
			away += (x - lbfgs.w[j]) * (x - lbfgs.w[j])
			norm += x * x
		}
		if d := math.Sqrt(away / norm); !(d <= 1e-3) {
			t.Errorf("C=%v: the weights from the dual and from the primal differ by %.2g of their length", c, d)
		}
	}
}

// optimum holds the weights and the dual at the end of a run.
type optimum struct {
	w    []float64
	dual float64
}

// meet runs a solver until primal and dual differ by at most gap, relative to the primal.
func meet(t *testing.T, p *models.Risk, s solvers.Solver, gap float64) optimum {
	t.Helper()
	for it, err := range solvers.Run(s, p, solvers.Env{Seed: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		dual := p.Bound(it.W)
		if it.Dual != nil {
			dual = it.Dual()
		}
		if primal := p.Primal(it.W); primal-dual <= gap*math.Abs(primal) {
			return optimum{append([]float64(nil), it.W...), dual}
		}
		if it.Epoch > 3000 {
			break
		}
	}
	t.Fatalf("%T does not reach a gap of %v", s, gap)
	return optimum{}
}
