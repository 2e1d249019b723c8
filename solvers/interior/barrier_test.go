package interior_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/interior"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
	"github.com/gaplab/gaplab/solvers/simplicial"
)

// bounds runs a solver until its primal and dual are close, but for at most the given number of rounds. It returns the
// last primal and dual.
func bounds(t *testing.T, s solvers.Solver, p *models.Generative, rounds int) (primal, dual float64) {
	t.Helper()
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
		if it.Primal == nil {
			continue
		}
		primal, dual = it.Primal(), it.Dual()
		if got := p.Primal(it.W); math.Abs(got-primal) > 1e-9*math.Abs(primal) {
			t.Fatalf("the objective at W is %v, but Primal = %v", got, primal)
		}
		if primal-dual <= 1e-6*math.Abs(primal) || it.Epoch >= rounds {
			break
		}
	}
	return primal, dual
}

// TestBarrierAgainstRSD checks that the primal and dual values of Barrier and of RSD agree, for each prior, kind of
// terms f_i, penalty h and loss. The two solvers compute their dual values by different methods.
func TestBarrierAgainstRSD(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	tracking, err := generated.Tracking{Train: 6, Length: 5, States: 3, Observations: 2, P: 0.3, Q: 0.3, Seed: 7}.
		Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := generated.RandomNetwork{Variables: 4, Values: 2, Classes: 3, Contrast: 1, Train: 30, Seed: 3}.
		Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, prior := range []string{"uniform", "smoothed-ml", "smaller"} {
		for j, divergence := range []string{"kl", "chi-squared", "squared"} {
			for k, penalty := range []string{"linear", "quadratic"} {
				name := fmt.Sprint(prior, " ", divergence, " ", penalty)
				var task *models.Task
				var err error
				loss := models.Hinge()
				if (i+j+k)%2 == 0 {
					hidden := []string{"all", "alternate"}[j%2]
					task, err = generative.HMM{LabelLoss: "ring", Eta: 0.3, Prior: prior, Divergence: divergence, Penalty: penalty,
						Hidden: hidden}.Build(tracking.Train, nil)
				} else {
					task, err = generative.BayesNet{Nodes: 5, Structure: "tan", LossScale: 1, Eta: 0.3, Prior: prior,
						Divergence: divergence, Penalty: penalty}.Build(rows.Train, nil)
					loss = models.Slack()
				}
				if err != nil {
					t.Fatal(name, err)
				}
				p := task.Objective(loss, 0).(*models.Generative)
				ours, low := bounds(t, interior.NewBarrier(), p, 200)
				theirs, theirLow := bounds(t, simplicial.New(), p, 3000)
				size := math.Abs(theirs)
				if ours-low > 1e-6*size || theirs-theirLow > 1e-5*size {
					t.Errorf("%s: dual = %v and primal = %v; with rsd %v and %v: want small gaps", name, low, ours, theirLow, theirs)
				}
				if low > theirs+1e-9*size || theirLow > ours+1e-9*size {
					t.Errorf("%s: dual = %v and primal = %v contradict rsd, %v and %v", name, low, ours, theirLow, theirs)
				}
				n++
			}
		}
	}
	if n != 18 {
		t.Errorf("the test ran %d problems, want 18", n)
	}
}
