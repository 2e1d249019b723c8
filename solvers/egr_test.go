package solvers_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func egrSubjects() []solvertest.Subject {
	return []solvertest.Subject{
		solvertest.With("theory", &solvers.EGR{Lipschitz: "theory", Scale: 1, Marginals: "none"}, solvertest.Accuracy(1, 1e-2, 5000), // there is no smooth loss; O(1/k²)
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.CallsBetweenYields(func(n int) int { return n }),
		),
		solvertest.With("adaptive", &solvers.EGR{Lipschitz: "adaptive", Scale: 1, Marginals: "float64"}, solvertest.Accuracy(1, 1e-3, 5000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 60 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 60 * n }),
		),
	}
}

func TestEGRConformance(t *testing.T) { solvertest.Each(t, egrSubjects()...) }
