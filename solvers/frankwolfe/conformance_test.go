package frankwolfe_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/frankwolfe"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// TestBCFWConformance runs the conformance suite. A visit makes one oracle call, or up to two calls with a 0/1 loss
// over labellings.
func TestBCFWConformance(t *testing.T) {
	promises := func(more ...solvertest.Option) []solvertest.Option {
		return append([]solvertest.Option{
			solvertest.Accuracy(1, 1e-2, 1000), // 1 is not used: no loss is smooth; 1e-2, because BCFW needs O(1/ε) visits
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 2 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return max(2, 2*(n/5)) }),
		}, more...)
	}
	monotone := solvertest.MonotoneDual() // promised only without averaging: the dual of the average may decrease
	solvertest.Each(t,
		solvertest.With("permutation, average", &frankwolfe.BCFW{Order: "permutation", Average: true},
			promises(solvertest.Random())...),
		solvertest.With("random", &frankwolfe.BCFW{Order: "random"}, promises(monotone, solvertest.Random())...),
		solvertest.With("pairwise", &frankwolfe.BCFW{Order: "permutation", Step: "pairwise"}, promises(monotone)...),
		solvertest.With("pairwise, average", &frankwolfe.BCFW{Order: "random", Average: true, Step: "pairwise"},
			promises(solvertest.Random())...),
		solvertest.With("minibatch", &frankwolfe.BCFW{Order: "random", Minibatch: 4}, promises(monotone)...),
		solvertest.With("pairwise, minibatch", &frankwolfe.BCFW{Order: "permutation", Step: "pairwise", Minibatch: 3},
			promises(monotone)...),
		solvertest.With("cyclic", &frankwolfe.BCFW{Order: "cyclic"}, promises(monotone, solvertest.Deterministic())...),
	)
}
