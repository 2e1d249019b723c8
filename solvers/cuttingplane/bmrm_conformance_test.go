package cuttingplane_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// bmrmSubjects returns the settings of bmrm that go through the suite.
func bmrmSubjects() []solvertest.Subject {
	promises := []solvertest.Option{ // an epoch is a pass
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 500),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }),
	}
	return []solvertest.Subject{
		solvertest.With("", &cuttingplane.BMRM{}, promises...),
		solvertest.With("idle planes dropped", &cuttingplane.BMRM{Drop: 10}, promises...),
	}
}

func TestBMRMConformance(t *testing.T) { solvertest.Each(t, bmrmSubjects()...) }
