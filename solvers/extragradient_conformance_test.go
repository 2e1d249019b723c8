package solvers_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func extragradientSubjects() []solvertest.Subject {
	promises := func(accuracy float64, epochs, trials int) []solvertest.Option { // there is no smooth loss
		return []solvertest.Option{
			solvertest.Accuracy(1, accuracy, epochs),
			solvertest.CallsPerEpoch(func(n int) (int, int) { return 2 * n, 2 * trials * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 2 * trials * n }),
		}
	}
	return []solvertest.Subject{
		solvertest.With("constant", &solvers.Extragradient{Step: "constant", Scale: 1}, promises(0.3, 1000, 1)...),
		solvertest.With("growing", &solvers.Extragradient{Step: "growing", Scale: 1}, promises(0.1, 1000, 1)...),
		solvertest.With("adaptive", &solvers.Extragradient{Step: "adaptive", Scale: 1}, promises(1e-3, 1000, 40)...),
	}
}

func TestExtragradientConformance(t *testing.T) { solvertest.Each(t, extragradientSubjects()...) }
