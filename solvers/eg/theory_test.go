package eg_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func TestTheoryConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	common := []solvertest.Option{solvertest.MonotoneDual(), solvertest.Lambdas(0.1, 1),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n })}
	for order, more := range map[string][]solvertest.Option{
		"random": {solvertest.Accuracy(1e-6, 2e-2, 3000)},
		"batch": {solvertest.Deterministic(), solvertest.Accuracy(1e-5, 5e-2, 3000), // rate: 1/n of the online rate
			solvertest.CallsBetweenYields(func(n int) int { return n })},
	} {
		t.Run(order, func(t *testing.T) {
			solvertest.Check(t, &eg.Solver{Order: order, Rate: "theory"}, append(more, common...)...)
		})
	}
}

// twoPoints returns a problem with two examples, x = 2 and x = 3, and three classes. The largest |ψ_iy|² (see
// egTheory) is 2·9.
func twoPoints(t *testing.T, loss models.Loss) *models.Risk {
	t.Helper()
	d := &datasets.Labelled{X: datasets.Rows{N: 2, Dim: 1, Value: []float64{2, 3}}, Y: []int{2, 0},
		Classes: []string{"a", "b", "c"}}
	task, err := multiclass.Model{}.Build(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(loss, 1).(*models.Risk)
}

// TestTheoryRates checks the rates of egTheory for the batch and online method and for the log loss and the hinge, at
// each λ of a session. Here A = 18/C and C = 2λ. No rate is larger than 1e6.
func TestTheoryRates(t *testing.T) {
	for name, loss := range map[string]models.Loss{"log": models.LogLoss(), "hinge": models.Hinge()} {
		for _, order := range []string{"random", "batch"} {
			p := twoPoints(t, loss)
			session, err := (&eg.Solver{Order: order, Rate: "theory"}).Start(p, solvers.Env{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, lambda := range []float64{1, 0.25, 1e8} {
				a := 18 / (2 * lambda)
				want := 1 / (loss.Temp + a)
				if order == "batch" {
					want = 1 / (loss.Temp + 2*a)
				}
				want = min(1e6, want)
				for it := range testbed.Iterates(t, session.Run(lambda)) {
					got := map[string]float64{}
					it.Stats(func(name string, v float64) { got[name] = v })
					if math.Abs(got["A"]-a) > 1e-12*a || math.Abs(got["eta_mean"]-want) > 1e-12*want {
						t.Errorf("%s, %s, λ = %v: A = %v and eta_mean = %v, want %v and %v", name, order, lambda, got["A"],
							got["eta_mean"], a, want)
					}
					if it.Epoch > 2 {
						if lambda == 1 && !(got["divergence"] > 0) {
							t.Errorf("%s, %s: divergence = %v, want > 0", name, order, got["divergence"])
						}
						break
					}
				}
			}
		}
	}
}

// TestTheoryDivergence compares the statistic divergence with its definition. The examples have features of their own,
// so that w determines each α_i: A_i w = |x_i|²/(λn) (1_{y_i} − α_i).
func TestTheoryDivergence(t *testing.T) {
	d := &datasets.Labelled{X: datasets.Rows{N: 3, Dim: 3, Value: []float64{3, 0, 0, 0, 2, 0, 0, 0, 0.5}},
		Y: []int{2, 0, 1}, Classes: []string{"a", "b", "c"}}
	task, err := multiclass.Model{LossScale: 1}.Build(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, loss := range map[string]models.Loss{"log": models.LogLoss(), "hinge": models.Hinge()} {
		for _, order := range []string{"random", "batch", "cyclic"} {
			for _, start := range []float64{0, 1.5} {
				p := task.Objective(loss, 0.1).(*models.Risk)
				solver := &eg.Solver{Order: order, Rate: "theory", StartScore: start}
				for it := range testbed.Iterates(t, solver.Train(p, solvers.Env{Seed: 1})) {
					var want float64
					for i, y := range d.Y {
						theta := make([]float64, 3)
						p.Examples[i].Features.Score(theta, it.W)
						x := d.X.Value[4*i]
						for c := range theta {
							a, first := -theta[c]*p.Lambda*3/(x*x), 1/(math.Exp(start)+2)
							if c == y {
								a, first = 1+a, first*math.Exp(start)
							}
							if a > 1e-13 {
								want += a * math.Log(a/first)
							}
						}
					}
					it.Stats(func(stat string, v float64) {
						if stat == "divergence" && math.Abs(v-want) > 1e-9 {
							t.Errorf("%s, %s, start %g, epoch %d: divergence = %v, want %v", name, order, start, it.Epoch, v, want)
						}
					})
					if it.Epoch >= 5 {
						break
					}
				}
			}
		}
	}
}

func TestTheoryRefusals(t *testing.T) {
	p := twoPoints(t, models.LogLoss())
	err := solvers.Missing(&eg.Solver{Order: "random", Rate: "theory", Eta: 0.5}, p)
	if err == nil || errors.Is(err, solvers.ErrUnsupported) || !strings.Contains(err.Error(), "leave out eta") {
		t.Errorf("with eta = 0.5: Missing = %v, want an error that contains %q", err, "leave out eta")
	}
	p.Examples[1].Truth = models.Vertex{0, 1}
	err = solvers.Missing(&eg.Solver{Order: "random", Rate: "theory"}, p)
	if !errors.Is(err, solvers.ErrUnsupported) || !strings.Contains(fmt.Sprint(err), "example 1 has 2 of 3 parts") {
		t.Errorf("with a labelling of two parts: Missing = %v, want ErrUnsupported for example 1", err)
	}
}
