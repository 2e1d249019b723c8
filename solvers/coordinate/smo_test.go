package coordinate_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// smoSubjects returns the settings of smo that go through the suite. A visit makes two oracle calls a step.
func smoSubjects() []solvertest.Subject {
	promises := func(steps int, more ...solvertest.Option) []solvertest.Option {
		return append([]solvertest.Option{
			solvertest.MonotoneDual(),
			solvertest.Accuracy(1, 1e-6, 2000), // there is no smooth loss
			solvertest.CallsPerEpoch(func(n int) (int, int) { return 2 * n, 2 * steps * n }),
			solvertest.CallsBetweenYields(func(n int) int { return 2 * steps * max(1, 2*(n/10)) }),
		}, more...)
	}
	return []solvertest.Subject{
		// slow at the end where D is flat
		solvertest.With("random", &coordinate.SMO{Order: "random", Steps: 1},
			promises(1, solvertest.Random(), solvertest.Accuracy(1, 1e-4, 2000))...),
		solvertest.With("permutation, three steps", &coordinate.SMO{Order: "permutation", Steps: 3},
			promises(3, solvertest.Random())...),
		solvertest.With("cyclic", &coordinate.SMO{Order: "cyclic", Steps: 1}, promises(1, solvertest.Deterministic())...),
	}
}

func TestSMOConformance(t *testing.T) { solvertest.Each(t, smoSubjects()...) }
