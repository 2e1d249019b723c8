package bethe_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// TestBetheConformance runs the conformance suite. In an epoch, a solver calls the oracle once for each example whose
// iterations have not ended.
func TestBetheConformance(t *testing.T) {
	promises := []solvertest.Option{
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 5000),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return 1, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }),
	}
	diverging := append(promises[:len(promises):len(promises)], solvertest.MayDiverge())
	solvertest.Each(t,
		solvertest.With("rda", &bethe.RDA{MaxCalls: 5000}, diverging...),
		solvertest.With("rda, beta", &bethe.RDA{Beta: 20, MaxCalls: 5000},
			append(diverging, solvertest.Accuracy(1e-5, 1e-5, 5000))...),
		solvertest.With("accelerated", &bethe.Accelerated{Sigma: 1, MaxCalls: 5000}, promises...),
		solvertest.With("accelerated, modulus of the trees", &bethe.Accelerated{MaxCalls: 5000}, promises...),
		solvertest.With("damped", &bethe.Damped{Rho: 0.5, MaxCalls: 5000}, promises...),
		solvertest.With("damped, full steps, tolerance", &bethe.Damped{Rho: 1, MaxCalls: 5000, Tol: 1e-9}, promises...),
	)
}
