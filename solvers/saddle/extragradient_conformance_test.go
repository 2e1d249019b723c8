package saddle_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/saddle"
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
		solvertest.With("constant", &saddle.Extragradient{Step: "constant", Scale: 1}, promises(0.3, 1000, 1)...),
		solvertest.With("growing", &saddle.Extragradient{Step: "growing", Scale: 1}, promises(0.1, 1000, 1)...),
		solvertest.With("adaptive", &saddle.Extragradient{Step: "adaptive", Scale: 1}, promises(1e-3, 1000, 40)...),
	}
}

func TestExtragradientConformance(t *testing.T) { solvertest.Each(t, extragradientSubjects()...) }
