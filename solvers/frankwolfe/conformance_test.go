package frankwolfe_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/frankwolfe"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// TestBCFWConformance: a visit is a call, and with a 0/1 loss over labellings up to two.
func TestBCFWConformance(t *testing.T) {
	promises := func(more ...solvertest.Option) []solvertest.Option {
		return append([]solvertest.Option{
			solvertest.Accuracy(1, 1e-2, 1000), // there is no smooth loss; O(1/ε) visits
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 2 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return max(2, 2*(n/5)) }),
		}, more...)
	}
	monotone := solvertest.MonotoneDual() // of the last iterate: that of the average may fall
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
