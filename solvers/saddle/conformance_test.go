package saddle_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/saddle"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// TestEGRConformance runs the conformance suite. The accuracy for smooth losses is 1, because EGR supports no smooth
// loss. The accuracy for other losses allows for the rate O(1/k²).
func TestEGRConformance(t *testing.T) {
	solvertest.Each(t,
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
	)
}

func TestExtragradientConformance(t *testing.T) {
	promises := func(accuracy float64, epochs, trials int) []solvertest.Option {
		return []solvertest.Option{
			solvertest.Accuracy(1, accuracy, epochs), // 1 is not used, because the method supports no smooth loss
			solvertest.CallsPerEpoch(func(n int) (int, int) { return 2 * n, 2 * trials * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 2 * trials * n }),
		}
	}
	solvertest.Each(t,
		solvertest.With("constant", &saddle.Extragradient{Step: "constant", Scale: 1}, promises(0.3, 1000, 1)...),
		solvertest.With("growing", &saddle.Extragradient{Step: "growing", Scale: 1}, promises(0.1, 1000, 1)...),
		solvertest.With("adaptive", &saddle.Extragradient{Step: "adaptive", Scale: 1}, promises(1e-3, 1000, 40)...),
	)
}
