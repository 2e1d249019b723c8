package coordinate_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// ascent returns the properties that all methods of the package share: the dual never decreases, and on a problem with
// n examples, the number of oracle calls of an epoch is between the two bounds that calls(n) returns.
func ascent(calls func(n int) (low, high int), more ...solvertest.Option) []solvertest.Option {
	return append([]solvertest.Option{solvertest.MonotoneDual(), solvertest.CallsPerEpoch(calls)}, more...)
}

func once(n int) (low, high int) { return n, n }

func TestDCDConformance(t *testing.T) {
	solvertest.Each(t,
		solvertest.With("shrinking", &coordinate.DCD{Shrinking: true}, ascent(once, solvertest.Random())...),
		solvertest.With("without shrinking", &coordinate.DCD{}, ascent(once, solvertest.Random())...),
	)
}

func TestSDCAConformance(t *testing.T) {
	solvertest.Each(t,
		solvertest.With("random", &coordinate.SDCA{Order: "random", Begin: "truth"}, ascent(once, solvertest.Random())...),
		solvertest.With("permutation, uniform start", &coordinate.SDCA{Order: "permutation", Begin: "uniform"},
			ascent(once, solvertest.Random())...),
		solvertest.With("minibatch", &coordinate.SDCA{Order: "random", Begin: "truth", Minibatch: 4},
			ascent(once, solvertest.Random())...),
		solvertest.With("cyclic", &coordinate.SDCA{Order: "cyclic", Begin: "truth"},
			ascent(once, solvertest.Deterministic())...),
	)
}

func TestSMOConformance(t *testing.T) {
	promises := func(steps int, more ...solvertest.Option) []solvertest.Option { // 2 oracle calls per step
		return ascent(func(n int) (int, int) { return 2 * n, 2 * steps * n },
			append(more, solvertest.CallsBetweenYields(func(n int) int { return 2 * steps * max(1, 2*(n/10)) }))...)
	}
	solvertest.Each(t,
		// low accuracy, because convergence near the optimum is slow where the dual objective D is flat
		solvertest.With("random", &coordinate.SMO{Order: "random", Steps: 1},
			promises(1, solvertest.Random(), solvertest.Accuracy(1, 1e-4, 2000))...),
		solvertest.With("permutation, three steps", &coordinate.SMO{Order: "permutation", Steps: 3},
			promises(3, solvertest.Random())...),
		solvertest.With("cyclic", &coordinate.SMO{Order: "cyclic", Steps: 1}, promises(1, solvertest.Deterministic())...),
	)
}

func TestDecompositionConformance(t *testing.T) {
	none := func(int) (low, high int) { return 0, 0 }
	solvertest.Each(t,
		solvertest.With("", &coordinate.Decomposition{Tol: 1e-7, Cache: 100, Pair: "violating"}, ascent(none)...),
		solvertest.With("second-order, two columns kept", &coordinate.Decomposition{Tol: 1e-7, Pair: "second-order"},
			ascent(none)...),
	)
}
