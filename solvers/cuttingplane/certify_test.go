package cuttingplane

import (
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestCertifiedEnd checks the ends of runs by eps: the gap is at most 2 eps, in units of the label loss, and the solver
// certifies this. With eps = 0 rounding errors end a run, so the solver must not certify the end.
func TestCertifiedEnd(t *testing.T) {
	for _, eps := range []float64{0.3, 0.01, 1e-4} {
		eachRescaling(t, 0.01, func(t *testing.T, _ testbed.PlaneCase, p *models.Risk) {
			for name, s := range planeSolvers(eps) {
				if !s.(solvers.Certifier).Certifies() {
					t.Errorf("%s: Certifies = false with eps = %g, want true", name, eps)
				}
				primal, dual := testbed.After(t, p, s, 100_000)
				if gap := primal - dual; gap > 2*eps {
					t.Errorf("%s: the run with eps = %g ended at the gap %g, want at most %g", name, eps, gap, 2*eps)
				}
			}
		})
	}
	for name, s := range map[string]solvers.Certifier{"one-slack": NewOneSlack(), "n-slack": NewNSlack()} {
		if s.Certifies() {
			t.Errorf("%s: Certifies = true with eps = 0, want false", name)
		}
	}
}
