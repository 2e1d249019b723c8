package record_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// TestNoRoom checks that a solver whose vectors do not fit into memory fails before it begins. The message must contain
// the sizes, and the other runs must continue.
func TestNoRoom(t *testing.T) {
	large := toy.Steady(1)
	large.Is, large.Wants = "large", solvers.Needs{Memory: solvers.Memory{Weights: 1 << 50}}
	r := toy.RunIn(t, t.Context(), t.TempDir(), toy.Spec(t, toy.Quickly("{passes: 1}")), toy.With(large),
		toy.With(toy.Steady(1)))
	f := toy.Labelled(t, r, "as", "large")
	if f.Status() != trace.Failed || len(f.Rows) > 0 || !strings.Contains(f.End.Why, "it needs at least 162 PB") ||
		!strings.Contains(f.End.Why, " leaves ") {
		t.Errorf("%s with %d rows: %+v; want a failure without rows that states the needed memory", f.Status(), len(f.Rows),
			f.End)
	}
	toy.WantStatus(t, toy.Labelled(t, r, "as", "steady"), trace.Done, "passes")
}
