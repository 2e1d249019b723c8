package solvers_test

import (
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func egrSubjects() []subject {
	return []subject{
		{"theory", &solvers.EGR{Lipschitz: "theory", Scale: 1, Marginals: "none"}, []solvertest.Option{
			solvertest.Accuracy(1, 1e-2, 5000), // there is no smooth loss; O(1/k²)
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
			solvertest.CallsBetweenYields(func(n int) int { return n }),
		}},
		{"adaptive", &solvers.EGR{Lipschitz: "adaptive", Scale: 1, Marginals: "float64"}, []solvertest.Option{
			solvertest.Accuracy(1, 1e-3, 5000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 60 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 60 * n }),
		}},
	}
}
