package cuttingplane_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func TestOneSlackConformance(t *testing.T) {
	// planes returns the properties that OneSlack promises. An epoch is one QP. The new constraint of this QP may come
	// from the cache, without oracle calls. If the constraint comes from the oracle, a 0/1 loss over labellings needs up
	// to two calls for each example.
	planes := func(accuracy float64, epochs int) []solvertest.Option {
		return []solvertest.Option{
			solvertest.MonotoneDual(),
			solvertest.Accuracy(1, accuracy, epochs), // 1 is not used, because the method supports no smooth loss
			solvertest.CallsPerEpoch(func(n int) (int, int) { return 0, 2 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 2 * n }),
		}
	}
	solvertest.Each(t,
		solvertest.With("without a cache",
			&cuttingplane.OneSlack{CacheRule: "svmstruct", Step: "qp", Drop: 50}, planes(1e-6, 500)...),
		solvertest.With("cache, the paper's rule",
			&cuttingplane.OneSlack{Epsilon: 1e-9, Cache: 10, CacheRule: "paper", Step: "qp", Drop: 50},
			append(planes(1e-6, 2000), solvertest.Certified(3e-9))...),
		solvertest.With("line search",
			&cuttingplane.OneSlack{CacheRule: "svmstruct", Step: "line-search"}, planes(1e-2, 2000)...),
	)
}

func TestNSlackConformance(t *testing.T) {
	passes := []solvertest.Option{ // for n-slack: an epoch is one pass
		solvertest.MonotoneDual(),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 2 * n }),
		solvertest.CallsBetweenYields(func(n int) int { return max(2, 2*(n/5)) }),
	}
	solvertest.Each(t,
		solvertest.With("coordinate",
			&cuttingplane.NSlack{Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50}, passes...),
		solvertest.With("decomposition",
			&cuttingplane.NSlack{Precision: "halving", QP: "decomposition", Batch: 100, Drop: 50}, passes...),
	)
}

func TestBMRMConformance(t *testing.T) {
	solvertest.Check(t, &cuttingplane.BMRM{Drop: 10}, // an epoch is one pass
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 500),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }))
}
