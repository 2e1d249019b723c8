package saddle_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/saddle"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func egrSubjects() []solvertest.Subject {
	return []solvertest.Subject{
		// there is no smooth loss; O(1/k²)
		solvertest.With("theory", &saddle.EGR{Lipschitz: "theory", Scale: 1, Marginals: "none"},
			solvertest.Accuracy(1, 1e-2, 5000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.CallsBetweenYields(func(n int) int { return n }),
		),
		solvertest.With("adaptive", &saddle.EGR{Lipschitz: "adaptive", Scale: 1, Marginals: "float64"},
			solvertest.Accuracy(1, 1e-3, 5000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 60 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 60 * n }),
		),
	}
}

func TestEGRConformance(t *testing.T) { solvertest.Each(t, egrSubjects()...) }
