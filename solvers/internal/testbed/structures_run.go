package testbed

import (
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// After returns the primal and the dual after the given number of epochs, or at the end of the run if that comes first.
func After(t *testing.T, p *models.Risk, s solvers.Solver, epochs int) (primal, dual float64) {
	t.Helper()
	var at solvers.Iterate
	for it, err := range solvers.Run(s, p, solvers.Env{Seed: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		if at = it; it.Epoch == epochs {
			break
		}
	}
	if at.Dual != nil {
		dual = at.Dual()
	}
	return p.Primal(at.W), dual
}
