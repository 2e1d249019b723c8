package coordinate_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// dcdSubjects returns the settings of dcd that go through the suite.
func dcdSubjects() []solvertest.Subject {
	promises := []solvertest.Option{
		solvertest.MonotoneDual(),
		solvertest.Random(),
		solvertest.Accuracy(1, 1e-6, 2000), // there is no smooth loss
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
	}
	return []solvertest.Subject{
		solvertest.With("shrinking", &coordinate.DCD{Shrinking: true}, promises...),
		solvertest.With("without shrinking", &coordinate.DCD{}, promises...),
	}
}

func TestDCDConformance(t *testing.T) { solvertest.Each(t, dcdSubjects()...) }
