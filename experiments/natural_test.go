package experiments

import (
	"slices"
	"testing"
)

func TestIDsAreInNaturalOrder(t *testing.T) {
	ids := IDs()
	if len(ids) < 90 || !slices.IsSortedFunc(ids, natural) {
		t.Errorf("%d ids: %q", len(ids), ids)
	}
	if natural("eg/fig9", "eg/fig10") >= 0 || natural("eg/fig1", "egr/fig1") >= 0 || natural("a1b2", "a1b2") != 0 {
		t.Error("want digits to count as numbers, and a paper's experiments together")
	}
}
