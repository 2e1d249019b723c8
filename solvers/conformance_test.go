package solvers_test

import (
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// promises are what single solvers promise beside the common contract, and the settings that they have no default for.
// A solver of the list that has no line here must pass as it is.
func promises() map[string]subject {
	return map[string]subject{}
}

type subject struct {
	solver  solvers.Solver // nil: the list's own
	options []solvertest.Option
}

func TestConformance(t *testing.T) {
	for _, e := range solvers.All() {
		t.Run(e.Name, func(t *testing.T) { solvertest.Check(t, e.New()) })
	}
}
