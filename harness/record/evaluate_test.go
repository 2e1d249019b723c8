package record_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestBoundsOfDivergingRuns: with a primal of 1e100 and more, what is left of a bound after rounding is still one.
func TestBoundsOfDivergingRuns(t *testing.T) {
	r := toy.Text(t, toy.Tiny+`
regularisation: {convention: eg, C: 1000}
solvers:
  - {name: descent, step: {grid: [0.5, 1, 2, 4, 1e3, 1e6, 1e20, 1e50]}}
  - {name: ascent, rate: 0.5}
record: {every: {passes: 0.1}}
stop: {passes: 20}
`)
	best := toy.Last(t, toy.Labelled(t, r, "as", "ascent"))[trace.Primal]
	huge, bounds := false, 0
	for _, f := range r.Files {
		for _, row := range f.Rows {
			huge = huge || row.Values[trace.Primal] > 1e100
			if d, ok := row.Values[trace.Dual]; ok {
				bounds++
				if d > best {
					t.Fatalf("%s: at %v passes, with a primal of %g, the dual %g is above a primal of %g", f.Describe(),
						row.Values[trace.Passes], row.Values[trace.Primal], d, best)
				}
			}
		}
	}
	if !huge || bounds == 0 {
		t.Errorf("no run diverges enough (%v), or no row has a bound (%d)", huge, bounds)
	}
	if r.Set.Err != nil {
		t.Error(r.Set.Err)
	}
}
