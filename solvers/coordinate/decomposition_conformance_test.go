package coordinate_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func TestDecompositionConformance(t *testing.T) {
	solvertest.Each(t,
		solvertest.With("", &coordinate.Decomposition{Tol: 1e-7, Cache: 100, Pair: "violating"}, solvertest.MonotoneDual(),
			solvertest.CallsPerEpoch(func(int) (int, int) { return 0, 0 })),
		solvertest.With("second-order, two columns kept", &coordinate.Decomposition{Tol: 1e-7, Pair: "second-order"},
			solvertest.MonotoneDual(), solvertest.CallsPerEpoch(func(int) (int, int) { return 0, 0 })),
	)
}
