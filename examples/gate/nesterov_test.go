package gate_test

import (
	"testing"

	"github.com/gaplab/gaplab/examples/gate"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/gatetest"
	"github.com/gaplab/gaplab/solvers"
)

// TestConvergence compares our curves on our own spec with testdata/smoke/ours/digits.jsonl. In the place of the spec's
// path may stand the id of an experiment that comes with gaplab, such as eg/fig01.
//
//	GAPLAB_UPDATE=1 go test -v -run TestConvergence     # writes it; say in the commit why it moved
//	go test -run TestConvergence -artifacts             # keeps the figures of curves that moved
func TestConvergence(t *testing.T) {
	gatetest.Check(t, "digits.yaml", harness.Options{With: []solvers.Solver{&gate.Nesterov{Eta: 0.1}}, Only: true})
}
