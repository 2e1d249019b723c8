package gate_test

import (
	"testing"

	"github.com/gaplab/gaplab/examples/gate"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/gatetest"
	"github.com/gaplab/gaplab/solvers"
)

// TestConvergence compares the curves of Nesterov on digits.yaml with the reference testdata/smoke/ours/digits.jsonl.
// Instead of the path of a spec, Check also accepts the id of an experiment of gaplab, such as eg/fig01.
//
// To write the reference again (the message of the commit should then state why the curves changed):
//
//	GAPLAB_UPDATE=1 go test -v -run TestConvergence
//
// To save figures of the curves that differ from the reference:
//
//	go test -run TestConvergence -artifacts
func TestConvergence(t *testing.T) {
	gatetest.Check(t, "digits.yaml", harness.Options{With: []solvers.Solver{&gate.Nesterov{Eta: 0.1}}, Only: true})
}
