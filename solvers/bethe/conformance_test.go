package bethe_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func TestRDAConformance(t *testing.T) {
	inference := []solvertest.Option{ // an epoch is a call for each example
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 5000),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return 1, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }),
	}
	solvertest.Each(t,
		solvertest.With("", &bethe.RDA{MaxCalls: 5000},
			append(inference[:len(inference):len(inference)], solvertest.MayDiverge())...),
		solvertest.With("beta", &bethe.RDA{Beta: 20, MaxCalls: 5000},
			append(inference[:len(inference):len(inference)], solvertest.MayDiverge(),
				solvertest.Accuracy(1e-5, 1e-5, 5000))...),
	)
}

func TestAcceleratedConformance(t *testing.T) {
	inference := []solvertest.Option{ // an epoch is a call for each example
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 5000),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return 1, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }),
	}
	solvertest.Each(t,
		solvertest.With("", &bethe.Accelerated{Sigma: 1, MaxCalls: 5000}, inference...),
		solvertest.With("modulus of the trees", &bethe.Accelerated{MaxCalls: 5000}, inference...),
	)
}

func TestDampedConformance(t *testing.T) {
	inference := []solvertest.Option{ // an epoch is a call for each example
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 5000),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return 1, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }),
	}
	solvertest.Each(t,
		solvertest.With("", &bethe.Damped{Rho: 0.5, MaxCalls: 5000}, inference...),
		solvertest.With("full steps, tolerance", &bethe.Damped{Rho: 1, MaxCalls: 5000, Tol: 1e-9}, inference...),
	)
}
