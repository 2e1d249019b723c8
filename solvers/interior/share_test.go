package interior

import (
	"context"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
)

// TestBarrierShare checks that the gap of each centre, which is the number of constraints divided by τ (see Barrier),
// is at most a tenth of the gap between the upper and lower bounds so far. It also checks that τ does not decrease.
func TestBarrierShare(t *testing.T) {
	set, err := generated.Tracking{Train: 6, Length: 5, States: 3, Observations: 2, P: 0.3, Q: 0.3, Seed: 7}.
		Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := generative.NewHMM().Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(task.Objective(models.Hinge(), 0).(*models.Generative), 2)
	r.look(r.best)
	tau, raised := 0.0, 0
	for round := range 8 {
		gap, constraints := r.upper-r.lower, float64(r.m.constraints())
		if round == 0 {
			gap = max(1, r.upper) // there is no lower bound yet
		}
		if !r.centre() {
			t.Fatalf("round %d: Newton's method found no centre", round)
		}
		share := constraints / r.m.tau / gap
		if r.m.tau < tau || share > 0.1*(1+1e-12) || r.m.tau > tau && math.Abs(share-0.1) > 1e-12 {
			t.Errorf("round %d: τ changes from %v to %v, and the gap of the centre is %v of the whole gap: want 0.1",
				round, tau, r.m.tau, share)
		}
		if r.m.tau > tau {
			raised++
		}
		tau = r.m.tau
		r.look(r.m.theta)
	}
	if raised < 2 {
		t.Errorf("τ increased %d times, want at least 2", raised)
	}
}
