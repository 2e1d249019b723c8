package solvers_test

import (
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// bmrmSubjects are the settings of bmrm that go through the suite.
func bmrmSubjects() []subject {
	promises := []solvertest.Option{ // an epoch is a pass
		solvertest.MonotoneDual(),
		solvertest.Accuracy(1e-7, 1e-7, 500),
		solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
		solvertest.CallsBetweenYields(func(n int) int { return n }),
	}
	return []subject{
		{"", &solvers.BMRM{}, promises},
		{"idle planes dropped", &solvers.BMRM{Drop: 10}, promises},
	}
}
