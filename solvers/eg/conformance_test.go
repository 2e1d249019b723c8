package eg_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/eg"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func TestEGConformance(t *testing.T) {
	online := []solvertest.Option{ // an update needs up to 40 oracle calls: one for each trial of a rate
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-6, 1e-2, 2000), // EG is slow on the hinge: O(1/ε)
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 5 * n }),
		solvertest.CallsBetweenYields(func(n int) int { return max(2, n) }),
	}
	random := append(online[:len(online):len(online)], solvertest.Random())
	whole := func(n int) int { return 40 * n }
	solvertest.Each(t,
		solvertest.With("rate and start given",
			&eg.Solver{Eta: 0.5, StartScore: 10, Order: "random", Rate: "adaptive"}, random...),
		solvertest.With("permutation", &eg.Solver{Order: "permutation", Rate: "adaptive"}, random...),
		solvertest.With("minibatch", &eg.Solver{Order: "random", Rate: "adaptive", Minibatch: 4}, random...),
		solvertest.With("cyclic", &eg.Solver{Order: "cyclic", Rate: "adaptive"},
			append(online[:len(online):len(online)], solvertest.Deterministic())...),
		solvertest.With("constant", &eg.Solver{Eta: 0.05, Order: "random", Rate: "constant"},
			solvertest.Random(),
			solvertest.Lambdas(0.1, 1),
			solvertest.MonotoneDual(),
			solvertest.Accuracy(1e-6, 1e-2, 2000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
		),
		solvertest.With("batch", &eg.Solver{Eta: 0.5, Order: "batch", Rate: "adaptive"},
			solvertest.MonotoneDual(),
			solvertest.Deterministic(),
			solvertest.Accuracy(1e-5, 1e-2, 5000),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 40 * n }),
			solvertest.CallsBetweenYields(whole),
		),
	)
}
