package experiments

import (
	"slices"
	"testing"
)

// TestIDsAreInNaturalOrder checks the order of all ids, and of some pairs.
func TestIDsAreInNaturalOrder(t *testing.T) {
	ids := IDs()
	if len(ids) < 90 || !slices.IsSortedFunc(ids, natural) {
		t.Errorf("%d ids: %q", len(ids), ids)
	}
	if natural("eg/fig9", "eg/fig10") >= 0 || natural("eg/fig1", "egr/fig1") >= 0 || natural("a1b2", "a1b2") != 0 {
		t.Error("natural does not compare digits as numbers, or does not keep the experiments of a paper together")
	}
}
