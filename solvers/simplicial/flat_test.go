package simplicial

import (
	"context"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/solvers"
)

// TestRSDFlat checks that where the prior has zeros, θ̄ may have one component with any mass in each vector that a
// point touches. Then the fitted λ take all curvature along the point away, and the Newton system is 0: the master
// problem ends all the same.
func TestRSDFlat(t *testing.T) {
	set, err := generated.Tracking{Train: 4, Length: 6, States: 10, Observations: 7, P: 0.1, Q: 0.8, Seed: 101}.
		Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := generative.HMM{LabelLoss: "hamming", Eta: 0.1, Prior: "ml"}.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Objective(models.Hinge(), 0).(*models.Generative)
	rounds := 0
	for it, err := range solvers.Run(New(), p, solvers.Env{Seed: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		if it.Primal() < it.Dual() {
			t.Errorf("round %d: bounds %v and %v", it.Epoch, it.Dual(), it.Primal())
		}
		if rounds = it.Epoch; rounds == 60 {
			break
		}
	}
	if rounds < 20 {
		t.Errorf("%d rounds: want those up to a standstill", rounds)
	}
}
