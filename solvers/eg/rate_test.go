package eg

import (
	"context"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/solvers"
)

// TestFirstRateIgnoresRounding checks that rounding errors do not make the rate that firstRate returns too small. The
// dual does not change for sentences with a single parse, but rounding errors may make it seem to decrease.
func TestFirstRateIgnoresRounding(t *testing.T) {
	set, err := (generated.GrammarTrees{Train: 100, Seed: 1, MaxWords: 12}).Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := cfg.Model{LossScale: 100, Forests: 64}.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Objective(models.LogLoss(), 10.0/100).(*models.Risk)
	for seed := range uint64(20) {
		if eta := firstRate(p, solvers.Env{Seed: seed}, 10); eta < 1e-3 {
			t.Errorf("seed %d: firstRate = %v, want at least 1e-3", seed, eta)
		}
	}
}
