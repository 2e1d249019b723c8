package direct_test

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/direct"
)

// TestGiven checks that Given yields exactly one iterate, whose weights are the Start of the problem.
func TestGiven(t *testing.T) {
	for _, start := range [][]float64{nil, {1, 2, 3}} {
		p := &models.Risk{Weights: models.Weights{Dim: 3, Start: start}, Lambda: 1, Loss: models.LogLoss(),
			Examples: make([]models.Example, 1)}
		n := 0
		for it, err := range solvers.Run(&direct.Given{}, p, solvers.Env{Seed: 1}) {
			n++
			want := start
			if want == nil {
				want = make([]float64, 3)
			}
			if err != nil || !slices.Equal(it.W, want) {
				t.Errorf("start %v: weights = %v and error = %v, want %v and no error", start, it.W, err, want)
			}
		}
		if n != 1 {
			t.Errorf("start %v: %d iterates, want 1", start, n)
		}
	}
	if err := solvers.Missing(&direct.Given{}, &models.Risk{Weights: models.Weights{Dim: 2, Start: []float64{1}},
		Lambda: 1, Examples: make([]models.Example, 1)}); err == nil {
		t.Error("a start with 1 weight for Dim = 2: no error, want one")
	}
}
